"""How many observations a forecaster is started from where nobody says."""

from ngrc.ahead.paths import path_model
from ngrc.automatic import AutoNGRC
from ngrc.model import NGRC

LEAST = 200
"""Half of them fit and half calibrate: an interval of 95 per cent then stands on some 100 residuals."""
REACHES = 4
"""Times what a forecast reads and reaches: as many rows for the fit as it reads back, and as many again to calibrate,
twice over."""


def default_gather(model: NGRC | AutoNGRC, horizon: int) -> int:
    """Observations that suit the model and the horizon.

    Examples
    --------
    >>> default_gather(NGRC(lags=12), 1), default_gather(NGRC(lags=12, periods=(168,), seasonal=1), 24)
    (200, 768)
    """
    return max(LEAST, REACHES * _span(model, horizon))


def _span(model: NGRC | AutoNGRC, horizon: int) -> int:
    if isinstance(model, NGRC):
        return int(path_model(model, horizon).first_target)
    # Its columns are not chosen yet; a period that the user names will be read.
    return int(max(model.periods or (1,))) + horizon
