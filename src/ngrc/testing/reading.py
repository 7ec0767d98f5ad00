"""Numbers out of whatever a callable returns: arrays, mappings and tuples of them, results of a backtest."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from ngrc._types import FloatArray, IntArray
from ngrc.testing.output import Output

ATTRIBUTES = ("mean", "median", "forecast", "forecasts", "lower", "upper")
"""Looked for in a result that is neither array nor collection."""


def numbers(result: Any, name: str = "the result") -> Iterator[tuple[str, FloatArray]]:
    """Arrays with names.

    Examples
    --------
    >>> [(name, values.shape) for name, values in numbers({"lower": [1.0], "upper": {0.9: [2.0, 3.0]}})]
    [('lower', (1,)), ('upper[0.9]', (2,))]
    """
    if isinstance(result, Mapping):
        for key, value in result.items():
            yield from numbers(value, str(key) if name == "the result" else f"{name}[{key}]")
    elif _numeric(result):
        yield name, np.asarray(result, dtype=np.float64)
    elif isinstance(result, Sequence) and not isinstance(result, str):
        for place, value in enumerate(result):
            yield from numbers(value, f"{name}[{place}]")
    else:
        present = [key for key in ATTRIBUTES if hasattr(result, key) and not callable(getattr(result, key))]
        if not present:
            raise ValueError(
                f"no numbers in {type(result).__name__}: return an array, a mapping or a tuple of arrays, or an object "
                f"with {', '.join(ATTRIBUTES)}"
            )
        for key in present:
            yield from numbers(getattr(result, key), key if name == "the result" else f"{name}.{key}")


def _numeric(result: Any) -> bool:
    # A tuple of arrays is several answers, not one with an axis more.
    if isinstance(result, Sequence) and any(np.ndim(part) for part in result):
        return False
    return np.asarray(result).dtype.kind in "iuf"


def is_backtest(result: Any) -> bool:
    """Whether it holds runs of forecasts with bands around them, as `backtest` returns."""
    runs = getattr(result, "runs", ())
    return bool(runs) and all(hasattr(run, part) for run in runs for part in ("forecasts", "bands", "blocks"))


def backtest_outputs(result: Any) -> list[Output]:
    """Forecasts of every run by target time, and the ends of every band over its test block."""
    found = []
    for place, run in enumerate(result.runs):
        horizon, forecasts = int(run.blocks.horizon), np.asarray(run.forecasts, dtype=np.float64)
        word = f" of run {place}" if len(result.runs) > 1 else ""
        # Targets of the first fit are forecast by it too, in the sample.
        fitted = int(run.blocks.fit.stop) - 1
        found.append(Output(f"forecasts{word}", np.arange(forecasts.size), forecasts, horizon, fitted))
        for band in run.bands:
            times = run.blocks.test.start + np.arange(band.lower.size)
            for end in ("lower", "upper"):
                name = f"{end} end of {band.method} at {band.level:g}{word}"
                found.append(Output(name, times, np.asarray(getattr(band, end)), horizon))
    return found


def aligned(result: Any, size: int) -> bool:
    """Whether every array has one row per observation."""
    return all(values.ndim > 0 and values.shape[0] == size for _, values in numbers(result))


def aligned_outputs(result: Any, size: int, delay: int | IntArray) -> list[Output]:
    """Arrays of one row per observation, row t reading through t - delay."""
    return [Output(name, np.arange(size), values, delay) for name, values in numbers(result)]


def stacked_outputs(results: Sequence[Any], origins: Sequence[int]) -> list[Output]:
    """What was said at one origin after another, by origin."""
    said: dict[str, list[FloatArray]] = {}
    for result in results:
        for name, values in numbers(result):
            said.setdefault(name, []).append(values)
    for name, parts in said.items():
        shapes = {one.shape for one in parts}
        if len(parts) != len(results) or len(shapes) > 1:
            raise ValueError(
                f"{name} must be there at every origin and of one shape, got {', '.join(map(str, sorted(shapes)))}; "
                "return one row per observation, or a forecast of one length"
            )
    return [Output(name, np.asarray(origins), np.stack(values)) for name, values in said.items()]
