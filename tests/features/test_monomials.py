from itertools import product
from math import comb, prod

import numpy as np
import pytest

from ngrc.features.monomials import monomial_count, monomial_indices, monomial_name, monomials


@pytest.mark.parametrize("lags", [1, 2, 5])
@pytest.mark.parametrize("degree", [1, 2, 3, 4])
def test_indices_are_all_sorted_tuples_by_degree_then_lexicographic(lags: int, degree: int) -> None:
    brute = [
        index
        for power in range(1, degree + 1)
        for index in product(range(lags), repeat=power)
        if list(index) == sorted(index)
    ]
    assert list(monomial_indices(lags, degree)) == brute
    assert monomial_count(lags, degree) == len(brute) == comb(lags + degree, degree) - 1


@pytest.mark.parametrize("degree", [1, 2, 3, 4])
def test_every_column_is_its_product(degree: int) -> None:
    z = np.random.default_rng(degree).standard_normal((7, 4))
    columns = monomials(z, degree)
    for position, index in enumerate(monomial_indices(4, degree)):
        expected = [prod(float(row[lag]) for lag in index) for row in z]
        np.testing.assert_allclose(columns[:, position], expected, rtol=1e-14)


def test_extras_follow_the_monomials() -> None:
    z, extras = np.array([[2.0], [3.0]]), np.array([[7.0, 8.0], [9.0, 10.0]])
    assert monomials(z, 2, extras).tolist() == [[2.0, 4.0, 7.0, 8.0], [3.0, 9.0, 9.0, 10.0]]


def test_no_rows_keep_their_columns() -> None:
    assert monomials(np.empty((0, 3)), 2).shape == (0, 9)


def test_quadratic_order_is_that_of_the_upper_triangle() -> None:
    rows, columns = np.triu_indices(5)
    pairs = [(int(i), int(j)) for i, j in zip(rows, columns, strict=True)]
    assert list(monomial_indices(5, 2)[5:]) == pairs


def test_names_join_factors_and_count_powers() -> None:
    names = ("a", "b", "c")
    assert monomial_name((1,), names) == "b"
    assert monomial_name((0, 2), names) == "a*c"
    assert monomial_name((1, 1, 2), names) == "b^2*c"
    assert monomial_name((2, 2, 2), names) == "c^3"
