"""What a look ahead returns."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol

import numpy as np

from ngrc._frames import Frame, columns_in, is_pandas
from ngrc._text import percent
from ngrc._types import AnyArray, FloatArray
from ngrc.ahead.calibrated import Band, Calibrated, Ends
from ngrc.ahead.drawing import draw
from ngrc.ahead.paths import Paths
from ngrc.ahead.words import words
from ngrc.intervals.base import IntervalMethod
from ngrc.series import Series
from ngrc.series.outward import time_column
from ngrc.series.style import PLAIN, TimeStyle
from ngrc.series.wording import plural
from ngrc.validation import check_count, check_probabilities


class Continues(Protocol):
    """A fitted model with the residuals that calibrate it, to go on from with newer rows: `Continuation`."""

    def look_ahead(
        self,
        series: Any,
        *,
        exog: Any = None,
        steps: int | None = None,
        level: float | Sequence[float] = 0.95,
        band: Band = "pointwise",
    ) -> "Outlook":
        """The coming values after the newest row of a series, without a fit."""

    def save(self, path: str | Path) -> None:
        """Keep it in a file."""


class Onwards(Protocol):
    """What an outlook rests on."""

    @property
    def series(self) -> Series:
        """The series that was forecast."""

    def continuation(self) -> Continues:
        """Everything that newer rows need."""

    def outlook(
        self,
        like: Frame,
        method: str | IntervalMethod,
        levels: Sequence[float],
        band: Band,
        steps: int,
        seed: int,
    ) -> "Outlook":
        """The same forecasts with the intervals of another method, tables in the library of `like`."""


@dataclass(frozen=True, slots=True)
class Outlook:
    """Forecasts of the steps after the last observation, with intervals, all in the series' units.

    `level`, `lower` and `upper` are those of the first level in the order given, `bands` holds all of them. `selected`
    holds, for every step, what was chosen: the ridge penalty and the method's parameters, and of a step with too few
    residuals of its own the nearer one whose it borrows, `residuals_of_step`. `refits` is the number of fits after the
    first. `times` are plain numpy times, in UTC where the series has a zone; the table has them as the series came.
    """

    level: float
    method: str
    times: AnyArray | None = field(repr=False)
    forecast: FloatArray
    lower: FloatArray
    upper: FloatArray
    selected: tuple[Mapping[str, Any], ...] = field(repr=False)
    guarantee: str = field(repr=False)
    levels: tuple[float, ...]
    band: Band
    """"pointwise": each step is held with the level's probability; "path": all of them together are."""
    bands: Mapping[float, tuple[FloatArray, FloatArray]] = field(repr=False)
    """Lower and upper ends by level."""
    factors: Mapping[float, float] = field(repr=False)
    """By level, how many times wider than the pointwise one the band is; 1 of a pointwise one."""
    notes: tuple[str, ...] = ()
    """What is worth knowing: of the series (columns taken, values filled) and of the bands."""
    refits: int = 0
    model: Any = field(default=None, repr=False)
    """The fitted model of the last end, which made the forecasts."""
    _calibrated: Calibrated | None = field(default=None, repr=False, compare=False)
    _onward: Onwards | None = field(default=None, repr=False, compare=False)
    _style: TimeStyle = field(default=PLAIN, repr=False, compare=False)
    _pandas: bool = field(default=False, repr=False, compare=False)

    def __repr__(self) -> str:
        return words(self, self._style)

    @property
    def table(self) -> Frame:
        """One row per step: step, time (where the series has times), forecast, lower and upper.

        Of several levels lower_80, upper_80 and so on. It is in the library that the series came in, and made anew
        whenever it is asked for: a panel of many series never asks, and a frame takes as long as several fits.
        """
        columns: dict[str, Any] = {"step": np.arange(1, self.forecast.size + 1)}
        if self.times is not None:
            columns["time"] = time_column(self.times, self._style, self._pandas)
        columns["forecast"] = self.forecast
        for level, (lower, upper) in self.bands.items():
            suffix = "" if len(self.bands) == 1 else f"_{percent(level)}"
            columns |= {f"lower{suffix}": lower, f"upper{suffix}": upper}
        return columns_in(columns, self._pandas)

    def quantiles(self, probabilities: Iterable[float]) -> Frame:
        """Quantiles of every step's law, in the library that the series came in.

        A probability p below one half is the lower end of the pointwise level 1 - 2p, one above it the upper end of
        2p - 1, and one half the centre of a level of next to zero. Each is computed alone, by another pass over the
        residuals, and does not depend on which others are asked for, unless two of them cross: those are exchanged, and
        the median is moved between its neighbours.

        Parameters
        ----------
        probabilities
            Rising, in (0, 1).

        Returns
        -------
        Frame
            One row per step and one column per probability: q10 of 0.1, q97.5 of 0.975.

        Examples
        --------
        >>> from ngrc import NGRC, look_ahead
        >>> outlook = look_ahead(np.sin(np.arange(200.0)), NGRC(lags=2), steps=3, method="split")
        >>> outlook.quantiles([0.1, 0.5, 0.9]).columns
        ['q10', 'q50', 'q90']
        """
        checked = check_probabilities(probabilities)
        values = self._kept.quantiles(checked)
        columns = zip(checked, values.T, strict=True)
        return columns_in({f"q{percent(p)}": np.array(column) for p, column in columns}, self._pandas)

    def samples(self, count: int, *, seed: int = 0) -> FloatArray:
        """Whole paths, drawn: each step by its own law, and the steps together as past errors were.

        Past residual paths are drawn with replacement, each residual becomes its rank among those of its step, and
        each rank the quantile of that rank (a Schaake shuffle); where the interval is Student's, the quantile of a
        normal law with the scale of the step's past residuals.

        Parameters
        ----------
        count
            How many.
        seed
            Of the draw.

        Returns
        -------
        FloatArray
            Shape (count, steps), in the series' units.

        Examples
        --------
        >>> from ngrc import NGRC, look_ahead
        >>> outlook = look_ahead(np.sin(np.arange(200.0)), NGRC(lags=2), steps=3, method="split")
        >>> outlook.samples(1000).shape
        (1000, 3)
        """
        return self._kept.samples(check_count(count, "count"), check_count(seed, "seed", 0))

    def continuation(self) -> Continues:
        """The last fit with the residuals that calibrate it, to forecast newer rows without a fit, or to be saved.

        Examples
        --------
        >>> from ngrc import NGRC, look_ahead
        >>> wave = np.sin(np.arange(220.0))
        >>> kept = look_ahead(wave[:200], NGRC(lags=2), steps=3, method="split").continuation()
        >>> kept.look_ahead(wave).forecast.shape
        (3,)
        """
        if self._onward is None:
            raise ValueError("this outlook holds no model to go on from; take one that look_ahead returned")
        return self._onward.continuation()

    def with_method(self, method: str | IntervalMethod, *, seed: int = 0) -> "Outlook":
        """The same forecasts with the intervals of another method, from the same residuals and without a fit.

        Parameters
        ----------
        method
            A name or an interval method.
        seed
            Of the ResCP reservoir where the method is given by name.

        Examples
        --------
        >>> from ngrc import NGRC, look_ahead
        >>> outlook = look_ahead(np.sin(np.arange(200.0)), NGRC(lags=2), steps=3, method="split")
        >>> other = outlook.with_method("adaptive")
        >>> other.method, bool(np.all(other.forecast == outlook.forecast))
        ('adaptive', True)
        """
        if self._onward is None:
            raise ValueError(
                "this outlook holds no residuals to calibrate on; take one that look_ahead returned"
            )
        count = self.forecast.size
        return self._onward.outlook(
            self.table, method, self.levels, self.band, count, check_count(seed, "seed", 0)
        )

    def plot(self, *, past: int | None = None, ax: Any = None) -> Any:
        """Draw the forecast with the intervals of all levels after the last observations, and return the axes.

        Parameters
        ----------
        past
            How many observations are shown before it; three per step where None, and 48 at least.
        ax
            Axes of matplotlib to draw into; new ones where None.

        Examples
        --------
        >>> from ngrc import NGRC, look_ahead
        >>> outlook = look_ahead(np.sin(np.arange(200.0)), NGRC(lags=2), steps=3, method="split")
        >>> outlook.plot().get_title(loc="left")
        'series: 3 steps ahead, split'
        """
        count = None if past is None else check_count(past, "past", 0)
        return draw(self, None if self._onward is None else self._onward.series, count, ax)

    @property
    def _kept(self) -> Calibrated:
        if self._calibrated is None:
            raise ValueError(
                "this outlook holds no residuals to draw from; take one that look_ahead returned"
            )
        return self._calibrated


def outlook_of(
    source: Any,
    series: Series,
    times: AnyArray | None,
    calibrated: Calibrated,
    levels: Sequence[float],
    band: Band,
    paths: Paths,
    onward: Onwards | None = None,
) -> Outlook:
    """The outlook of one series, its table in the library that the source came in."""
    ends = calibrated.ends(levels, band)
    first = ends[0]
    return Outlook(
        level=first.level,
        method=first.tuned[0][0].name,
        times=times,
        forecast=calibrated.forecast,
        lower=first.lower,
        upper=first.upper,
        selected=tuple(
            step.selected(*tuned) for step, tuned in zip(calibrated.steps, first.tuned, strict=True)
        ),
        guarantee=first.tuned[0][0].guarantee if band == "pointwise" else PATH_GUARANTEE,
        levels=tuple(levels),
        band=band,
        bands={one.level: (one.lower, one.upper) for one in ends},
        factors={one.level: one.factor for one in ends},
        notes=(
            *series.notes,
            *_notes(ends, len(calibrated.paths), len(calibrated.steps)),
            *_without_width(ends),
        ),
        refits=paths.refits,
        model=paths.model,
        _calibrated=calibrated,
        _onward=onward,
        _style=series.style,
        _pandas=is_pandas(source),
    )


PATH_GUARANTEE = (
    "The whole path is inside with about the level's probability if the series is stationary: paths from neighbouring "
    "origins overlap, so that m of them count as m / H, and the band is widened for so few; where that is too few for "
    "the level, a note says so. No finite-sample guarantee."
)


def _notes(ends: Sequence[Ends], paths: int, steps: int) -> tuple[str, ...]:
    """What is worth knowing about the bands."""
    return tuple(
        f"too few past paths for a band of level {one.level:g}: {paths} paths of {plural(steps, 'step')} overlap and "
        f"count as {paths / steps:.2g}; the band is that of the widest, and holds the coming one with a probability "
        f"of at least about {paths / (paths + steps):.2g}"
        for one in ends
        if not one.enough
    )


def _without_width(ends: Sequence[Ends]) -> tuple[str, ...]:
    """Levels at which an interval is a single value, and why."""
    return tuple(
        f"at level {one.level:g} the interval of {plural(count, 'step')} has no width: that share of the past errors "
        "is zero"
        for one in ends
        if (count := int(np.sum(one.lower == one.upper)))
    )
