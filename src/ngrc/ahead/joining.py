"""Newer rows joined to a series that was kept: the same times and values where both have any, and no gap between."""

from dataclasses import dataclass

import numpy as np

from ngrc._types import AnyArray, BoolArray, FloatArray
from ngrc.forecasters.beside import Beside
from ngrc.series import Series
from ngrc.series.agreement import check_same_times, extended
from ngrc.series.channels import Channels
from ngrc.series.wording import array_row, shown_time

REMEDY = "give the same series with newer rows, or fit anew"


@dataclass(frozen=True, slots=True, eq=False)
class Joined:
    """Kept and newer rows together.

    Parameters
    ----------
    values, times
        Of all rows from the first kept one on.
    before
        Kept rows before the first that was given.
    cut
        Rows that were given from before the first kept one, and are left out.
    """

    values: FloatArray
    times: AnyArray | None
    before: int
    cut: int

    def missing(self, kept: BoolArray | None, given: BoolArray | None) -> BoolArray | None:
        """Which of all rows were carried forward: of the kept ones as it was then."""
        if kept is None and given is None:
            return None
        whole = np.zeros(len(self.values), dtype=np.bool_)
        if given is not None:
            whole[self.before :] = given[self.cut :]
        if kept is not None:
            whole[: kept.size] = kept
        return whole

    def beside(self, kept: FloatArray | None, given: Beside, ahead: int) -> Beside:
        """What stands beside all rows: kept columns up to the first row that was given, then those given."""
        channels, times = given.channels, given.times
        if channels is not None:
            assert kept is not None
            rows = np.concatenate([kept[: self.before], channels.values[self.cut :]])
            channels = Channels(channels.names, rows)
        if times is not None:
            assert self.times is not None
            times = extended(self.times, len(self.values) + ahead)
        return Beside(channels, given.exog, given.known, times)


def join(values: FloatArray, times: AnyArray | None, newer: Series) -> Joined:
    """Join a series to the kept values and times; `ValueError` where it does not continue them.

    With times it may begin anywhere, up to the step after the last kept row; without, at the first kept row.
    """
    before, cut = _places(times, newer)
    given, size = newer.values[cut:], values.size
    line = None
    if times is not None:
        assert newer.times is not None
        line = np.concatenate([times[:before], newer.times[cut:]])
        _check_times(times, line)
    if before + given.size < size:
        where = "" if line is None or not line.size else f" at {shown_time(line[-1])}"
        raise ValueError(
            f"the series ends{where} before the kept one does, after {before + given.size} of its {size} rows; {REMEDY}"
        )
    wrong = np.flatnonzero(values[before:] != given[: size - before])
    if wrong.size:
        row = before + int(wrong[0])
        place = array_row(row) if line is None else f"time {shown_time(line[row])}"
        hint = (
            "" if line is not None else " (without times all rows are to be given again, from the first on)"
        )
        raise ValueError(
            f"the series does not continue the kept one: {place} was {float(values[row])!r}, and is "
            f"{float(given[row - before])!r}{hint}; {REMEDY}"
        )
    return Joined(np.concatenate([values[:before], given]), line, before, cut)


def _places(times: AnyArray | None, newer: Series) -> tuple[int, int]:
    """How many kept rows stand before the first given one, and how many given ones before the first kept one."""
    if (times is None) != (newer.times is None):
        has = (
            "has times, and the kept one has none" if times is None else "has no times, and the kept one has"
        )
        raise ValueError(f"the series {has}; give both alike")
    if times is None or newer.times is None:
        return 0, 0
    if (times.dtype.kind == "M") != (newer.times.dtype.kind == "M"):
        raise ValueError(
            "of the series and the kept one, one has dates and the other numbers; give both alike"
        )
    return int(np.searchsorted(times, newer.times[0])), int(np.searchsorted(newer.times, times[0]))


def _check_times(kept: AnyArray, line: AnyArray) -> None:
    """Refuse another spacing, another phase and a gap: all of them miss the kept grid, carried on."""
    try:
        check_same_times(kept, line, ("the kept one, carried on,", "the given one"))
    except ValueError as error:
        raise ValueError(f"the series does not continue the kept one: {error}, without a gap") from None
