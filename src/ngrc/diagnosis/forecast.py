"""Everything that `diagnose` has to say of the forecast itself, from the calibration block alone."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from ngrc._types import IntArray
from ngrc.diagnosis.beaten import Comparison, compare, naive
from ngrc.diagnosis.calibration import Calibration
from ngrc.diagnosis.extremes import by_position, spikes
from ngrc.diagnosis.finding import Finding
from ngrc.diagnosis.knowledge import Knowledge
from ngrc.diagnosis.leftover import autocorrelation, seasonality, tested_lags
from ngrc.diagnosis.level import bias, scale
from ngrc.diagnosis.moving import drift, scale_drift
from ngrc.diagnosis.shape import ResidualShape


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
    shape: ResidualShape,
    known: Knowledge,
    periods: Sequence[float] = (),
    named: Callable[[IntArray], list[str]] = by_position,
) -> ForecastCheck:
    """Look for everything; `periods` come beside those that the model knows, `named` gives targets their names."""
    if not seen.enough:
        return ForecastCheck(seen.count, None, (), (), ())
    looked = tuple(dict.fromkeys(float(period) for period in (*known.periods, *periods)))
    compared = compare(seen, looked)
    lags = tested_lags(seen, looked)
    findings = (
        naive(compared),
        *seasonality(seen, looked, known),
        autocorrelation(seen, looked, known),
        bias(seen, known),
        scale(seen, known),
        drift(seen),
        scale_drift(seen, shape),
        spikes(seen, named),
    )
    return ForecastCheck(
        count=seen.count,
        lags=(lags[0], lags[-1]) if lags else None,
        periods=looked,
        comparisons=compared,
        findings=tuple(finding for finding in findings if finding is not None),
    )
