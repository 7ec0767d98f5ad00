import numpy as np
import pytest

from ngrc._ties import first_smallest, within_rounding


def test_the_smallest_wins_where_it_is_clear() -> None:
    assert first_smallest([3.0, 1.0, 2.0]) == 1
    assert first_smallest([1.0 + 1e-8, 1.0]) == 1
    assert first_smallest(np.array([5.0])) == 0


@pytest.mark.parametrize("scale", [1e-3, 1.0, 1e6])
def test_rounding_decides_nothing(scale: float) -> None:
    rng = np.random.default_rng(0)
    for _ in range(200):
        noise = 1.0 + 1e-13 * rng.standard_normal(6)
        scores = scale * np.array([2.0, 1.0, 1.0, 1.5, 1.0, 1.0]) * noise
        assert first_smallest(scores) == 1


def test_perfect_forecasts_tie() -> None:
    assert first_smallest([3e-16, 0.0, 1e-16], floor=1e-14) == 0
    assert first_smallest([1e-9, 0.0], floor=1e-14) == 1
    assert first_smallest([0.0, 0.0]) == 0


def test_small_units_are_no_tie() -> None:
    assert first_smallest([3e-20, 1e-20, 2e-20]) == 1


def test_infinite_scores_lose_and_tie() -> None:
    assert first_smallest([np.inf, 2.0, np.inf]) == 1
    assert first_smallest([np.inf, np.inf]) == 0


def test_nan_is_refused() -> None:
    with pytest.raises(ValueError, match="not a number"):
        first_smallest([1.0, np.nan])


def test_all_that_tie_are_named() -> None:
    assert within_rounding([1.0, 1.0 + 1e-12, 1.1, 1.0 - 1e-12]).tolist() == [True, True, False, True]
