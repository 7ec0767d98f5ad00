"""Where nothing is wrong, each kind of finding comes up in at most one case of twenty."""

from collections import Counter

import numpy as np
import pytest

from ngrc import NGRC, FixedOrigin
from ngrc.diagnosis import diagnose
from ngrc.diagnosis.forecast import check_forecast
from ngrc.diagnosis.knowledge import Knowledge
from tests.diagnosis.worlds import autoregression, perfect

RATE = 0.05


@pytest.mark.parametrize("horizon", [1, 3, 7])
@pytest.mark.parametrize("weight", [0.0, 0.8])
def test_the_true_forecast_raises_no_alarm(horizon: int, weight: float) -> None:
    rng, found, draws = np.random.default_rng([7, horizon]), Counter[str](), 200
    for _ in range(draws):
        check = check_forecast(perfect(400, horizon, weight, rng), Knowledge(), (7.0, 24.0))
        assert check.lags == (horizon, 50)
        found.update({finding.kind for finding in check.findings})
    # Rates of about 0.01 were seen: no Monte-Carlo error is granted beyond the rate itself.
    assert max(found.values(), default=0) <= RATE * draws, found


def test_few_residuals_raise_no_more_alarms() -> None:
    rng, found, draws = np.random.default_rng(11), Counter[str](), 300
    for _ in range(draws):
        check = check_forecast(perfect(60, 3, 0.8, rng), Knowledge(), (7.0,))
        found.update({finding.kind for finding in check.findings})
    assert max(found.values(), default=0) <= RATE * draws, found


def test_a_random_walk_is_no_dependence_on_the_level() -> None:
    """The slope of a random walk's steps on its level, about their means, is Dickey and Fuller's: far from zero."""
    rng, found, draws = np.random.default_rng(12), Counter[str](), 200
    for _ in range(draws):
        found.update(
            {finding.kind for finding in check_forecast(perfect(400, 1, 1.0, rng), Knowledge()).findings}
        )
    # The forecast is the last value itself, and so no better than it.
    assert found.pop("naive") == draws
    assert max(found.values(), default=0) <= RATE * draws, found


@pytest.mark.parametrize("horizon", [1, 3])
def test_a_fitted_model_of_the_right_form_raises_no_alarm(horizon: int) -> None:
    """What few fit rows miss by chance is the same through the whole calibration block, and no finding."""
    found, draws = Counter[str](), 60
    for seed in range(draws):
        y = autoregression({1: 0.6, 2: 0.2}, 500, seed)
        check = diagnose(
            y, NGRC(lags=3, degree=1), horizon=horizon, periods=(7,), split=FixedOrigin()
        ).forecast
        found.update({finding.kind for finding in check.findings})
    # Three Monte-Carlo errors of a rate of 0.05 over 60 series.
    assert max(found.values(), default=0) <= draws * (RATE + 3 * np.sqrt(RATE * (1 - RATE) / draws)), found
