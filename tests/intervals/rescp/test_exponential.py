"""Exponentials against numpy's, over their whole range and at every place of an array."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ngrc._kernels.rescp import exponentials, hyperbolic_tangents

NUMBERS = st.floats(-690.0, 690.0)


@settings(deadline=None, max_examples=60)
@given(st.lists(NUMBERS, min_size=1, max_size=40))
def test_exponentials_agree_with_numpy(numbers: list[float]) -> None:
    values, out = np.array(numbers), np.empty(len(numbers))
    exponentials(values, 0.0, 1.0, out)
    np.testing.assert_allclose(out, np.exp(values), rtol=1e-14)


@pytest.mark.parametrize("size", [1, 7, 8, 9, 511, 512, 513, 1543])
def test_exponentials_fill_every_place_with_shift_and_factor(size: int) -> None:
    values = np.linspace(-1.0, 1.0, size)
    out = np.full(size, np.nan)
    exponentials(values, 1.0, 20.0, out)
    np.testing.assert_allclose(out, np.exp((values - 1.0) * 20.0), rtol=1e-14)


def test_exponentials_take_single_precision_and_do_not_underflow() -> None:
    out = np.empty(2)
    exponentials(np.array([0.25, -1.0], dtype=np.float32), 0.0, 4.0, out)
    np.testing.assert_allclose(out, np.exp([1.0, -4.0]), rtol=1e-14)
    exponentials(np.array([-1e6, -700.0]), 0.0, 1.0, out)
    np.testing.assert_allclose(out, np.exp(-700.0), rtol=1e-13)


def test_a_number_has_the_same_exponential_wherever_it_stands() -> None:
    values = np.full(1500, 0.1234)
    out = np.empty(1500)
    exponentials(values, 1.0, 7.0, out)
    assert np.unique(out).size == 1


@settings(deadline=None, max_examples=60)
@given(st.lists(st.floats(-400.0, 400.0), min_size=1, max_size=40))
def test_hyperbolic_tangents_agree_with_numpy_and_are_odd(numbers: list[float]) -> None:
    values = np.array(numbers)
    out, mirrored = np.empty(values.size), np.empty(values.size)
    hyperbolic_tangents(values, out)
    hyperbolic_tangents(-values, mirrored)
    np.testing.assert_allclose(out, np.tanh(values), atol=5e-15, rtol=0.0)
    assert np.array_equal(np.abs(out), np.abs(mirrored))
