from itertools import combinations_with_replacement
from math import comb, prod
from time import process_time

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ngrc._threads import one_thread
from ngrc._types import FloatArray
from ngrc.readout.kernel import homogeneous, polynomial_kernel, polynomial_squares


def slow_products(rows: FloatArray, low: int, high: int) -> FloatArray:
    """Every unique product of degrees low to high, one number at a time."""
    return np.array(
        [
            [
                prod(factors)
                for power in range(low, high + 1)
                for factors in combinations_with_replacement(row, power)
            ]
            for row in rows.tolist()
        ]
    ).reshape(rows.shape[0], -1)


@settings(max_examples=60, deadline=None)
@given(
    rows=st.integers(1, 6),
    others=st.integers(1, 5),
    columns=st.integers(1, 4),
    low=st.integers(1, 4),
    more=st.integers(0, 3),
    seed=st.integers(0, 1000),
)
def test_the_kernel_is_that_of_the_explicit_products(
    rows: int, others: int, columns: int, low: int, more: int, seed: int
) -> None:
    rng = np.random.default_rng(seed)
    left, right = rng.standard_normal((rows, columns)), rng.standard_normal((others, columns))
    mine, theirs = slow_products(left, low, low + more), slow_products(right, low, low + more)
    # Rounding is in proportion to the rows' lengths: the inner product itself may cancel.
    size = float(np.linalg.norm(mine) * np.linalg.norm(theirs))
    np.testing.assert_allclose(
        polynomial_kernel(left, right, low, low + more), mine @ theirs.T, atol=1e-13 * size
    )
    np.testing.assert_allclose(polynomial_squares(left, low, low + more), np.sum(mine**2, axis=1), rtol=1e-12)


def test_newtons_identities_on_whole_numbers() -> None:
    values = np.array([1.0, 2.0, 3.0])
    sums = [np.sum(values**power) for power in (1, 2, 3, 4)]
    # h_m of 1, 2, 3 are the Stirling numbers of the second kind S(m + 3, 3).
    np.testing.assert_array_equal(homogeneous(sums), [6.0, 25.0, 90.0, 301.0])


def test_no_degree_and_no_factor_make_no_product() -> None:
    rows = np.ones((3, 2))
    assert not polynomial_kernel(rows, rows, 2, 1).any()
    assert not polynomial_kernel(rows[:, :0], rows[:, :0], 1, 3).any()
    assert not polynomial_squares(rows, 2, 1).any()
    assert not polynomial_squares(rows[:, :0], 1, 3).any()


def test_blocks_of_rows_make_no_difference(monkeypatch: pytest.MonkeyPatch) -> None:
    rows = np.random.default_rng(0).standard_normal((50, 3))
    whole = polynomial_kernel(rows, rows, 1, 3)
    monkeypatch.setattr("ngrc.readout.kernel.BLOCK", 333)
    np.testing.assert_allclose(polynomial_kernel(rows, rows, 1, 3), whole, rtol=1e-13, atol=1e-12)


def least_time(lags: int) -> float:
    rows = np.random.default_rng(0).standard_normal((600, lags))

    def once() -> float:
        begin = process_time()
        polynomial_kernel(rows, rows, 1, 3)
        return process_time() - begin

    return min(once() for _ in range(7))


def test_time_grows_with_the_coordinates_and_not_with_their_products() -> None:
    fewer, more = 40, 80
    assert comb(more + 3, 3) > 7.4 * comb(fewer + 3, 3)
    # Threads that wait for each other on a busy machine count as work.
    with one_thread():
        # Twice the coordinates are at most twice the work; the products are 7.4 times as many.
        assert least_time(more) < 3.5 * least_time(fewer)
