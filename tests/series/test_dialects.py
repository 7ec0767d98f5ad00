"""One series in many dialects at random: it comes back exactly, bit by bit."""

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest

from ngrc.series import Series
from tests.series.dialects import draw, truth, write

Reader = Callable[..., Series]

# 400 were read while this was written; these take some seconds.
PER_BATCH = 15


@pytest.mark.parametrize("batch", range(4))
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


def damaged(data: bytes, rng: np.random.Generator) -> bytes:
    """The same with a byte changed, lost or added, some bytes twice, or the end cut off."""
    place, stop = int(rng.integers(len(data))), int(rng.integers(1, 40))
    sign = bytes([int(rng.choice(list(b"\n;,\t\"'. -:#0159aT|\r\x00\xff")))])
    return [
        data[:place] + sign + data[place + 1 :],
        data[:place] + data[place + 1 :],
        data[:place] + sign + data[place:],
        data[:place] + data[place : place + stop] + data[place:],
        data[: place + 1],
    ][int(rng.integers(5))]


def test_a_damaged_file_gives_a_series_or_one_line(read: Reader) -> None:
    for seed in range(25):
        rng = np.random.default_rng(seed)
        dialect = replace(draw(rng), container="plain")
        series, message = None, "any.txt: "
        try:
            series = read(damaged(write(truth(rng, dialect), dialect), rng), "any.txt")
        except ValueError as error:
            message = str(error)
        assert "any.txt: " in message, seed
        assert "\n" not in message, seed
        assert series is None or np.isfinite(series.values).all(), seed
