import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ngrc.series.numerals import parse_numbers
from ngrc.series.tokens import MISSING, tidy
from ngrc.series.written import numbers_from_text


@settings(deadline=None, max_examples=60)
@given(st.lists(st.floats(allow_nan=False, allow_infinity=False), min_size=1, max_size=20))
def test_written_floats_come_back_bit_by_bit(values: list[float]) -> None:
    parsed = parse_numbers(pl.Series([repr(value) for value in values]))
    np.testing.assert_array_equal(parsed.values, values)
    assert not parsed.bad.any()


@settings(deadline=None, max_examples=100)
@given(st.text(alphabet="0123456789.,+-eE_ xnaif", max_size=8))
def test_a_token_is_a_number_only_where_python_agrees(token: str) -> None:
    parsed = parse_numbers(pl.Series([token]))
    if parsed.missing[0] or parsed.bad[0]:
        return
    number = token.strip().removesuffix(parsed.unit).strip()
    if parsed.groups:
        number = number.replace(" ", "") if parsed.way.group != "," else number.replace(",", "")
        number = number.replace(".", "") if parsed.way.group == "." else number
    assert parsed.values[0] == float(number.replace(",", "."))


@pytest.mark.parametrize("token", [*sorted(MISSING), "NA", " NaN ", "Null", "NONE", "N/A"])
def test_missing_tokens(token: str) -> None:
    parsed = parse_numbers(pl.Series([token, "1"]))
    assert parsed.missing.tolist() == [True, False]
    assert tidy(pl.Series([token]))[0] is None


@pytest.mark.parametrize("token", ["abc", "1_000", "0x10", "1.2.3", "--1", "1e", "12 %", "$5", "1 00"])
def test_what_is_not_a_number_is_named(token: str) -> None:
    with pytest.raises(ValueError, match=r"^place 1: column 'y' holds .* where a number belongs") as raised:
        numbers_from_text(pl.Series(["1", token, "2"]), "y", lambda row: f"place {row}")
    assert repr(token) in str(raised.value)


@pytest.mark.parametrize("token", ["inf", "-Infinity", "1e999"])
def test_infinite_values_are_named(token: str) -> None:
    with pytest.raises(ValueError, match="holds the infinite value") as raised:
        numbers_from_text(pl.Series(["1", token]), "y", str)
    assert repr(token) in str(raised.value)


@pytest.mark.parametrize("token", ["²", "½", "一", "x٣"])
def test_signs_that_are_no_decimal_digits_are_named(token: str) -> None:
    with pytest.raises(ValueError, match=r"place 1: .*where a number belongs"):
        numbers_from_text(pl.Series(["1", token]), "y", lambda row: f"place {row}")


def test_decimal_commas_are_read_and_noted() -> None:
    values, notes = numbers_from_text(pl.Series(["1,5", "-2", "NA", "3,125"]), "y", str)
    np.testing.assert_array_equal(values, [1.5, -2, np.nan, 3.125])
    assert notes == ("numbers of column 'y' read with decimal commas",)


@pytest.mark.parametrize("tokens", [["1,234", "2,345"], ["1,5", "2.5"], ["1,5", "2.5", "1,234"]])
def test_commas_of_doubtful_meaning_raise(tokens: list[str]) -> None:
    assert parse_numbers(pl.Series(tokens)).mostly_numbers
    with pytest.raises(ValueError, match="without thousands separators"):
        numbers_from_text(pl.Series(tokens), "y", str)


def test_mostly_numbers_is_a_majority_of_what_is_written() -> None:
    assert parse_numbers(pl.Series(["1", "x", "2", "", ""])).mostly_numbers
    assert not parse_numbers(pl.Series(["1", "x", "", ""])).mostly_numbers


def test_an_exponent_without_digits_before_it_is_no_number() -> None:
    found = parse_numbers(pl.Series(["1'000", "e5", ".5", "'", "2'500.25"]))
    assert found.bad.tolist() == [False, True, False, True, False]
    assert found.values[[0, 2, 4]].tolist() == [1000.0, 0.5, 2500.25]
