"""Every comparison: printed means, sizes of the maps, and the order of rows."""

import numpy as np

from ngrc._types import FloatArray
from ngrc.study.dynamics import printed as paper
from ngrc.study.dynamics.order import SAME, Orders
from ngrc.study.dynamics.parts import LorenzPart, ScrollPart
from ngrc.study.dynamics.scores import median
from ngrc.study.dynamics.settings import MACKEY_GLASS
from ngrc.study.dynamics.windows import Runs
from ngrc.study.harness.compare import equal, incomparable, monte_carlo
from ngrc.study.harness.estimate import estimate
from ngrc.study.harness.printed import printed
from ngrc.study.harness.record import Cell, Check

NAME = "dynamics"
UNPRINTED = (
    f"{paper.PAPER} does not treat it; {paper.LATER} prints one number, without an error or a number of runs, for an "
    "integrator of its own"
)


def checks(lorenz: LorenzPart, scroll: ScrollPart, glass: Runs) -> tuple[Check, ...]:
    """All rows, in the order of the figures they are printed in."""
    inferred = lorenz.inferred
    return (
        _size(paper.LORENZ, lorenz.runs, paper.LORENZ_FEATURES),
        _mean(
            paper.LORENZ,
            "Lorenz63, training NRMSE",
            lorenz.runs.training,
            paper.LORENZ_TRAINING,
            lorenz.peer.training,
        ),
        _free(paper.LORENZ, lorenz, paper.LORENZ_RUN),
        _size(paper.SCROLL, scroll.runs, paper.SCROLL_FEATURES),
        _free(paper.SCROLL, scroll, paper.SCROLL_RUN),
        _mean(paper.INFERENCE, "z from x and y, training NRMSE", inferred.training, paper.INFERENCE_TRAINING),
        _mean(paper.INFERENCE, "z from x and y, test NRMSE", inferred.test, paper.INFERENCE_TEST),
        _mackey_glass(glass),
        _order(lorenz.orders),
    )


def _size(table: str, runs: Runs, features: int) -> Check:
    cell = Cell(NAME, table, f"{runs.case.title}, features")
    return equal(cell, runs.features, features, kind="printed")


def _free(table: str, part: LorenzPart | ScrollPart, text: str) -> Check:
    name = f"{part.runs.case.title}, free-run NRMSE over one Lyapunov time"
    return _mean(table, name, part.runs.free, text, part.peer.free)


def _mean(table: str, name: str, values: FloatArray, text: str, peer: FloatArray | None = None) -> Check:
    """A printed mean over ten windows against ours over many; infinite errors have no mean."""
    cell, value = Cell(NAME, table, name), printed(text)
    lost = int(np.sum(np.isinf(values)))
    if lost:
        return incomparable(cell, value.value, f"{lost} of {values.size} runs diverged and have no mean")
    below = int(np.sum(values <= value.value))
    reason = (
        f"median {median(values):.3g}; {below} of {values.size} windows at or below the print, which is a mean over "
        f"{paper.WINDOWS}"
    )
    if peer is not None:
        reason += f"; the published solver on our windows: median {median(peer):.3g}, mean {peer.mean():.3g}"
    if text in paper.UNCHECKED:
        # A verdict on a number that nobody has compared with its source would be worth nothing.
        unchecked = f"the caption was not at hand, and its number is unchecked; {reason}"
        return incomparable(cell, value.value, unchecked, float(values.mean()))
    return monte_carlo(cell, estimate(values), value, paper.WINDOWS, reason)


def _mackey_glass(runs: Runs) -> Check:
    case = MACKEY_GLASS
    cell = Cell(NAME, paper.MACKEY_GLASS, f"{case.title}, free-run NRMSE over three Lyapunov times")
    ours = median(runs.free)
    reason = f"{UNPRINTED}; ours is the median over {runs.free.size} runs"
    return incomparable(
        cell, printed(paper.MACKEY_GLASS_RUN).value, reason, ours if np.isfinite(ours) else None
    )


def _order(orders: Orders) -> Check:
    """Ridge regression does not know the order of its rows."""
    cell = Cell(NAME, "order of rows", "orders of the same rows in which our free-run NRMSE is the same")
    others = orders.pseudo_inverse
    reason = (
        f"a sum over rows; the same to {SAME:g}. With a pseudo-inverse it lies between {others.min():.3g} and "
        f"{others.max():.3g}"
    )
    return equal(cell, orders.unmoved, orders.ours.size, kind="claim", reason=reason)
