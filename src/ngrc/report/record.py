"""Everything that a page says, as plain frozen values: computed once, without any HTML."""

from dataclasses import dataclass, field, fields
from typing import Any

from ngrc._types import BoolArray, FloatArray
from ngrc.report.clock import Clock
from ngrc.report.coming import Coming
from ngrc.report.described import ModelWords
from ngrc.report.diagnosed import Diagnosed
from ngrc.report.intervals import CalibrationCurve, IntervalRow
from ngrc.report.plain import plain
from ngrc.report.points import PointRow
from ngrc.report.provenance import Provenance
from ngrc.report.quality import Quality
from ngrc.report.residuals import Residuals
from ngrc.report.subject import Subject

CURVES = ("lower", "upper", "trailing")
"""Fields of an interval row with one number per test target."""


@dataclass(frozen=True, slots=True)
class Record:
    """One series on one page.

    Parameters
    ----------
    subject
        What it is about, and what was assumed.
    values, outcomes, forecasts
        The whole series, and outcomes and forecasts of the test block; `test_start` is the first test target.
    missing
        Which of the values were carried forward over a gap: they are no outcomes, and count nowhere. None: none.
    coming
        The coming values; None where the model cannot give them, and `coming_why` says why.
    points, intervals
        Errors of forecasts and scores of intervals over the test block.
    window
        Outcomes that trailing coverage looks back on.
    calibration
        Observed coverage over levels, by method.
    residuals, diagnosis, model, quality, provenance
        The shape of the errors, what to trust, the model in words, the state of the data, and where all this is from.
    shown
        The method that charts show first: the one to use.
    """

    subject: Subject
    clock: Clock = field(repr=False)
    values: FloatArray = field(repr=False)
    missing: BoolArray | None = field(repr=False)
    test_start: int
    outcomes: FloatArray = field(repr=False)
    forecasts: FloatArray = field(repr=False)
    coming: Coming | None
    coming_why: str
    points: tuple[PointRow, ...]
    intervals: tuple[IntervalRow, ...]
    window: int
    calibration: tuple[CalibrationCurve, ...]
    residuals: Residuals
    diagnosis: Diagnosed
    model: ModelWords
    quality: Quality
    provenance: Provenance
    shown: str

    @property
    def methods(self) -> tuple[str, ...]:
        """Interval methods in the order of the tables."""
        return tuple(dict.fromkeys(row.method for row in self.intervals))

    def row(self, method: str, level: float) -> IntervalRow:
        """The row of a method at a level."""
        for row in self.intervals:
            if row.method == method and row.level == level:
                return row
        raise ValueError(
            f"no row of {method!r} at {level:g}; this record has {', '.join(self.methods)} at "
            f"{', '.join(f'{one:g}' for one in self.subject.levels)}"
        )

    def plain(self, *, curves: bool = True) -> dict[str, Any]:
        """Ready for JSON, a number that does not exist None; without `curves` nothing with one number per target."""
        left_out = (
            {"clock"} if curves else {"clock", "missing", "intervals", "values", "outcomes", "forecasts"}
        )
        record = {
            one.name: plain(getattr(self, one.name)) for one in fields(self) if one.name not in left_out
        }
        if not curves:
            # Left out before anything is converted: of a long series they are millions of numbers.
            record["intervals"] = [
                {one.name: plain(getattr(row, one.name)) for one in fields(row) if one.name not in CURVES}
                for row in self.intervals
            ]
        return record
