"""What every system gives: each part is one call, which another process may take."""

from dataclasses import dataclass

import numpy as np
import polars as pl

from ngrc._types import FloatArray
from ngrc.study.dynamics.inference import EVERY, Inferred, inferred
from ngrc.study.dynamics.integrators import integration_error, integrator_table
from ngrc.study.dynamics.models import continued
from ngrc.study.dynamics.order import ORDERS, Orders, row_orders
from ngrc.study.dynamics.published import Peer, published_errors
from ngrc.study.dynamics.scores import pooled_variance, total_variance
from ngrc.study.dynamics.settings import INFERENCE, LORENZ, MACKEY_GLASS, SCROLL, Case
from ngrc.study.dynamics.trajectories import drawn_mackey_glass, published_lorenz, published_scroll
from ngrc.study.dynamics.windows import Runs, fitted, over_windows


@dataclass(frozen=True, slots=True)
class Portrait:
    """A system's path and the free run that set out from its first window, shapes (n, channels)."""

    case: Case
    truth: FloatArray
    run: FloatArray


@dataclass(frozen=True, slots=True)
class LorenzPart:
    """All that is asked of Lorenz63: free runs, z from x and y, orders of rows, other integrators and penalties."""

    runs: Runs
    peer: Peer
    portrait: Portrait
    inferred: Inferred
    orders: Orders
    integrators: pl.DataFrame
    integration: float


@dataclass(frozen=True, slots=True)
class ScrollPart:
    """Free runs of the double scroll."""

    runs: Runs
    peer: Peer
    portrait: Portrait


def lorenz_part(windows: int, seed: int) -> LorenzPart:
    """Every experiment on the one published trajectory."""
    # Forecasts and inference share it: the samples of the latter are every second of the former.
    path = published_lorenz(max(LORENZ.length(windows), EVERY * INFERENCE.length(windows)))
    return LorenzPart(
        runs=over_windows(LORENZ, path, windows),
        peer=published_errors(LORENZ, path, windows, pooled_variance(path)),
        portrait=portrait(LORENZ, path),
        inferred=inferred(path, windows),
        orders=row_orders(path, ORDERS, np.random.default_rng(seed)),
        integrators=integrator_table(path, windows),
        integration=integration_error(path),
    )


def scroll_part(windows: int) -> ScrollPart:
    """Free runs from windows of the one published trajectory."""
    path = published_scroll(SCROLL.length(windows))
    return ScrollPart(
        runs=over_windows(SCROLL, path, windows),
        peer=published_errors(SCROLL, path, windows, total_variance(path)),
        portrait=portrait(SCROLL, path),
    )


def mackey_glass_portrait(seed: int) -> Portrait:
    """One path of Mackey-Glass and its free run."""
    return portrait(MACKEY_GLASS, drawn_mackey_glass(MACKEY_GLASS.length(1), np.random.default_rng(seed)))


def portrait(case: Case, states: FloatArray) -> Portrait:
    """The first window's free run as long as the published portrait, and the truth beside it."""
    stop, steps = case.warm + case.train, round(case.shown / case.spacing)
    model, _ = fitted(case, states, case.warm, 1.0)
    run = continued(model, states[stop - case.reach - 1 : stop], steps)
    return Portrait(case, states[stop : stop + steps], run)
