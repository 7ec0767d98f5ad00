"""What `around` returns: one band per level, as plain frozen values."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from ngrc._frames import Frame
from ngrc._text import aligned, percent, text_table
from ngrc._types import FloatArray
from ngrc.features.bounds import Bounds
from ngrc.intervals.distribution import Distribution
from ngrc.validation import check_level


@dataclass(frozen=True, slots=True)
class ExternalBand:
    """The intervals of one level, and how they scored where the outcome is known.

    Parameters
    ----------
    level
        Nominal coverage.
    lower, upper
        Ends in the units of the outcomes, one pair per row with an interval.
    coverage, width, winkler
        Over the scored rows, NaN where there are none; the width is of all rows with an interval.
    infinite
        How many intervals are unbounded, for want of calibration rows.
    selected
        What the method chose for this level on the calibration rows.
    """

    level: float
    lower: FloatArray = field(repr=False)
    upper: FloatArray = field(repr=False)
    coverage: float
    width: float
    winkler: float
    infinite: int
    selected: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class ExternalIntervals:
    """Intervals of the rows from `start` on, at one level or several, and how they scored where the outcome is known.

    The scores, ends and choices of the first level stand here by their own names too.

    Parameters
    ----------
    method, horizon
        What was asked for.
    start
        First row with an interval; the rows before it, from `first` on, calibrate.
    first
        First row with a forecast.
    forecasts
        Those of the rows from `start` on.
    scored
        How many of those rows have an outcome.
    bands
        One per level, in the order asked for; those of a higher level hold those of a lower one.
    crps
        CRPS over the scored rows, approximated from both ends of every level (`metrics.crps`), NaN where there are
        none; one or a few levels give less than the score of the whole law.
    bounds
        To which ends are cut: those that were given, and those found in the calibration rows by a method that keeps to
        them, the latter until an outcome crosses one.
    guarantee
        What the method promises.
    table
        One row per row with an interval: time (where times were given), y, forecast, lower, upper; of several levels
        lower_80, upper_80 and so on. pandas where the outcomes came as pandas, else polars.
    """

    method: str
    horizon: int
    start: int
    first: int
    forecasts: FloatArray = field(repr=False)
    scored: int
    bands: tuple[ExternalBand, ...]
    crps: float
    bounds: Bounds
    guarantee: str
    table: Frame = field(repr=False)

    def __repr__(self) -> str:
        future = self.forecasts.size - self.scored
        heading = (
            f"Intervals of {self.method}, horizon {self.horizon}: {self.start - self.first:,} rows calibrate, "
            f"{self.scored:,} are scored, {future} to come"
        )
        columns = (
            [f"{percent(band.level)} %" for band in self.bands],
            [f"{100 * band.coverage:.1f} %" if self.scored else "none" for band in self.bands],
            aligned([band.width for band in self.bands]),
            aligned([band.winkler for band in self.bands]),
        )
        table = text_table(["level", "coverage", "width", "Winkler"], list(zip(*columns, strict=True)))
        return f"{heading}\n\n{table}"

    @property
    def levels(self) -> tuple[float, ...]:
        """Nominal coverages, in the order asked for."""
        return tuple(band.level for band in self.bands)

    @property
    def level(self) -> float:
        """The first level."""
        return self.bands[0].level

    @property
    def lower(self) -> FloatArray:
        """Lower ends of the first level in the units of the outcomes, one per row from `start` on."""
        return self.bands[0].lower

    @property
    def upper(self) -> FloatArray:
        """Upper ends of the first level."""
        return self.bands[0].upper

    @property
    def coverage(self) -> float:
        """Coverage of the first level over the scored rows, NaN where there are none."""
        return self.bands[0].coverage

    @property
    def width(self) -> float:
        """Mean width of the first level over all rows with an interval."""
        return self.bands[0].width

    @property
    def winkler(self) -> float:
        """Mean Winkler score of the first level over the scored rows, NaN where there are none."""
        return self.bands[0].winkler

    @property
    def infinite(self) -> int:
        """How many intervals of the first level are unbounded, for want of calibration rows."""
        return self.bands[0].infinite

    @property
    def selected(self) -> Mapping[str, Any]:
        """What the method chose for the first level on the calibration rows."""
        return self.bands[0].selected

    def band(self, level: float) -> ExternalBand:
        """The intervals of one of the levels."""
        nominal = check_level(level)
        for band in self.bands:
            if band.level == nominal:
                return band
        have = ", ".join(f"{one:g}" for one in self.levels)
        raise ValueError(f"no intervals at level {nominal:g}; those asked for are {have}")

    def quantiles(self, probabilities: Sequence[float]) -> FloatArray:
        """Quantiles of the outcomes, one row per row from `start` on and one column per probability, never crossing.

        The quantile p is the lower end of the level 1 - 2p or the upper end of 2p - 1 where that level was asked for;
        between two such ends it lies on the straight line, so that the median is half-way between both ends of the
        lowest level. Beside an infinite end it is the outer one of its neighbours, and the median the forecast, within
        both ends. Beyond the widest level nothing is known, and an error says which level to ask for.

        Parameters
        ----------
        probabilities
            In (0, 1), rising.
        """
        return distribution(self.bands).at(probabilities, self.forecasts)


def distribution(bands: Sequence[ExternalBand]) -> Distribution:
    """Both ends of every level as quantiles."""
    ends = [band.lower for band in bands], [band.upper for band in bands]
    return Distribution.of([band.level for band in bands], *ends)
