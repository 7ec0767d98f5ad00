"""Whole rows of a share against exact fractions."""

from fractions import Fraction

from hypothesis import given, settings
from hypothesis import strategies as st

from ngrc._shares import share


def test_products_that_fall_just_short() -> None:
    assert 0.29 * 100 == 28.999999999999996
    assert share(0.29, 100) == 29
    assert share(0.3, 10) == 3
    assert share(0.4, 7) == 2


@settings(deadline=None, max_examples=300)
@given(st.integers(0, 1000), st.integers(0, 200_000))
def test_as_with_exact_fractions(thousandths: int, rows: int) -> None:
    assert share(thousandths / 1000, rows) == int(Fraction(thousandths, 1000) * rows)
