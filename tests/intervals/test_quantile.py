"""The quantile readout as a method: skew that depends on the forecast, which no symmetric method can follow."""

import numpy as np
import pytest

from ngrc.intervals import Quantile, Stream
from ngrc.intervals.auto import members as crew
from ngrc.intervals.context import Context


def test_ends_follow_a_skew_that_turns_with_the_forecast() -> None:
    """Errors lean up where the forecast is high and down where it is low."""
    rng = np.random.default_rng(0)
    forecasts = rng.choice([-1.0, 1.0], size=3000)
    residuals = forecasts * rng.exponential(size=3000)
    offsets = Quantile().run(Stream(residuals, 2500, context=Context(forecasts)), 0.9)
    up = forecasts[2500:] > 0
    # 5 % and 95 % of an exponential error: 0.05 and 3.0.
    assert np.median(offsets.upper[up]) == pytest.approx(3.0, rel=0.35)
    assert np.median(offsets.lower[~up]) == pytest.approx(-3.0, rel=0.35)
    assert np.median(offsets.lower[up]) > -1.0
    assert np.median(offsets.upper[~up]) < 1.0
    inside = (offsets.lower <= residuals[2500:]) & (residuals[2500:] <= offsets.upper)
    # Three errors of the binomial, and a point.
    assert abs(inside.mean() - 0.9) < 3 * np.sqrt(0.09 / 500) + 0.01


def test_only_the_quantile_readouts_take_part() -> None:
    assert crew.taking_part(Quantile.families).nonzero()[0].tolist() == [9, 10]
