"""What came out, in words made from the numbers of the run."""

import numpy as np
import polars as pl

from ngrc._types import FloatArray
from ngrc.study.dynamics import printed as paper
from ngrc.study.dynamics.integrators import ACCURATE
from ngrc.study.dynamics.order import Orders
from ngrc.study.dynamics.parts import LorenzPart, ScrollPart
from ngrc.study.dynamics.scores import median
from ngrc.study.dynamics.settings import LONGEST, LORENZ, THRESHOLD
from ngrc.study.dynamics.windows import Runs
from ngrc.study.harness.printed import printed


def findings(lorenz: LorenzPart, scroll: ScrollPart, glass: Runs) -> tuple[str, ...]:
    """One paragraph per question."""
    return (
        _errors(lorenz, scroll),
        " ".join(_valid(runs) for runs in (lorenz.runs, scroll.runs, glass)),
        _order(lorenz.orders),
        _integrator(lorenz.integrators, lorenz.integration),
    )


def _errors(lorenz: LorenzPart, scroll: ScrollPart) -> str:
    inferred = lorenz.inferred
    parts = [
        _beside("the training NRMSE of Lorenz63", lorenz.runs.training, paper.LORENZ_TRAINING),
        _beside("its free-run NRMSE over one Lyapunov time", lorenz.runs.free, paper.LORENZ_RUN),
        _beside("that of the double scroll", scroll.runs.free, paper.SCROLL_RUN),
        _beside("z inferred from x and y in training", inferred.training, paper.INFERENCE_TRAINING),
        _beside("and in the test", inferred.test, paper.INFERENCE_TEST),
    ]
    peers = " and ".join(_mean(part.peer.free) for part in (lorenz, scroll))
    same = f" The published solver has mean free-run errors of {peers} on the same windows."
    return f"Over {lorenz.runs.free.size} windows, {'; '.join(parts)}.{_tail(lorenz.runs, scroll.runs)}{same}"


def _mean(values: FloatArray) -> str:
    """A mean, or why there is none."""
    lost = int(np.sum(np.isinf(values)))
    return f"{values.mean():.3g}" if not lost else f"none ({lost} of {values.size} diverged)"


def _tail(*systems: Runs) -> str:
    """How much of a mean rests on one window."""
    shares = [float(runs.free.max() / runs.free.sum()) for runs in systems if not runs.diverged]
    if not shares:
        return ""
    return (
        f" Free-run errors have a long tail: a single one of the {systems[0].free.size} windows makes up to "
        f"{max(shares):.0%} of a sum."
    )


def _beside(name: str, values: FloatArray, text: str) -> str:
    value, middle = printed(text).value, median(values)

    def side(number: float) -> str:
        return "at or below" if number <= value else "above"

    # The print is a mean over few windows; a median lies below the mean of a long tail by itself, so both are told.
    return (
        f"{name} has mean {_mean(values)}, {side(float(values.mean()))} the {value:.3g} in print, a mean too, and median "
        f"{middle:.3g}, {side(middle)} it"
    )


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


def _integrator(table: pl.DataFrame, step: float) -> str:
    """The published penalty on an accurate trajectory, and the penalty that is best there."""
    accurate = table.filter(pl.col("integrator") == ACCURATE)
    published, best = accurate.row(0, named=True), accurate.sort("valid_median").row(-1, named=True)
    crude = table.row(0, named=True)
    told = (
        f"The published trajectory errs itself: a sample of it differs from the exact flow by an NRMSE of {step:.2g}, "
        f"where the model's training error is {crude['training']:.2g}. On an accurate trajectory the published penalty "
        f"trains to {published['training']:.2g}, {published['diverged']} of {published['windows']} free runs diverge "
        f"within one Lyapunov time, and the median valid time is {published['valid_median']:.1f} Lyapunov times, where "
        f"it was {crude['valid_median']:.1f}. The best of the penalties tried there is {best['alpha']:.2g}, with "
        f"{best['valid_median']:.1f}."
    )
    # Said only where it was seen: more penalty is needed once the integrator's errors are gone.
    if best["alpha"] > published["alpha"] and published["valid_median"] < crude["valid_median"]:
        told += " The integrator's errors had done part of the penalty's work."
    return told
