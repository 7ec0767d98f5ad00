import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ngrc.features import Delays
from ngrc.features.delays import delay_columns


@settings(deadline=None, max_examples=50)
@given(st.integers(1, 6), st.integers(1, 4), st.integers(0, 10), st.integers(0, 10))
def test_every_entry_is_the_value_that_many_steps_back(lags: int, spacing: int, skip: int, rows: int) -> None:
    reach = (lags - 1) * spacing
    x = np.random.default_rng(7).standard_normal(reach + skip + rows)
    columns = delay_columns(x, reach + skip, reach + skip + rows, lags, spacing)
    assert columns.shape == (rows, lags)
    for row in range(rows):
        for lag in range(lags):
            assert columns[row, lag] == x[reach + skip + row - lag * spacing]


def test_columns_are_a_copy() -> None:
    x = np.arange(5.0)
    columns = delay_columns(x, 1, 5, 2)
    columns[:] = -1.0
    assert x.tolist() == [0.0, 1.0, 2.0, 3.0, 4.0]


@pytest.mark.parametrize(("first", "stop"), [(1, 4), (2, 7), (4, 3)])
def test_origins_outside_the_series_are_refused(first: int, stop: int) -> None:
    with pytest.raises(ValueError, match="between 2 and 6"):
        delay_columns(np.arange(6.0), first, stop, 3)


def test_names_count_steps_not_lags() -> None:
    assert Delays(1).names(1) == ("x[t]",)
    assert Delays(3, 5).names(1) == ("x[t]", "x[t-5]", "x[t-10]")


def test_every_other_entry_and_read_only_values_are_read_as_they_stand() -> None:
    values = np.arange(40.0)
    values.flags.writeable = False
    whole = delay_columns(values[::2].copy(), 6, 15, lags=3, spacing=2)
    found = delay_columns(values[::2], 6, 15, lags=3, spacing=2)
    np.testing.assert_array_equal(found, whole)
    assert found.flags.writeable
    assert found.flags.c_contiguous
