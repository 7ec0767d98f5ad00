from itertools import combinations_with_replacement
from math import comb, prod
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

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


class Counted(np.ndarray):
    """Counts the multiplications and additions of all that is computed from it."""

    work = 0

    def __array_ufunc__(self, ufunc: Any, method: str, *inputs: Any, out: Any = None, **options: Any) -> Any:
        plain = [np.asarray(value) for value in inputs]
        options |= {} if out is None else {"out": tuple(np.asarray(value) for value in out)}
        result = getattr(ufunc, method)(*plain, **options)
        Counted.work += result.size * (plain[0].shape[-1] if ufunc is np.matmul else 1)
        return result.view(Counted)


def work(lags: int) -> int:
    Counted.work = 0
    rows = np.random.default_rng(0).standard_normal((60, lags)).view(Counted)
    polynomial_kernel(rows, rows, 1, 3)
    return Counted.work


def test_work_grows_with_the_coordinates_and_not_with_their_products() -> None:
    fewer, more = 40, 80
    # Three matrix products of as many columns as there are coordinates are most of it.
    assert 0 < 3 * 60 * 60 * fewer < work(fewer) < 1.2 * (3 * 60 * 60 * fewer)
    assert work(more) <= 2 * work(fewer)
    assert comb(more + 3, 3) > 7.4 * comb(fewer + 3, 3)
