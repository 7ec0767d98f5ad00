"""No interval method reads an outcome before its time, at any horizon, in tuning, in a block or one at a time."""

import numpy as np
import pytest

from ngrc.intervals import METHODS, Bayes
from ngrc.testing import assert_no_lookahead
from tests.contract.test_context import Sized, make_seen
from tests.contract.test_methods import make_stream

ALL = {name: METHODS[name]() for name in METHODS} | {"bayes-gcv": Bayes(noise="gcv"), "sized": Sized()}
HORIZONS = pytest.mark.parametrize("horizon", [1, 3, 7, 24])


@HORIZONS
@pytest.mark.parametrize("name", ALL)
def test_residuals_forecasts_and_leverages_change_nothing_before_them(name: str, horizon: int) -> None:
    # Forecasts beside the residuals where the method reads them: of those the target's own is known, and none after it.
    reads = "forecasts" in ALL[name].sees
    stream = make_seen(horizon) if reads else make_stream(horizon)
    # Slow in tuning: one cut, in the middle.
    cuts = [(stream.start + stream.residuals.size) // 2 - horizon] if name == "rescp" else 2
    assert_no_lookahead(ALL[name], stream, cuts=cuts)


@pytest.mark.parametrize("name", ["scaled", "quantile", "auto"])
def test_without_forecasts_beside_them(name: str) -> None:
    assert_no_lookahead(ALL[name], np.random.default_rng(1).standard_t(4, 200), horizon=3, cuts=2)
