"""Numbers and sentences for readers."""

from math import isfinite

from ngrc.report.chance import coverage_error
from ngrc.report.coming import Coming
from ngrc.report.record import Record

ERRORS = 3.0
"""Standard errors beyond which a coverage is told as a failure, as in the diagnosis."""


def number(value: float) -> str:
    """Four significant digits, whole numbers with commas; a word where there is no number.

    Examples
    --------
    >>> number(0.123456), number(21009.4), number(3), number(float("inf")), number(float("nan")), number(1.3864e-7)
    ('0.1235', '21,009', '3', 'no bound', '', '1.386e-07')
    """
    if not isfinite(value):
        return "" if value != value else "no bound"
    if value == int(value) and abs(value) < 1e9:
        return f"{int(value):,}"
    return f"{value:,.0f}" if 1e4 <= abs(value) < 1e9 else f"{value:.4g}"


def decimal(value: float, digits: int) -> str:
    """So many decimals, with commas between thousands; a word where there is no number.

    Examples
    --------
    >>> decimal(1013.256, 1), decimal(21009.4, -2), decimal(float("inf"), 1)
    ('1,013.3', '21,009', 'no bound')
    """
    return f"{value:,.{max(digits, 0)}f}" if isfinite(value) else number(value)


def percent(level: float) -> str:
    """A level in per cent.

    Examples
    --------
    >>> percent(0.95), percent(0.975)
    ('95 %', '97.5 %')
    """
    return f"{100.0 * level:.10g} %"


def steps(count: int) -> str:
    """A number of steps.

    Examples
    --------
    >>> steps(1), steps(24)
    ('1 step', '24 steps')
    """
    return f"{count:,} step{'s' * (count != 1)}"


def in_short(record: Record) -> list[str]:
    """What a reader with ten seconds should know."""
    return [*_coming(record), _points(record), _intervals(record), *_quality(record)]


def _coming(record: Record) -> list[str]:
    coming, level = record.coming, record.subject.level
    if coming is None:
        return []
    last, digits = coming.forecast.size - 1, coming.digits
    said = (
        f"The next value{_when(record, 0)} is expected to be {decimal(float(coming.forecast[0]), digits)}, "
    )
    said += f"and with {percent(level)} {between(coming, level, 0)} (method {coming.method})."
    if last:
        said += (
            f" {steps(last + 1)} ahead{_when(record, last)} it is {decimal(float(coming.forecast[last]), digits)}, "
            f"{between(coming, level, last)}."
        )
    return [said]


def _when(record: Record, step: int) -> str:
    """The time of a coming step, between commas; nothing where positions are all there is."""
    assert record.coming is not None
    return "" if record.clock.times is None else f", {record.coming.times[step]},"


def between(coming: Coming, level: float, step: int) -> str:
    """The interval of a coming step in words."""
    lower, upper = (float(end[step]) for end in coming.bands[level])
    if isfinite(lower) and isfinite(upper):
        return f"between {decimal(lower, coming.digits)} and {decimal(upper, coming.digits)}"
    if isfinite(lower):
        return f"above {decimal(lower, coming.digits)}"
    return f"below {decimal(upper, coming.digits)}" if isfinite(upper) else "without any bound"


def _points(record: Record) -> str:
    subject, (model, *others) = record.subject, record.points
    said = (
        f"Over the last {subject.scored:,} observations, forecasts made {steps(subject.horizon)} before missed by "
        f"{number(model.mae)} on average"
    )
    rival = min(others, key=lambda row: row.mae, default=None)
    if rival is None:
        return f"{said}."
    better = 100.0 * (1.0 - model.mae / rival.mae) if rival.mae > 0.0 else float("nan")
    if not isfinite(better):
        return f"{said}; {rival.name} by {number(rival.mae)}."
    if abs(better) < 0.5:
        return f"{said}, as much as the best naive forecast ({rival.name}: {number(rival.mae)})."
    side = "less" if better >= 0.0 else "more"
    return f"{said}, {abs(better):.0f} % {side} than the best naive forecast ({rival.name}: {number(rival.mae)})."


def _intervals(record: Record) -> str:
    """The method to use and how it did; what did better where it failed by more than chance."""
    subject, row = record.subject, record.row(record.shown, record.subject.level)
    # The advice may name a method that could not be run here.
    advice = "Advised" if record.shown == record.diagnosis.method else "Shown"
    said = (
        f"{advice}: intervals of method {row.method}. At {percent(subject.level)} they held "
        f"{100.0 * row.coverage:.1f} % of these outcomes with a mean width of {number(row.width)}."
    )
    chance = ERRORS * coverage_error(subject.level, subject.scored, record.residuals.together)
    best = next((one for one in record.intervals if one.best and one.level == subject.level), row)
    if abs(row.coverage - subject.level) <= chance or best is row:
        return said
    return (
        f"{said} That is further from {percent(subject.level)} than chance explains: the test differs from what was "
        f"known before it. The best score in it has {best.method}, which held {100.0 * best.coverage:.1f} %."
    )


def _quality(record: Record) -> list[str]:
    quality, parts = record.quality, []
    if quality.filled or quality.dropped:
        parts.append(_plural(quality.filled + quality.dropped, "missing value"))
    if quality.spike_count:
        parts.append(_plural(quality.spike_count, "isolated spike"))
    if quality.flat_count:
        parts.append(f"{_plural(quality.flat_count, 'long stretch', 'es')} of one value")
    found = len(record.diagnosis.findings)
    said = [f"In the data: {', '.join(parts)}; see the state of the data."] if parts else []
    if found:
        said.append(
            f"The forecast leaves {'one thing' if found == 1 else f'{found} things'} undone that can be shown; see the "
            "diagnosis."
        )
    return said


def _plural(count: int, noun: str, ending: str = "s") -> str:
    return f"{count:,} {noun}{ending * (count != 1)}"
