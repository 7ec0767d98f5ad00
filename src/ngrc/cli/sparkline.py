"""A series' end and its forecast with the band, in three lines of a terminal."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from ngrc._types import FloatArray

BLOCKS = "▁▂▃▄▅▆▇█"
PLAIN = "_.,-~=+#"
"""For terminals that know no blocks: eight heights as well."""


def sparkline(values: FloatArray, low: float, high: float, marks: str = BLOCKS) -> str:
    """One mark per value, its height between `low` and `high`; a blank where there is none.

    Examples
    --------
    >>> sparkline(np.array([0.0, 0.5, 1.0, np.nan]), 0.0, 1.0)
    '▁▅█ '
    """
    span, known = high - low, np.isfinite(values)
    shares = np.full(values.size, 0.5)
    if span > 0.0:
        shares[known] = (values[known] - low) / span
    steps = np.clip(shares * len(marks), 0, len(marks) - 1).astype(int)
    return "".join(marks[step] if there else " " for step, there in zip(steps, known, strict=True))


class Fan(NamedTuple):
    """Lines of a terminal, and the values that its lowest and highest marks stand for."""

    lines: tuple[str, ...]
    low: float
    high: float


def fan(
    past: FloatArray,
    forecast: FloatArray,
    lower: FloatArray,
    upper: FloatArray,
    width: int,
    marks: str = BLOCKS,
) -> Fan:
    """Upper end, series with its forecast, and lower end, on one scale; the forecast begins after a bar.

    Parameters
    ----------
    past
        The series; as much of its end is drawn as there is room for.
    forecast, lower, upper
        Of the coming steps; as many as fit into half the room.
    width
        Characters per line.

    Examples
    --------
    >>> fan(np.array([0.0, 7.0]), np.array([4.0]), np.array([2.0]), np.array([6.0]), 16)
    Fan(lines=('upper    ▇', 'series ▁█|▅', 'lower    ▃'), low=0.0, high=7.0)
    """
    labels = ("upper", "series", "lower")
    room = max(width - len("series ") - 1, 2)
    coming = slice(0, min(forecast.size, max(room // 2, 1)))
    seen = past[-(room - forecast[coming].size) :]
    parts = [seen, forecast[coming], lower[coming], upper[coming]]
    everything = np.concatenate([part[np.isfinite(part)] for part in parts])
    low, high = float(np.min(everything)), float(np.max(everything))
    blank = " " * (seen.size + 1)
    bodies = (
        blank + sparkline(upper[coming], low, high, marks),
        f"{sparkline(seen, low, high, marks)}|{sparkline(forecast[coming], low, high, marks)}",
        blank + sparkline(lower[coming], low, high, marks),
    )
    lines = tuple(f"{label:<6} {body}".rstrip() for label, body in zip(labels, bodies, strict=True))
    return Fan(lines, low, high)


def marks_of(encoding: str | None) -> str:
    """Blocks where an output can write them."""
    try:
        BLOCKS.encode(encoding or "ascii")
    except (UnicodeEncodeError, LookupError):
        return PLAIN
    return BLOCKS


def drawn(lines: Sequence[str], low: str, high: str) -> list[str]:
    """The lines with the scale below them."""
    return [*lines, f"       from {low} to {high}"]
