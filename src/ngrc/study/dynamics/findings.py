"""What came out, in words made from the numbers of the run."""

import numpy as np
import polars as pl

from ngrc._types import FloatArray
from ngrc.study.dynamics import printed as paper
from ngrc.study.dynamics.inference import Inferred
from ngrc.study.dynamics.integrators import INTEGRATORS
from ngrc.study.dynamics.order import Orders
from ngrc.study.dynamics.settings import LONGEST, LORENZ, THRESHOLD
from ngrc.study.dynamics.windows import Runs
from ngrc.study.harness.printed import printed


def findings(
    lorenz: Runs, scroll: Runs, glass: Runs, inferred: Inferred, orders: Orders, integrators: pl.DataFrame
) -> tuple[str, ...]:
    """One paragraph per question."""
    return (
        _errors(lorenz, scroll, inferred),
        " ".join(_valid(runs) for runs in (lorenz, scroll, glass)),
        _order(orders),
        _integrator(integrators),
    )


def _errors(lorenz: Runs, scroll: Runs, inferred: Inferred) -> str:
    parts = [
        _beside("the training NRMSE of Lorenz63", lorenz.training, paper.LORENZ_TRAINING),
        _beside("its free-run NRMSE over one Lyapunov time", lorenz.free, paper.LORENZ_RUN),
        _beside("that of the double scroll", scroll.free, paper.SCROLL_RUN),
        _beside("z inferred from x and y in training", inferred.training, paper.INFERENCE_TRAINING),
        _beside("and in the test", inferred.test, paper.INFERENCE_TEST),
    ]
    share = max(float(np.max(runs.free) / np.sum(runs.free)) for runs in (lorenz, scroll) if not runs.diverged)
    tail = (
        f" Free-run errors have a long tail: a single window makes up to {share:.0%} of a sum, so that a mean over ten "
        "of them says little."
    )
    return f"Over {lorenz.free.size} windows, {'; '.join(parts)}.{tail}"


def _beside(name: str, values: FloatArray, text: str) -> str:
    value = printed(text)
    middle = np.median(values)
    side = "at or below" if middle <= value.value else "above"
    return f"{name} has median {middle:.3g} and mean {values.mean():.3g}, the median {side} the {value.value:.3g} in print"


def _valid(runs: Runs) -> str:
    low, middle, high = np.quantile(runs.valid, (0.1, 0.5, 0.9))
    end = f", where runs were ended at {LONGEST:g}" if high >= LONGEST else ""
    return (
        f"{runs.case.title}: the free run stays within {THRESHOLD:g} of the attractor's size for {middle:.1f} Lyapunov "
        f"times in the median, {low:.1f} to {high:.1f} in the middle eight of ten starts{end}."
    )


def _order(orders: Orders) -> str:
    spread = orders.pseudo_inverse.max() / orders.pseudo_inverse.min()
    moved = float(np.max(np.abs(orders.ours / orders.ours[0] - 1.0)))
    return (
        f"The same {LORENZ.train} rows in {orders.ours.size} orders: the free-run NRMSE with a pseudo-inverse of the "
        f"moments, as published, differs by a factor of {spread:.1f} between them; with the solver here it moves by "
        f"{moved:.1g} of itself."
    )


def _integrator(table: pl.DataFrame) -> str:
    """The published penalty on an accurate trajectory, and the penalty that is best there."""
    accurate = table.filter(pl.col("integrator") == tuple(INTEGRATORS)[1])
    published, best = accurate.row(0, named=True), accurate.sort("valid_median").row(-1, named=True)
    crude = table.row(0, named=True)
    return (
        f"The trajectory matters as much as the map. {tuple(INTEGRATORS)[0]}, errs about as much per step as the model; "
        f"on an accurate trajectory the published penalty trains to {published['training']:.2g} instead of "
        f"{crude['training']:.2g}, yet {published['diverged']} of {published['windows']} free runs diverge within one "
        f"Lyapunov time and the median valid time is {published['valid_median']:.1f} instead of "
        f"{crude['valid_median']:.1f} Lyapunov times. The best of the penalties tried there is {best['alpha']:.2g}, "
        f"with {best['valid_median']:.1f}: the integrator's errors had served as a penalty."
    )
