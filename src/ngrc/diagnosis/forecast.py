"""Everything that `diagnose` has to say of the forecast itself, from the calibration block alone."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from ngrc._types import IntArray
from ngrc.diagnosis.beaten import Comparison, compare, naive
from ngrc.diagnosis.calibration import Calibration
from ngrc.diagnosis.extremes import by_position, spikes
from ngrc.diagnosis.finding import Finding
from ngrc.diagnosis.knowledge import Knowledge
from ngrc.diagnosis.leftover import autocorrelation, season, seasonality, tested_lags
from ngrc.diagnosis.level import bias, scale
from ngrc.diagnosis.moving import drift, lately, scale_drift


@dataclass(frozen=True, slots=True)
class ForecastCheck:
    """What was looked for in the usable calibration residuals, and what was found.

    Parameters
    ----------
    count
        Residuals looked at.
    lags
        First and last lag at which a correlation was looked for; None where nothing was.
    periods
        Periods that a season was looked for at.
    comparisons
        The model beside naive forecasts.
    findings
        What it leaves undone; empty where nothing shows, and where there is too little to look at (`lags` is None).
    """

    count: int
    lags: tuple[int, int] | None
    periods: tuple[float, ...]
    comparisons: tuple[Comparison, ...]
    findings: tuple[Finding, ...]

    def finding(self, kind: str) -> Finding | None:
        """The first finding of a kind, or None."""
        return next((finding for finding in self.findings if finding.kind == kind), None)


def check_forecast(
    seen: Calibration,
    known: Knowledge,
    periods: Sequence[float] = (),
    named: Callable[[IntArray], list[str]] = by_position,
) -> ForecastCheck:
    """Look for everything; `periods` come beside those that the model knows, `named` gives targets their names."""
    if not seen.enough:
        return ForecastCheck(seen.count, None, (), (), ())
    looked = tuple(dict.fromkeys(float(period) for period in (*known.periods, *periods)))
    compared, lags = compare(seen, looked), tested_lags(seen, looked)
    seasons, moves = seasonality(seen, looked, known), drift(seen)
    rest = without(seen, seasons, moves)
    sized = scale(rest, known)
    findings = (
        naive(compared, known),
        *seasons,
        autocorrelation(rest, looked, known),
        bias(rest, known),
        sized,
        moves,
        # A size that follows the level moves with it.
        None if sized else scale_drift(rest),
        spikes(seen, named),
    )
    return ForecastCheck(
        count=seen.count,
        lags=(lags[0], lags[-1]),
        periods=looked,
        comparisons=compared,
        findings=tuple(finding for finding in findings if finding is not None),
    )


def without(seen: Calibration, seasons: Sequence[Finding], moves: Finding | None) -> Calibration:
    """The residuals less the seasons and the drift that were found in them.

    Both make residuals correlated at many lags and dependent on the level: what is found beyond them is something else.
    """
    left = seen
    for found in seasons:
        left = replace(left, residuals=left.residuals - season(left, found.statistic))
    return left if moves is None else replace(left, residuals=left.residuals - lately(left))
