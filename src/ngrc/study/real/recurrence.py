"""The other recurrence of the reservoir, tried where the authors' own does not give the print.

The ResCP code has h <- (1 - leak) h + tanh(...), its text h <- (1 - leak) h + leak tanh(...). The paper says that it
used the code.
"""

from collections.abc import Callable
from functools import partial

from ngrc.backtesting.results import Run
from ngrc.study.harness.compare import distance, errors_allowed
from ngrc.study.harness.estimate import Estimate
from ngrc.study.harness.printed import Printed
from ngrc.study.harness.target import Settings
from ngrc.study.real.cases import Case
from ngrc.study.real.printed.seeds import PAPER_SEEDS
from ngrc.study.real.rescp import bands, estimates, over_seeds

Fits = dict[Case, tuple[Run, ...]]


def from_text(case: Case, fits: Fits, settings: Settings) -> dict[str, Estimate]:
    """Scores over seeds at the paper's temperature and window, with the recurrence of the text.

    As many seeds as the paper has: this explains a row and judges none.
    """
    run = fits[case][0]
    layers = over_seeds(case, run, settings, recurrence="paper", count=PAPER_SEEDS)
    local = bands(layers, fits, jobs=settings.jobs)
    return estimates(run, [local[layer] for layer in layers])


def tried(ours: Estimate, paper: Printed, other: Callable[[], Estimate]) -> str:
    """How far ours is from the print, and how far it would be with the recurrence of the text."""
    text = other()
    here, there = (distance(each, paper, PAPER_SEEDS) for each in (ours, text))
    allowed = errors_allowed(text.count)
    verdict = "within" if abs(there) <= allowed else "beyond"
    return (
        f"{here:+.1f} combined standard errors from the print with the recurrence of the ResCP code; with that of its "
        f"text it is {text.mean:.4g}, {there:+.1f} errors from the print and so {verdict} the {allowed:.1f} allowed"
    )


def tried_at_choice(
    case: Case, fits: Fits, settings: Settings, measure: str, ours: Estimate, paper: Printed
) -> Callable[[], str]:
    """The same for a score at the paper's temperature and window, computed only when it is called."""
    return partial(tried, ours, paper, lambda: from_text(case, fits, settings)[measure])
