"""The protocol in words, from the numbers that the code uses."""

from collections.abc import Sequence

from accuracy.columns import MOST_LAGS
from accuracy.interval_cases import OURS_BANDED, PEER
from accuracy.long_cases import CALIBRATION
from accuracy.methods import LONGEST_SEASON
from accuracy.methods.automatic import WINDOW
from accuracy.methods.base import LEVEL
from accuracy.methods.conformal import FIT
from accuracy.origins import FEWEST_OBSERVATIONS, MOST
from accuracy.schedule import FITS, SPREAD, TRAIN_PERCENT
from accuracy.scores import Row
from accuracy.series import CHANNELS, PLACES, PLANTS, RATES
from accuracy.short import YEARS_AHEAD
from ngrc.splits import WalkForward


def protocol(rows: Sequence[Row]) -> list[str]:
    """Paragraphs for the top of the page."""
    long = {row.series for row in rows if row.kind in ("long", "interval")}
    short = {row.series for row in rows if row.kind == "short"}
    return [_series(len(long), len(short)), _long(), _columns(), _intervals(), _short(), SECONDS]


SECONDS = (
    "Seconds are the processor's, of fits and forecasts on one thread for every method, after one run that is not "
    "measured and pays for imports and compilation."
)


def _series(long: int, short: int) -> str:
    return (
        f"{long} long and {short} short series. The whole list, by rule and with no look at a result: the {RATES} "
        f"exchange rates (levels), the first {PLANTS} columns of the Solar plants, {len(PLACES)} Beijing sites with "
        f"{', '.join(CHANNELS)} each, daily ozone in Los Angeles, and every series of short.csv.gz."
    )


def _long() -> str:
    return (
        f"Long series: the last {100 - TRAIN_PERCENT} % are the test block. Every method is fitted {FITS} times, on "
        f"the first {TRAIN_PERCENT} % and again after each quarter of the test block on all that is known by then, "
        "and forecasts 1 step and one season ahead (7 days, 24 hours, 144 steps of 10 minutes) from the same origins. "
        "Direct methods are scored over every origin, methods that step a path forward (skforecast, statsforecast) "
        f"over {SPREAD} evenly spaced ones, and each is compared with ours on the same origins."
    )


def _columns() -> str:
    return (
        f"Ridge and LightGBM have the lags of one season (at most {MOST_LAGS}) with the hour of the day, or for daily "
        "values the day of the week, where the file has times. The models of statsforecast see the last "
        f"{WINDOW:,} observations; AutoARIMA is left to the short series, and MSTL sits out where a season has more "
        f"than {LONGEST_SEASON['MSTL']} steps. Winkler scores of the direct methods are those of ngrc.around with "
        f"adaptive intervals, after {CALIBRATION:.0%} of the origins to calibrate; statsforecast has its own intervals."
    )


def _intervals() -> str:
    walk = WalkForward()
    return (
        f"Intervals at {LEVEL:.0%} on the long series, scored on every target of the same origins. {PEER}: LightGBM's "
        f"quantile regression on the columns of lightgbm, at each of the {FITS} fits on the first {FIT:.0%} of the "
        "rows known by then, conformalised (Romano, Patterson and Candes 2019) on the later ones, one horizon further "
        f"on. {OURS_BANDED}: ngrc.backtest, with a first fit on {walk.fit:.0%} of the rows and {walk.refits[0]} refits "
        "up to the test block, whose residuals calibrate, then refits where every other method has them."
    )


def _short() -> str:
    return (
        f"Short series: from each of the last {MOST} ends, one path apart and with at least {FEWEST_OBSERVATIONS} "
        f"observations and one season known, the path of one season ({YEARS_AHEAD} steps where there is none). MASE "
        "is in units of the known part's mean absolute seasonal difference. Regressions sit out where the rows are "
        "fewer than twice the lags."
    )
