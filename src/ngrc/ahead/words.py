"""An outlook as text: what was forecast, by what, and the coming values with their intervals."""

from typing import Any

from ngrc._text import aligned, percent, shortened, text_table
from ngrc.series.outward import time_text
from ngrc.series.style import TimeStyle

# The value is that of `outlook.py`, which imports this file: its type cannot be named here.


def words(outlook: Any, style: TimeStyle) -> str:
    """The lines that printing an outlook shows; of several levels the ends of the widest."""
    level = max(outlook.levels)
    lower, upper = outlook.bands[level]
    whole = "whole path inside" if outlook.band == "path" else "each step"
    others = [f"{percent(one)} %" for one in outlook.levels if one != level]
    lines = [
        f"{outlook.forecast.size} step{'s' * (outlook.forecast.size > 1)} ahead by {type(outlook.model).__name__}",
        f"intervals of {outlook.method} at {percent(level)} %, {whole}"
        + (f"; {', '.join(others)} in .table" if others else ""),
        *(f"note: {note}" for note in outlook.notes),
    ]
    steps = [str(step) for step in range(1, outlook.forecast.size + 1)]
    columns = {"step": steps}
    if outlook.times is not None:
        columns["time"] = [str(time) for time in time_text(outlook.times, style)]
    columns |= {
        name: aligned(values)
        for name, values in (("forecast", outlook.forecast), ("lower", lower), ("upper", upper))
    }
    rows, more = shortened([list(row) for row in zip(*columns.values(), strict=True)], "outlook.table")
    lines += ["", text_table(list(columns), rows)]
    return "\n".join([*lines, more] if more else lines)
