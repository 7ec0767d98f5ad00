"""Running one-step readouts on their own forecasts."""

from collections.abc import Sequence
from typing import NamedTuple, Protocol

import numpy as np

from ngrc._kernels.models import free_run_iterate
from ngrc._types import FloatArray, IntArray
from ngrc.features.inputs import Inputs
from ngrc.features.map import FeatureMap
from ngrc.features.means import memory_gain
from ngrc.features.target import LEVEL, Goal
from ngrc.readout.program import Program


class Weighted(Protocol):
    """Weights of the raw columns."""

    @property
    def intercept(self) -> float:
        """The constant."""

    @property
    def coefficients(self) -> FloatArray:
        """Shape (p - 1,)."""


class Products(NamedTuple):
    """The P columns that multiply values of the run, as the kernel reads them.

    Parameters
    ----------
    slots
        The channel of every value that is read, and how many steps before the origin, shape (S, 2).
    factors
        Slots that a column multiplies, shape (P, degree); S stands for one.
    multipliers
        The drive that they are multiplied with, shape (P,).
    drives
        What is known of all steps, shape (drives, steps).
    weights
        Shape (channels, P).
    """

    slots: IntArray
    factors: IntArray
    multipliers: IntArray
    drives: FloatArray
    weights: FloatArray


class Memories(NamedTuple):
    """The M exponential memories of channels, as the kernel reads them; `values` moves on with the run.

    Parameters
    ----------
    gains, channels, values
        Shape (M,) each.
    weights
        Shape (channels, M).
    """

    gains: FloatArray
    channels: IntArray
    values: FloatArray
    weights: FloatArray


def free_run(
    feature_map: FeatureMap,
    inputs: Inputs,
    x: FloatArray,
    readouts: Sequence[Weighted],
    steps: int,
    goal: Goal = LEVEL,
    limits: Sequence[tuple[float, float]] | None = None,
    bounds: Sequence[tuple[float, float]] | None = None,
) -> FloatArray:
    """Iterate x[t+1] = w'r(x[t], x[t-s], ...) for `steps` values after the last of `x`, one readout per channel.

    Parameters
    ----------
    feature_map
        The columns of the one-step readouts.
    inputs
        The history as columns read it.
    x
        Standardised history, shape (n, channels), in the order of the inputs' channels; not clipped.
    readouts
        One per channel.
    steps
        How many values to produce.
    goal
        What the readouts forecast: a level, or an increment.
    limits
        Lowest and highest input of every channel; none by default.
    bounds
        Lowest and highest forecast of every channel; none by default.

    Returns
    -------
    FloatArray
        Shape (steps, channels); NaN from the first value on that is not finite.

    Examples
    --------
    >>> from types import SimpleNamespace
    >>> from ngrc.features import Delays
    >>> x = np.array([8.0])
    >>> halving = SimpleNamespace(intercept=0.0, coefficients=np.array([0.5]))
    >>> free_run(FeatureMap((Delays(1),)), Inputs({"x": x}), x[:, None], [halving], 3)[:, 0]
    array([4., 2., 1.])
    """
    program = Program.of(feature_map, inputs, steps)
    names = list(inputs.channels)
    size, channels = x.shape
    weights = np.stack([readout.coefficients for readout in readouts])
    drives = np.stack(program.drives)
    drive = np.repeat([[readout.intercept] for readout in readouts], steps, axis=1)
    for position, number in program.driven:
        drive += np.outer(weights[:, position], drives[number])
    reach = max(max((step for _, step in program.slots), default=0), goal.reach(1))
    # What the run reads of the past, then room for what it writes: as inputs, and as levels.
    read = np.full((channels, reach + 1 + steps), np.nan)
    read[:, : reach + 1] = [inputs.channel(name)[size - reach - 1 :] for name in names]
    level = np.full_like(read, np.nan)
    level[:, : reach + 1] = x[size - reach - 1 :].T
    places = [place for place, _, _ in program.memories]
    products = Products(
        np.array([(names.index(name), step) for name, step in program.slots], dtype=np.int64).reshape(-1, 2),
        program.factor_table(),
        np.array(program.multipliers, dtype=np.int64),
        drives,
        weights[:, program.products],
    )
    memories = Memories(
        np.array([memory_gain(half_life) for _, _, half_life in program.memories]),
        np.array([names.index(name) for _, name, _ in program.memories], dtype=np.int64),
        np.array([inputs.memory(name, half_life)[-1] for _, name, half_life in program.memories]),
        weights[:, places],
    )
    unlimited = [(-np.inf, np.inf)] * channels
    free_run_iterate(
        read,
        level,
        drive,
        products,
        memories,
        _step(goal),
        np.array(unlimited if limits is None else limits),
        np.array(unlimited if bounds is None else bounds),
    )
    return np.ascontiguousarray(level[:, reach + 1 :].T)


def _step(goal: Goal) -> int:
    """Steps before the target at which the one value lies that is its base; 0 where it is the level itself."""
    parts = goal.parts(1)
    if len(parts) > 1 or any(weight != 1.0 for weight, _ in parts):
        raise ValueError(
            "a free run needs a target that is the level or a plain difference; fit with target='level', 'increment' "
            "or 'seasonal'"
        )
    return parts[0][1] if parts else 0
