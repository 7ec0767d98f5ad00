"""The quantile readout, against a general minimiser of the same loss and against exact quantiles."""

import numpy as np
import pytest
from scipy.optimize import minimize

from ngrc._kernels.local import pinball_fit, products_dot, products_of_rows, smoothing_totals
from ngrc._types import FloatArray

PROBABILITIES = pytest.mark.parametrize("probability", [0.025, 0.5, 0.95])


def design(count: int, columns: int, seed: int = 0) -> tuple[FloatArray, FloatArray]:
    rng = np.random.default_rng(seed)
    rows = np.column_stack([np.ones(count), rng.normal(size=(count, columns - 1))])
    scores = rows[:, 1] - 0.3 + (1 + 0.3 * np.abs(rows[:, -1])) * rng.gumbel(size=count)
    return rows, scores


def loss(
    weights: FloatArray,
    rows: FloatArray,
    scores: FloatArray,
    probability: float,
    penalty: float,
    smooth: float,
) -> float:
    """p r + h log(1 + exp(-r / h)), summed, and half the penalty times the squares of all but the constant."""
    left = scores - rows @ weights
    total = np.sum(probability * left + smooth * np.logaddexp(0.0, -left / smooth))
    return float(total + 0.5 * penalty * np.sum(weights[1:] ** 2))


def quantile(scores: FloatArray, probability: float) -> FloatArray:
    return np.array([np.quantile(scores, probability)])


@PROBABILITIES
@pytest.mark.parametrize("penalty", [10.0, 300.0])
def test_the_loss_is_the_least_that_a_general_minimiser_finds(probability: float, penalty: float) -> None:
    rows, scores = design(600, 6)
    smooth = 0.05 * float(scores.std())
    weights = np.r_[quantile(scores, probability), np.zeros(5)]
    start = loss(weights, rows, scores, probability, penalty, smooth)
    pinball_fit(rows, scores, probability, penalty, smooth, weights, False)
    arguments = rows, scores, probability, penalty, smooth
    best = minimize(loss, weights, arguments, method="BFGS").fun
    found = loss(weights, *arguments)
    # A hundredth of the least loss: what twelve Newton steps may leave.
    assert best - 1e-6 <= found <= best * 1.01
    assert found < start
    again = weights.copy()
    pinball_fit(rows, scores, probability, penalty, smooth, again, True)
    assert loss(again, *arguments) <= found * (1 + 1e-12)


@pytest.mark.parametrize("probability", [0.0005, 0.05, 0.5, 0.9995])
@pytest.mark.parametrize("count", [1, 7, 300, 8000])
@pytest.mark.parametrize("spread", [0.0, 1e-3, 1.0, 30.0, 1e6])
def test_an_estimated_loss_is_as_close_as_it_says(probability: float, count: int, spread: float) -> None:
    """Line searches trust it: were it further off, coefficients would depend on the processor."""
    rng = np.random.default_rng(count)
    left, slopes = spread * rng.standard_t(2.0, size=(2, count))
    for share, width in ((0.0, 1e-6), (1.0, 0.06), (0.25, 2.0)):
        total, estimate, error = smoothing_totals(left, slopes, share, probability, width)
        assert abs(estimate - total) <= 0.5 * error
        # The rounding of 8,000 terms at the coarsest.
        assert error <= 1e-10 * (np.sum(np.abs(left) + np.abs(slopes)) + count * width)


@PROBABILITIES
def test_a_constant_alone_is_the_quantile(probability: float) -> None:
    scores = np.random.default_rng(1).gumbel(size=2001)
    weights = np.zeros(1)
    smooth = 0.02
    pinball_fit(np.ones((2001, 1)), scores, probability, 10.0, smooth, weights, False)
    # Counted in ranks, which know no density: smoothing over h moves a rank by the density's bend over h, a thousandth.
    below = float(np.mean(scores <= weights[0]))
    assert below == pytest.approx(probability, abs=2 / 2001 + 0.002)


@PROBABILITIES
@pytest.mark.parametrize("near", [False, True])
@pytest.mark.parametrize("seed", range(5))
def test_never_worse_than_where_it_began(probability: float, near: bool, seed: int) -> None:
    """On few rows, many columns and tied scores, from a beginning that is far off or the quantile itself."""
    rows, scores = design(30, 12, seed)
    scores[:20] = np.round(scores[:20])
    smooth = 0.05 * float(scores.std())
    for begin in (
        np.r_[quantile(scores, probability), np.zeros(11)],
        np.random.default_rng(seed).normal(size=12),
    ):
        weights = begin.copy()
        pinball_fit(rows, scores, probability, 10.0, smooth, weights, near)
        arguments = rows, scores, probability, 10.0, smooth
        assert np.isfinite(weights).all()
        assert loss(weights, *arguments) <= loss(begin, *arguments) * (1 + 1e-12)


def test_scores_that_are_all_equal_keep_their_quantile() -> None:
    """As the first fit begins, from the quantile itself, and with the least smoothing that a readout asks for."""
    weights = np.array([3.0, 0.0])
    rows = np.column_stack([np.ones(50), np.linspace(-1, 1, 50)])
    pinball_fit(rows, np.full(50, 3.0), 0.9, 10.0, 1e-6, weights, False)
    np.testing.assert_allclose(rows @ weights, 3.0, atol=1e-4)


@pytest.mark.parametrize("count", [1, 3, 4, 7, 600])
def test_products_of_rows_taken_together_are_those_of_each_alone(count: int) -> None:
    rows, _ = design(count, 5)
    weights = np.array([0.1, -2.0, 3e5, 0.7, 1e-9])
    found = np.empty(count)
    products_of_rows(rows, weights, found)
    np.testing.assert_array_equal(found, [products_dot(row, weights) for row in rows])
