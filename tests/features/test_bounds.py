"""Bounds: checked when they are made, kept by what is clipped, and held against the series."""

from typing import Any

import numpy as np
import pytest

from ngrc.features.bounds import Bounds


def test_clip_moves_what_lies_beyond_and_nothing_else() -> None:
    values = np.array([-np.inf, -1.0, 0.0, 0.5, 1.0, 3.0, np.inf, np.nan])
    np.testing.assert_array_equal(Bounds(0, 1).clip(values), [0.0, 0.0, 0.0, 0.5, 1.0, 1.0, 1.0, np.nan])
    np.testing.assert_array_equal(Bounds(upper=1).clip(values)[:3], values[:3])
    np.testing.assert_array_equal(Bounds(lower=0).clip(values)[3:], values[3:])
    assert Bounds().clip(values) is values
    assert not Bounds().given
    assert Bounds(lower=0).given
    assert Bounds(upper=0).given


@pytest.mark.parametrize(
    ("lower", "upper", "words"),
    [
        (1.0, 1.0, "lower must be below upper, got lower=1 and upper=1"),
        (3, 2, "lower must be below upper, got lower=3 and upper=2"),
        (np.nan, None, "lower must be a finite number or None for no bound, got nan"),
        (None, np.inf, "upper must be a finite number or None for no bound, got inf"),
        ("0", None, "lower must be a finite number or None for no bound, got '0'"),
        (None, True, "upper must be a finite number or None for no bound, got True"),
    ],
)
def test_bounds_that_are_none(lower: Any, upper: Any, words: str) -> None:
    with pytest.raises(ValueError, match=words):
        Bounds(lower, upper)


def test_a_series_within_its_bounds_passes() -> None:
    Bounds(0, 1).check(np.array([0.0, 1.0, 0.3]))
    Bounds().check(np.array([-1e300, 1e300]))


@pytest.mark.parametrize(
    ("bounds", "words"),
    [
        (
            Bounds(lower=0),
            r"lower=0, but 2 of the 5 values of y are below it, the smallest -3 at position 2;",
        ),
        (Bounds(upper=6), r"upper=6, but 1 of the 5 values of y is above it, the largest 7 at position 3;"),
        (Bounds(-2.5, 6), r"lower=-2.5, but 1 of the 5 values of y is below it"),
    ],
)
def test_a_series_beyond_them_is_one_line(bounds: Bounds, words: str) -> None:
    with pytest.raises(ValueError, match=words) as error:
        bounds.check(np.array([1.0, -1.0, -3.0, 7.0, 6.0]))
    assert "\n" not in str(error.value)
