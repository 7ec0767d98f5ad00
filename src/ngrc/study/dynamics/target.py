"""NGRC's home: published results on chaotic systems, and how long free runs last."""

from collections.abc import Callable
from functools import partial
from typing import Any

from ngrc.study.dynamics import printed as paper
from ngrc.study.dynamics.checks import NAME, UNPRINTED, checks
from ngrc.study.dynamics.figure import portrait_figure, validity_figure
from ngrc.study.dynamics.findings import findings
from ngrc.study.dynamics.parts import (
    LorenzPart,
    ScrollPart,
    lorenz_part,
    mackey_glass_portrait,
    scroll_part,
)
from ngrc.study.dynamics.settings import LONGEST, LORENZ, MACKEY_GLASS, REPS, THRESHOLD
from ngrc.study.dynamics.tables import error_table, order_table, valid_table
from ngrc.study.dynamics.windows import Runs, drawn_window
from ngrc.study.harness.figure import draw
from ngrc.study.harness.processes import each
from ngrc.study.harness.replicate import replicate
from ngrc.study.harness.target import Outcome, Settings, Target

CAPTIONS = {
    "portraits": "True trajectories above, below them free runs of the model of the first window, on the same axes; a "
    "run begins where its window ends and is fed nothing but its own forecasts.",
    "validity": f"Left: distance of the free run from the truth over the size of the attractor, the dotted line at "
    f"{THRESHOLD:g}. Middle: share of starts whose run has not crossed it. Right: z of the first window's test.",
    "errors": "Normalised root mean square errors. Free runs are scored over one Lyapunov time, of Mackey-Glass over "
    "three, their start included, as published. Lorenz63 is divided by the one variance of all its numbers, the "
    "others by the sum of the channels' variances, as in the published code; z by its own. Beside ours stand the "
    "print, and the median and mean of the published solver, a pseudo-inverse, on the same windows.",
    "valid_times": f"Lyapunov times for which a free run stays within {THRESHOLD:g} of the attractor's size, by "
    f"start; runs end at {LONGEST:g}. Every start has a model of its own.",
    "row_order": "The free-run NRMSE of the first window of Lorenz63, its rows in many orders.",
    "integrators": "Lorenz63 by the published integrator and by an accurate one, at the published penalty and larger "
    "ones; diverged are free runs that leave every bound within one Lyapunov time.",
}  # fmt: skip


def run(settings: Settings) -> Outcome:
    """Fit and run on from every window, infer z, shuffle rows, and change the integrator."""
    reps = settings.replications(REPS, quick=paper.WINDOWS)
    lorenz, scroll = _parts(reps, settings)
    runs = replicate(drawn_window, reps, name=NAME, seed=settings.seed, jobs=settings.jobs)
    glass = Runs.of(MACKEY_GLASS, runs)
    portraits = (lorenz.portrait, scroll.portrait, mackey_glass_portrait(settings.seed))
    systems = (lorenz.runs, scroll.runs, glass)
    return Outcome(
        tables={
            "errors": error_table(lorenz, scroll, glass),
            "valid_times": valid_table(*systems),
            "row_order": order_table(lorenz.orders),
            "integrators": lorenz.integrators,
        },
        figures={
            "portraits": draw(partial(portrait_figure, portraits)),
            "validity": draw(partial(validity_figure, systems, lorenz.inferred)),
        },
        checks=checks(lorenz, scroll, glass),
        captions=CAPTIONS,
        findings=findings(lorenz, scroll, glass),
        notes=_notes(reps, settings),
    )


def _parts(reps: int, settings: Settings) -> tuple[LorenzPart, ScrollPart]:
    """The two systems with one long trajectory each, in processes of their own where there are several."""
    calls: list[Callable[[], Any]] = [partial(lorenz_part, reps, settings.seed), partial(scroll_part, reps)]
    lorenz, scroll = each(calls, settings.jobs, batch=1)
    return lorenz, scroll


def _notes(reps: int, settings: Settings) -> tuple[str, ...]:
    return (
        f"{reps} windows (published: {paper.WINDOWS}), one after another on one trajectory of each system; "
        f"Mackey-Glass: {reps} paths from constant pasts drawn with seed {settings.seed}. Every window has a model of "
        "its own. A quick run takes as many as were published.",
        f"Print is that of {paper.PAPER}, captions of Figs. 2 to 4; settings are those of its published code. "
        "Of the errors, that of training on Lorenz63 alone is judged: the captions were not at hand, and the others "
        "were written down from memory. "
        f"Mackey-Glass: {UNPRINTED}; settings are those of its code.",
        "After some thirty Lyapunov times a trajectory depends on the last bits of a processor's arithmetic, so that "
        "the later windows are not those of the print, and its digits cannot return.",
        "The published penalty alpha is of the sum of squares; here it is alpha over the rows of a window, with raw "
        "columns and nothing standardised.",
    )


TARGET = Target(
    NAME,
    "NGRC's home: Lorenz63, double scroll and Mackey-Glass by free run",
    "Can the model be fed its own forecasts? Three chaotic systems with the settings under which NGRC was "
    f"published: {LORENZ.train} rows of Lorenz63 and of the double scroll with two delays per channel and products of "
    f"degree two or three, {MACKEY_GLASS.train} rows of Mackey-Glass with six delays and products up to degree three; "
    "and the third coordinate of Lorenz63 inferred from the other two. Asked is how large the errors are beside their "
    "print, for how many Lyapunov times a free run stays with the truth, over many starts, what the order of the rows "
    "does to a solver, and what the published errors owe to the integrator.",
    run,
    paper=paper.PAPER,
)
