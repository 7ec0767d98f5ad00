"""The value every later room receives: finite numbers, their times, and what was done to get them."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from ngrc._types import AnyArray, BoolArray, FloatArray
from ngrc.series.gaps import carry_forward
from ngrc.series.outward import time_text
from ngrc.series.resampling import resample
from ngrc.series.stacks import check_single_axis
from ngrc.series.style import PLAIN, TimeStyle
from ngrc.series.timeline import regular_times
from ngrc.series.wording import Where, plural
from ngrc.validation import check_vector


@dataclass(frozen=True, eq=False, slots=True)
class Series:
    """One uniformly sampled scalar series without gaps.

    Parameters
    ----------
    values
        Finite numbers, shape (n,).
    times
        Times of the values, shape (n,), `datetime64` or numbers; None where none were given. Times with a zone are
        in UTC, or on the wall clock where only that is regular.
    name
        What reports call the series.
    filled
        Missing values that were carried forward.
    dropped
        Missing values before the first known one, which were dropped.
    notes
        Plain remarks on how the series was read.
    style
        How the source writes its times, for tables and files that go out.
    missing
        Which values were carried forward, shape (n,) of booleans: there the truth is not known, so that nothing can be
        scored. None where every value was observed.

    Examples
    --------
    >>> Series(np.array([1.0, 2.0]), name="demo").constant
    False
    """

    values: FloatArray
    times: AnyArray | None = None
    name: str = "series"
    filled: int = 0
    dropped: int = 0
    notes: tuple[str, ...] = ()
    style: TimeStyle = PLAIN
    missing: BoolArray | None = None

    def __post_init__(self) -> None:
        values = check_vector(self.values, "values")
        if values.size == 0:
            raise ValueError("a series needs at least one value, got none")
        if self.times is not None and np.shape(self.times) != values.shape:
            raise ValueError(
                f"times must have the values' shape {values.shape}, got {np.shape(self.times)}; give one per value"
            )
        if self.missing is not None:
            missing = np.asarray(self.missing)
            if missing.shape != values.shape or missing.dtype != np.bool_:
                raise ValueError(
                    f"missing must hold one boolean per value, shape {values.shape}, got {missing.dtype} of shape "
                    f"{missing.shape}"
                )
            object.__setattr__(self, "missing", missing if missing.any() else None)
        # The only way to set a field of a frozen dataclass: lists come in, and float64 is what every room expects.
        object.__setattr__(self, "values", values)

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> AnyArray:
        return np.array(self.values, dtype=dtype, copy=copy)

    def __len__(self) -> int:
        return int(self.values.size)

    @property
    def constant(self) -> bool:
        """Whether every value is the same."""
        return bool(np.all(self.values == self.values[0]))


def build(
    values: FloatArray,
    times: AnyArray | None,
    where: Where,
    *,
    regrid: bool,
    name: str,
    notes: tuple[str, ...],
    style: TimeStyle = PLAIN,
) -> Series:
    """Check or make the time grid, close the gaps, and note what was done.

    `values` of shape (n,) hold NaN where missing; `times` of the same length, or None.
    """
    if values.size == 0:
        raise ValueError("the series is empty; at least one value is needed")
    if times is not None and times.size != values.size:
        raise ValueError(f"{values.size} values came with {times.size} times; give one time per value")
    if times is not None:
        check_single_axis(times)
    if regrid:
        if times is None:
            raise ValueError("resampling needs times; name the time column with time= (--time)")
        times, values, remarks = resample(times, values, lambda some: time_text(some, style))
        notes += remarks
    elif times is not None:
        times, remarks = regular_times(times, where)
        notes += remarks
    # After the grid, so that its empty points are carried forward like any other missing value.
    return complete(values, times, name=name, notes=notes, style=style)


def complete(
    values: FloatArray,
    times: AnyArray | None,
    *,
    name: str,
    notes: tuple[str, ...] = (),
    style: TimeStyle = PLAIN,
) -> Series:
    """Close the gaps of values at regular times, or at none, and note what was done; parameters as of `build`."""
    whole, filled, dropped = carry_forward(values)
    if filled:
        # Missing values at the very end: forecasts start from them, so that they are worth a word of their own.
        tail = int(np.argmax(~np.isnan(values[::-1])))
        ending = f", {tail} of them at the end, where the truth is not known" if tail else ""
        notes += (f"{plural(filled, 'missing value')} carried forward{ending}",)
    if dropped:
        notes += (f"{plural(dropped, 'leading missing value')} dropped",)
    if np.all(whole == whole[0]):
        notes += (f"constant series: every value is {whole[0]:g}; its intervals have width zero",)
    clock = None if times is None else times[dropped:]
    missing = np.isnan(values)[dropped:] if filled else None
    return Series(whole, clock, name, filled, dropped, notes, style, missing)
