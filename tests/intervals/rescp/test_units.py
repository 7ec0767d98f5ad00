"""States within a bound on memory: made again bit for bit, and announced where they take long."""

import logging
import tracemalloc
from collections.abc import Callable

import numpy as np
import pytest

from ngrc._progress import Progress, listening
from ngrc._types import FloatArray
from ngrc.intervals.base import Stream
from ngrc.intervals.rescp import block, method, pace
from ngrc.intervals.rescp.block import batches, states_made
from ngrc.intervals.rescp.method import ResCP
from ngrc.intervals.rescp.pace import ASKED, PIECE, Rate, Work, in_words, measured, seconds
from ngrc.intervals.rescp.reservoir import Reservoir, draw_reservoir
from ngrc.intervals.rescp.states import CHUNK, origin_units
from ngrc.intervals.rescp.units import Held, Remade, units_of

SIZE = 32


@pytest.mark.parametrize("horizon", [1, 5])
def test_rows_are_made_again_bit_for_bit(horizon: int) -> None:
    reservoir = draw_reservoir(SIZE, seed=2)
    inputs = np.random.default_rng(0).normal(size=3 * CHUNK + 100)
    whole, _ = origin_units(reservoir, inputs, horizon)
    # Room for the fewest stretches that are ever kept.
    remade = Remade(reservoir, inputs, horizon, kept_bytes=0)
    assert (remade.count, remade.size) == whole.shape
    for first, stop in ((0, 3), (CHUNK - 2, CHUNK + 9), (0, len(whole)), (2 * CHUNK, 2 * CHUNK + 1), (5, 5)):
        assert np.array_equal(remade.rows(first, stop), whole[first:stop])
    scattered = np.array([0, 1, CHUNK + 7, 3 * CHUNK + 90])
    assert np.array_equal(remade.take(scattered), whole[scattered])
    assert np.array_equal(remade.single().rows(3, 2000), whole[3:2000].astype(np.float32))
    assert len(remade.kept) == remade.most == 2


def test_few_residuals_are_held() -> None:
    reservoir = draw_reservoir(SIZE, seed=2)
    inputs = np.random.default_rng(0).normal(size=500)
    assert isinstance(units_of(reservoir, inputs, 1), Held)
    assert isinstance(units_of(reservoir, inputs, 1, held_bytes=500 * SIZE * 8), Remade)


def in_pieces(reservoir: Reservoir, inputs: FloatArray, horizon: int) -> Held:
    units = Held(origin_units(reservoir, inputs, horizon)[0])
    units.together = 700
    return units


@pytest.mark.parametrize("window", ["all", 300, None])
@pytest.mark.parametrize("screened", [0, 2**40])
def test_the_bound_changes_no_end(window: object, screened: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Also where a product is made in pieces, up to the rounding of its sums."""
    residuals = np.random.default_rng(1).standard_t(4, size=CHUNK + 900)
    stream = Stream(residuals, start=CHUNK + 700, horizon=2)
    rescp = ResCP(size=SIZE, window=window, windows=(100, "all"), temperatures=(0.1, 0.2))  # type: ignore[arg-type]
    monkeypatch.setattr(block, "SCREENED_WINDOW", screened)
    free = rescp.run(stream, 0.9)
    monkeypatch.setattr(method, "units_of", lambda *given: units_of(*given, held_bytes=0))
    bounded = rescp.run(stream, 0.9)
    assert np.array_equal(free.lower, bounded.lower)
    assert np.array_equal(free.upper, bounded.upper)
    monkeypatch.setattr(method, "units_of", lambda *given: in_pieces(*given))
    pieces = rescp.run(stream, 0.9)
    np.testing.assert_allclose(pieces.lower, free.lower, rtol=1e-9)
    np.testing.assert_allclose(pieces.upper, free.upper, rtol=1e-9)


def test_memory_stays_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    """At a tenth of the size: states of 30,000 residuals would take 15 MB, and 2 MB may be held."""
    size, kept, similarities = 64, 1 << 20, 1 << 17
    monkeypatch.setattr(
        method, "units_of", lambda *given: units_of(*given, held_bytes=1 << 21, kept_bytes=kept)
    )
    monkeypatch.setattr(block, "ELEMENTS", similarities)
    residuals = np.random.default_rng(1).normal(size=30_040)
    rescp = ResCP(size=size, window="all", temperature=0.1, connectivity=0.5)
    rescp.run(Stream(residuals[:2000], start=1990), 0.9)
    tracemalloc.start()
    rescp.run(Stream(residuals, start=30_000), 0.9)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    # Sixteen rows of similarities are the fewest; values, their order and a copy of them come on top.
    similar = 16 * 30_000 * 8 * 5 / 4
    assert peak < 2 * kept + similar + 8 * 30_000 * 8
    assert peak < 30_000 * size * 8


def test_batches_cover_everything_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(block, "ELEMENTS", 1000)
    wanted = np.array([0, 1, 2, 500, 501, 5000, 5001, 5002])
    parts = list(batches(wanted, 4, 50))
    assert np.array_equal(np.concatenate(parts), wanted)
    for part in parts:
        assert part.size <= 4
        assert part.size == 1 or part.size * (50 + part[-1] - part[0]) <= 2000


class Kept(logging.Handler):
    """Lines of the log."""

    def __init__(self) -> None:
        super().__init__(logging.INFO)
        self.lines: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.lines.append(record.getMessage())


def test_a_long_wait_is_announced_before_the_work(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    kept = Kept()
    monkeypatch.setattr(logging.getLogger("ngrc"), "handlers", [kept])
    # Not by setting the attribute: a logger remembers which levels it lets through.
    caplog.set_level(logging.INFO, logger="ngrc")
    residuals = np.random.default_rng(1).normal(size=PIECE + 300)
    stream = Stream(residuals, start=PIECE + 200)
    rescp = ResCP(size=SIZE, window="all", temperature=0.1)
    heard: list[Progress] = []
    with listening(heard.append):
        plain = rescp.run(stream, 0.9)
    assert kept.lines == []
    assert (heard[-1].done, heard[-1].total) == (100, 100)
    # A heavy block is timed on a piece, which changes nothing; one that is done soon is not spoken of.
    monkeypatch.setattr(pace, "HEAVY", 1000)
    timed = rescp.run(stream, 0.9)
    assert kept.lines == []
    monkeypatch.setattr(pace, "LONG", 0.0)
    monkeypatch.setattr(method, "measured", lambda make, compare: Rate(1.0 / 2048, 0.0))
    told = rescp.run(stream, 0.9)
    assert kept.lines == [
        f"ResCP compares 100 states with up to {PIECE + 300:,} earlier ones each: about 2 minutes; other methods are "
        "faster"
    ]
    for again in (timed, told):
        assert np.array_equal(again.lower, plain.lower)


def test_the_rate_is_that_of_the_piece(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = [0.0]

    def lasting(seconds: float) -> Callable[[], None]:
        def work() -> None:
            clock[0] += seconds

        return work

    monkeypatch.setattr(pace, "perf_counter", lambda: clock[0])
    rate = measured(lasting(3.0), lasting(5.0))
    # The piece itself: so many states made and queries compared take what they took.
    assert seconds(Work(ASKED, PIECE, PIECE), rate) == pytest.approx(8.0)
    assert seconds(Work(10 * ASKED, PIECE, 0), rate) == pytest.approx(50.0)
    assert seconds(Work(0, PIECE, 10 * PIECE), rate) == pytest.approx(30.0)


def test_states_are_counted() -> None:
    assert states_made(SIZE, 1000, 1000, 10, held_bytes=1000 * SIZE * 8) == 1000
    assert states_made(SIZE, 1000, 1000, 10, held_bytes=0) == 2000
    many = 10**6
    assert states_made(512, many, many, 33) == many + 3 * many


def test_waits_in_words() -> None:
    assert [in_words(seconds) for seconds in (61, 3 * 60, 3 * 3600, 4 * 86400)] == [
        "61 seconds",
        "3 minutes",
        "3.0 hours",
        "4.0 days",
    ]
