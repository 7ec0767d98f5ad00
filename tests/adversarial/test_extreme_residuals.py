"""Every interval method at the edges: numbers in order, finite or documented as infinite, no warning, no silent NaN."""

import re

import numpy as np
import pytest

from ngrc.intervals import METHODS, History, IntervalMethod, Stream
from tests.adversarial.extremes import LEVEL, SIZE, START, drawn, residual_cases, stream_of
from tests.twins import one_at_a_time

EVERY = pytest.mark.parametrize("method", [METHODS[name]() for name in METHODS], ids=list(METHODS))
CASES = residual_cases()
# The others have an end where there are enough residuals, as here; after many misses this one says "anything".
INFINITE = {"unprojected"}
SQUARING = {"gaussian", "student"}


def checked(method: IntervalMethod, stream: Stream) -> None:
    offsets = method.run(stream, LEVEL)
    assert np.all(offsets.lower <= offsets.upper)
    for values in (offsets.lower, offsets.upper, *offsets.trace.values()):
        assert not np.isnan(values).any()
        assert method.name in INFINITE or np.isfinite(values).all()
    lower, upper = one_at_a_time(method, stream, LEVEL)
    np.testing.assert_allclose(lower, offsets.lower, rtol=1e-9)
    np.testing.assert_allclose(upper, offsets.upper, rtol=1e-9)


@EVERY
@pytest.mark.parametrize("name", CASES)
def test_extremes(method: IntervalMethod, name: str) -> None:
    checked(method, stream_of(*CASES[name]))


@EVERY
def test_extremes_without_forecasts_beside_them(method: IntervalMethod) -> None:
    for name in ("1e-150", "1e150", "every size", "all ties"):
        checked(method, stream_of(*CASES[name]).without_context())


@EVERY
@pytest.mark.parametrize("scale", [5e-324, 1e-310, 1e-200, 1e200, 1e300])
def test_beyond_what_can_be_squared(method: IntervalMethod, scale: float) -> None:
    residuals, forecasts = drawn()
    if scale < 1e-300:
        residuals, forecasts = np.round(3 * residuals), np.round(forecasts)
    stream = stream_of(residuals * scale, forecasts * scale, scale)
    if method.name in SQUARING:
        with pytest.raises(ValueError, match=r"too (small|large) to be squared; rescale the series"):
            method.run(stream, LEVEL)
        with pytest.raises(ValueError, match=r"too (small|large) to be squared; rescale the series"):
            method.begin(stream.history, LEVEL)
        return
    checked(method, stream)


@EVERY
def test_residuals_of_other_kinds_are_the_same_numbers(method: IntervalMethod) -> None:
    whole = np.round(8 * drawn()[0])
    expected = method.run(stream_of(whole, np.zeros(SIZE), 8.0), LEVEL)
    for kind in (np.float32, np.int64, np.int8):
        found = method.run(stream_of(whole.astype(kind), np.zeros(SIZE, kind), 8.0), LEVEL)
        np.testing.assert_array_equal(found.lower, expected.lower)
        np.testing.assert_array_equal(found.upper, expected.upper)


def first_ends(method: IntervalMethod, known: int, horizon: int) -> tuple[float, float] | str:
    """Offsets of the first interval after so many residuals, or what is said of too few."""
    residuals = np.random.default_rng(6).normal(size=known)
    try:
        return method.begin(History(residuals, horizon, 1.0, {"gcv": 1.0, "evidence": 1.0}), LEVEL).issue()
    except ValueError as error:
        return str(error)


@EVERY
@pytest.mark.parametrize("horizon", [1, 3, 24])
def test_just_enough_residuals_and_one_less(method: IntervalMethod, horizon: int) -> None:
    """From the first number that is enough on every number is, and of fewer an error names what came and is needed."""
    counts = (1, 2, 3, 5, 8, 12, 20, 30, 39, 40, 45, 60, 99, 100, 130, 200)
    found = {known: first_ends(method, known, horizon) for known in counts}
    enough = min(known for known, ends in found.items() if not isinstance(ends, str))
    assert enough <= 100
    for known, ends in found.items():
        if isinstance(ends, str):
            assert known < enough
            assert {int(number) for number in re.findall(r"\d+", ends)} >= {known}
            assert max(int(number) for number in re.findall(r"\d+", ends)) > known
        else:
            assert ends[0] <= ends[1]


@EVERY
def test_a_horizon_longer_than_the_calibration(method: IntervalMethod) -> None:
    # A block whose calibration is shorter than the horizon cannot be: at its first position nothing is known.
    with pytest.raises(ValueError, match="start must lie between the horizon 30"):
        Stream(drawn()[0], 20, 30)
    # One residual known, and 29 pending: an honest answer, or an error that says how many are needed.
    ends = first_ends(method, 1, 30)
    if isinstance(ends, str):
        assert re.search(r"\d+", ends)
        return
    assert ends[0] <= ends[1]
    if method.name in ("split", "asymmetric", "unprojected"):
        assert np.isinf(ends).all()


@EVERY
def test_the_stream_is_long_enough_for_what_is_tested_here(method: IntervalMethod) -> None:
    assert method.run(stream_of(*drawn(), 1.0), LEVEL).upper.size == SIZE - START
