"""The state in memory: what it costs to gather, and what is refused before anything has changed."""

import tracemalloc
from pathlib import Path

import numpy as np
import pytest

from ngrc import NGRC, OnlineForecaster
from ngrc.durable import Observation, StoreError
from ngrc.durable.state import State
from ngrc.durable.times import Stamp
from tests.durable.kit import forecaster, session, wave


def test_gathering_costs_the_same_for_each_observation() -> None:
    def peak(count: int) -> int:
        """Bytes that one more observation allocates after so many."""
        state = State(forecaster, 10**9)
        for place in range(count):
            state.advance(1.0, Stamp(place, "index"), "")
        tracemalloc.start()
        try:
            state.advance(1.0, Stamp(count, "index"), "")
            return tracemalloc.get_traced_memory()[1]
        finally:
            tracemalloc.stop()

    # A copy of those before would take eight bytes for each; a list that grows in place adds an eighth, now and then.
    assert min(peak(20_000), peak(20_001)) < peak(100) + 8_000


def test_a_refused_gathering_leaves_what_was_gathered() -> None:
    state = State(forecaster, 60)
    for place, value in enumerate(wave(59)):
        state.advance(value, Stamp(86_400_000_000 * place, "date"), "")
    with pytest.raises(ValueError, match="spread over"):
        state.advance(1.0, Stamp(86_400_000_000 * 200_000, "date"), "")
    assert (state.seq, state.gathering) == (59, True)
    assert state.advance(1.0, Stamp(86_400_000_000 * 59, "date"), "").issued is not None


@pytest.mark.parametrize("horizon", [1, 3])
def test_a_time_whose_targets_cannot_be_written_is_refused_and_changes_nothing(
    tmp_path: Path, horizon: int
) -> None:
    address = str(tmp_path / "s.db")
    values = wave(90)
    with session(address, horizon=horizon) as one:
        for place, value in enumerate(values[:80]):
            one.take("x", Observation(value, f"{1900 + place}-01-01"))
        live = one._series["x"].state.forecaster
        for year in (10_000 - horizon, 9999):
            with pytest.raises(ValueError, match="beyond the year 9999"):
                one.take("x", Observation(1.0, f"{year}-01-01"))
        assert (one.waiting, live.count) == (80, 80)
        after = one.take("x", Observation(values[80], "1980-01-01"))
        assert after.seq == 81
        one.commit()
    with session(address, horizon=horizon) as one:
        # The last one that can be answered.
        last = one.take("x", Observation(1.0, f"{9999 - horizon}-01-01"))
        assert last.coming is not None
        assert last.coming.targets[-1] == "9999-01-01"
        with pytest.raises(ValueError, match="beyond the year 9999"):
            one.take("x", Observation(1.0))
        one.commit()


def test_whatever_is_raised_after_the_forecaster_has_moved_loses_the_state(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    address = str(tmp_path / "s.db")
    with session(address) as one:
        for value in wave(70):
            one.take("x", Observation(value))

        def refuse(*_: object) -> None:
            raise ValueError("cannot be written")

        with monkeypatch.context() as patch:
            patch.setattr("ngrc.durable.state.settled_by", refuse)
            with pytest.raises(ValueError, match="cannot be written"):
                one.take("x", Observation(1.0))
        with pytest.raises(StoreError, match="is lost in memory; start again"):
            one.take("x", Observation(1.0))
        one.commit()
    with session(address) as one:
        assert one.take("x", Observation(1.0)).seq == 71


def test_a_missing_observation_is_known_beside_its_late_outcome_that_waits(address: str) -> None:
    values: list[float | None] = [*wave(70)]
    values[65] = None
    with session(address, late="accept") as one:
        for value in values:
            one.take("x", Observation(value))
        one.commit()
        late = one.take("x", Observation(0.5, 65))
        for _ in range(2):
            assert one.take("x", Observation(None, 65)).seq == 66
            assert one.take("x", Observation(0.5, 65)).seq == late.seq == 71
            one.commit()


def test_a_time_off_the_grid_is_refused_when_it_comes() -> None:
    """Accepted, it would refuse the start, and the series could never begin."""
    state = State(lambda: OnlineForecaster(NGRC(lags=2), "split", 0.8), 60)
    hour = 3_600_000_000
    places = [*range(20), *range(23, 63)]
    for count, place in enumerate(places[:-1]):
        if count == 30:
            before = state.seq
            with pytest.raises(ValueError, match="does not lie on the grid of the 30 gathered before it"):
                state.advance(1.0, Stamp(place * hour - hour // 2, "local"), "")
            assert state.seq == before
        state.advance(float(np.sin(place)), Stamp(place * hour, "local"), "")
    state.advance(0.0, Stamp(places[-1] * hour, "local"), "")
    assert not state.gathering
