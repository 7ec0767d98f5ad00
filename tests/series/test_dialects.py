"""One series in many dialects at random: it comes back exactly, bit by bit."""

from collections.abc import Callable

import numpy as np
import pytest

from ngrc.series import Series
from tests.series.dialects import draw, truth, write

Reader = Callable[..., Series]

# 400 were read while this was written; these take some seconds.
PER_BATCH = 20


@pytest.mark.parametrize("batch", range(6))
def test_a_series_comes_back_from_any_dialect(read: Reader, batch: int) -> None:
    for seed in range(PER_BATCH * batch, PER_BATCH * (batch + 1)):
        rng = np.random.default_rng(seed)
        dialect = draw(rng)
        expected = truth(rng, dialect)
        series = read(write(expected, dialect), "any.txt")
        known = ~np.isnan(expected.values)
        times = expected.times - np.timedelta64(1, "h") if "+01:00" in dialect.pattern else expected.times
        message = f"seed {seed}: {dialect}"
        np.testing.assert_array_equal(series.times, times, message)
        np.testing.assert_array_equal(series.values[known], expected.values[known], message)
        missing = np.zeros(known.size, dtype=bool) if series.missing is None else series.missing
        np.testing.assert_array_equal(missing, ~known, message)
        assert any(note.startswith("values from column") for note in series.notes), message
