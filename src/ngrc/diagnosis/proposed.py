"""Periods at which a season is looked for where the user names none."""

from ngrc._types import AnyArray
from ngrc.auto.periods import find_periods
from ngrc.diagnosis.calibration import Calibration
from ngrc.diagnosis.knowledge import Knowledge


def proposed_periods(seen: Calibration, known: Knowledge, times: AnyArray | None) -> tuple[float, ...]:
    """Periods of the times and of the series, less those that the model knows; `times` are those of the whole series.

    The series is looked at as far as corrections are fitted, so that a season is judged on targets that did not propose
    it.
    """
    stop = seen.start + seen.earlier.stop
    found = find_periods(seen.values[:stop], None if times is None else times[:stop])
    return tuple(period.steps for period in found if not any(period.same(own) for own in known.periods))
