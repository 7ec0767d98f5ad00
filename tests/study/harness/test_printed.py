"""Printed numbers keep their digits."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ngrc.study.harness.printed import printed


@pytest.mark.parametrize(
    ("text", "value", "unit", "spread"),
    [
        ("0.950±0.001", 0.95, 0.001, 0.001),
        ("0.95", 0.95, 0.01, None),
        ("1.39e-5", 1.39e-5, 1e-7, None),
        ("546.6 ± 9.8", 546.6, 0.1, 9.8),
        ("3221", 3221.0, 1.0, None),
        ("-0.50", -0.5, 0.01, None),
    ],
)
def test_digits_and_spread_are_read(text: str, value: float, unit: float, spread: float | None) -> None:
    found = printed(text)
    assert found.value == value
    assert found.unit == pytest.approx(unit, rel=1e-12)
    assert found.spread == spread


@pytest.mark.parametrize("text", ["", "abc", "0.95±", "±0.1", "nan", "inf"])
def test_what_is_not_a_number_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="printed number"):
        printed(text)


@settings(deadline=None, max_examples=200)
@given(st.integers(-10_000, 10_000), st.floats(-0.499, 0.499))
def test_same_digits_is_rounding(units: int, part: float) -> None:
    paper = printed(f"{units / 1000:.3f}")
    assert paper.same_digits((units + part) / 1000)
    assert not paper.same_digits((units + part + 1.0) / 1000)
