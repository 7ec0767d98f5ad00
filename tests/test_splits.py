"""Splits against the paper's printed sizes, and the rules that keep the future out."""

from contextlib import suppress

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from ngrc._shares import share
from ngrc.splits import Blocks, FixedOrigin, FixedSizes, ShiftedWindows, Splitter, WalkForward

# Table "Processed series lengths": observations, lags, (fit, calibration, test) at H = 1, 3, 7.
PRINTED = {
    "ozone": (16071, 21, [(6420, 6420, 3210), (6419, 6419, 3210), (6417, 6417, 3210)]),
    "solar": (52560, 36, [(21009, 21009, 10506), (21008, 21008, 10506), (21007, 21007, 10504)]),
    "beijing": (35064, 24, [(14016, 14016, 7008), (14015, 14015, 7008), (14013, 14013, 7008)]),
    "exchange": (7587, 14, [(3029, 3029, 1515), (3028, 3028, 1515), (3026, 3026, 1515)]),
}


@pytest.mark.parametrize("dataset", PRINTED)
@pytest.mark.parametrize(("which", "horizon"), [(0, 1), (1, 3), (2, 7)])
def test_fixed_origin_gives_the_printed_sizes(dataset: str, which: int, horizon: int) -> None:
    observations, lags, sizes = PRINTED[dataset]
    (blocks,) = FixedOrigin().splits(observations, lags - 1 + horizon, horizon)
    assert (blocks.fit_rows, blocks.calibration_rows, blocks.test_rows) == sizes[which]
    assert blocks.scale_end == int(0.4 * observations)
    assert blocks.test.stop == observations


@settings(deadline=None, max_examples=60)
@given(st.integers(200, 2000), st.integers(1, 20), st.integers(1, 7))
def test_blocks_follow_each_other_and_guards_keep_their_distance(n: int, memory: int, horizon: int) -> None:
    for splitter in (FixedOrigin(), ShiftedWindows()):
        for blocks in splitter.splits(n, memory - 1 + horizon, horizon):
            assert blocks.fit.stop == blocks.calibration.start
            assert blocks.calibration.stop == blocks.test.start
            assert blocks.test.stop <= n
            # The first usable calibration forecast was issued when the fit block had closed ...
            assert blocks.history.start - horizon >= blocks.fit.stop - 1
            # ... and the last usable outcome is observed when the first test interval is issued.
            assert blocks.history.stop - 1 <= blocks.test.start - horizon
            assert blocks.history_rows == blocks.calibration_rows - 2 * (horizon - 1)
            assert blocks.pending.stop - blocks.pending.start == horizon - 1


def test_shifted_windows_start_where_the_paper_says() -> None:
    splits = ShiftedWindows().splits(7587, 14, 1)
    rows = 7587 - 14
    for blocks, start in zip(splits, (0.0, 0.1, 0.2), strict=True):
        assert blocks.fit.start == 14 + int(start * rows)
        assert (blocks.fit_rows, blocks.calibration_rows, blocks.test_rows) == (3029, 1514, 1514)
        assert blocks.scale_end == blocks.fit.stop


def test_stream_holds_pending_but_no_guards() -> None:
    (blocks,) = FixedSizes(20, 30, 10).splits(80, 5, 3)
    stream = blocks.stream(np.arange(80.0), np.ones(80), 2.0)
    assert stream.residuals[0] == blocks.calibration.start + 2
    assert stream.residuals[stream.start] == blocks.test.start
    assert stream.known == 30 - 2 * 2
    assert stream.residuals[stream.known - 1] == blocks.test.start - 3
    assert stream.steps == 10
    assert stream.fit_scale == 2.0


@pytest.mark.parametrize("splitter", [FixedOrigin(), ShiftedWindows()])
def test_too_short_says_how_many_observations_are_needed(splitter: FixedOrigin | ShiftedWindows) -> None:
    with pytest.raises(ValueError, match="observations are needed") as caught:
        splitter.splits(20, 12, 1)
    needed = int(str(caught.value).split("too short: ")[1].split()[0])
    assert splitter.splits(needed, 12, 1)
    with pytest.raises(ValueError, match="too short"):
        splitter.splits(needed - 1, 12, 1)


@settings(deadline=None, max_examples=80)
@given(
    st.integers(1, 9),
    st.integers(1, 30),
    st.floats(0.1, 0.6),
    st.floats(0.05, 0.3),
    st.sampled_from(["origin", "windows"]),
)
def test_the_needed_number_is_the_smallest_that_passes(
    horizon: int, memory: int, fit: float, calibration: float, kind: str
) -> None:
    splitter = (
        FixedOrigin(fit, calibration)
        if kind == "origin"
        else ShiftedWindows((0.0,), fit, calibration, 1.0 - fit - calibration)
    )
    first = memory - 1 + horizon
    with pytest.raises(ValueError, match="observations are needed") as caught:
        splitter.splits(first + 1, first, horizon)
    stated = int(str(caught.value).split("too short: ")[1].split()[0])
    assert stated == next(n for n in range(first, 10_000) if passes(splitter, n, first, horizon))


def passes(splitter: Splitter, n: int, first: int, horizon: int) -> bool:
    try:
        return bool(splitter.splits(n, first, horizon))
    except ValueError:
        return False


def test_a_sliver_of_a_test_block_needs_no_more_rows_than_one_target() -> None:
    """All that is left over is tested, however small its share."""
    with pytest.raises(ValueError, match="too short: 13 observations"):
        FixedOrigin(0.4999, 0.5).splits(10, 1, 1)
    assert FixedOrigin(0.4999, 0.5).splits(13, 1, 1)[0].test_rows == 1


@pytest.mark.parametrize("splitter", [FixedOrigin(), ShiftedWindows()])
@pytest.mark.parametrize(
    ("n", "horizon"), [(1000, 10**6), (10**7, 10**6), (10**9, 10**9 - 1), (50, 10**30), (50, 10**400)]
)
def test_a_hopeless_horizon_is_refused_at_once(
    splitter: FixedOrigin | ShiftedWindows, n: int, horizon: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    tried = list[int]()

    def counted(fraction: float, rows: int) -> int:
        tried.append(rows)
        return share(fraction, rows)

    monkeypatch.setattr("ngrc.splits.fixed.share", counted)
    with pytest.raises(ValueError, match=r"fewer lags or a shorter horizon|use a shorter one"):
        splitter.splits(n, 3 + horizon, horizon)
    # Some halvings for each binary digit; the search row by row took most of a minute.
    assert len(tried) < 12 * horizon.bit_length()


def test_blocks_are_slices_of_anything_by_target_time() -> None:
    blocks = Blocks(start=5, fit_rows=20, calibration_rows=30, test_rows=10, horizon=3, scale_end=0)
    times = np.arange(80)
    assert times[blocks.fit].tolist() == list(range(5, 25))
    assert times[blocks.calibration].tolist() == list(range(25, 55))
    assert times[blocks.test].tolist() == list(range(55, 65))
    assert times[blocks.history].tolist() == list(range(27, 53))
    assert times[blocks.pending].tolist() == [53, 54]
    assert blocks.history_rows == times[blocks.history].size
    assert times[Blocks(0, 4, 4, 4, 1, 0).pending].size == 0
    assert {blocks: "hashable"}[blocks] == "hashable"


def test_bad_shares_are_refused() -> None:
    with pytest.raises(ValueError, match="leave room for the test block"):
        FixedOrigin(0.6, 0.4).splits(1000, 5, 1)
    with pytest.raises(ValueError, match="leave room for the test block"):
        FixedOrigin(0.7, 0.4).splits(1000, 5, 1)
    with pytest.raises(ValueError, match="must be positive"):
        ShiftedWindows(test=0.0).splits(1000, 5, 1)
    with pytest.raises(ValueError, match="must end inside the series"):
        ShiftedWindows(starts=(0.5,)).splits(1000, 5, 1)
    with pytest.raises(ValueError, match="need 115 observations, got 90"):
        FixedSizes(50, 50, 10).splits(90, 5, 1)


@settings(deadline=None, max_examples=80)
@given(st.integers(8, 1500), st.integers(1, 12), st.integers(1, 7), st.sampled_from([None, 1, 7]))
def test_a_walk_covers_all_rows_and_ends_where_the_fixed_origin_does(
    n: int, memory: int, horizon: int, refit_every: int | None
) -> None:
    first = memory - 1 + horizon
    splitter = WalkForward(refit_every=refit_every)
    assume(passes(splitter, n, first, horizon))
    (blocks,) = splitter.splits(n, first, horizon)
    assert blocks.fit.start == first
    assert blocks.test.stop == n
    assert blocks.fit_rows >= 2
    assert blocks.history_rows >= 4
    assert blocks.test_rows >= 1
    assert blocks.scale_end == blocks.fit.stop
    if refit_every is None:
        assert len(blocks.ends) <= 12
    with suppress(ValueError):
        assert FixedOrigin().splits(n, first, horizon)[0].test == blocks.test
    # Every target has one model, whose end lies before its forecast is made, and which is the last such.
    every = (blocks.fit.stop, *blocks.ends)
    models = {t: end for end, targets in blocks.stretches() for t in range(targets.start, targets.stop)}
    assert list(models) == list(range(n))
    for target in range(blocks.history.start, n):
        assert models[target] == max(end for end in every if end <= target - horizon + 1)
    assert blocks.fitted.stop == max(end for end in every if end <= blocks.test.start - horizon + 1)
    # Every end forecasts something.
    assert sorted(set(models.values())) == sorted(every)


def test_the_first_test_interval_is_issued_by_a_model_of_all_that_is_observed() -> None:
    for n, horizon in ((60, 1), (200, 3), (5000, 7)):
        (blocks,) = WalkForward().splits(n, 3 + horizon, horizon)
        assert blocks.fitted == slice(blocks.start, blocks.test.start - horizon + 1)
        assert len(blocks.ends) == 12
        assert sum(end > blocks.fitted.stop for end in blocks.ends) == 4


def test_a_window_forgets_old_targets_and_not_the_first_ones_it_has() -> None:
    (blocks,) = WalkForward(window=100, refits=(2, 1)).splits(500, 10, 1)
    assert [blocks.first_row(end) for end in (blocks.fit.stop, *blocks.ends)] == [
        end - 100 for end in (blocks.fit.stop, *blocks.ends)
    ]
    (wide,) = WalkForward(window=400).splits(500, 10, 1)
    assert wide.first_row(wide.fit.stop) == 10
    assert wide.fitted == slice(10, wide.test.start)


def test_bad_walks_are_refused() -> None:
    with pytest.raises(ValueError, match="leave rows between them"):
        WalkForward(fit=0.7, test=0.3).splits(1000, 5, 1)
    with pytest.raises(ValueError, match="must be positive"):
        WalkForward(fit=0.0).splits(1000, 5, 1)
    with pytest.raises(ValueError, match="refits must be at least 0, got -1"):
        WalkForward(refits=(-1, 2)).splits(1000, 5, 1)
    with pytest.raises(ValueError, match="reaches beyond the series"):
        WalkForward().splits(20, 25, 24)
    for ends in ((30, 30), (25,), (40, 35)):
        with pytest.raises(ValueError, match="ends must rise, the first above the fit block's 25"):
            Blocks(5, 20, 10, 4, 1, 0, ends=ends)
    with pytest.raises(ValueError, match="window must be at least 1, got 0"):
        Blocks(5, 20, 10, 4, 1, 0, window=0)
    assert WalkForward(refits=(0, 0)).splits(1000, 5, 1)[0].ends == ()


@pytest.mark.parametrize("horizon", [1, 4])
def test_the_shortest_walk_is_told_exactly(horizon: int) -> None:
    with pytest.raises(ValueError, match="observations are needed") as caught:
        WalkForward().splits(horizon + 1, horizon, horizon)
    needed = int(str(caught.value).split("too short: ")[1].split()[0])
    assert WalkForward().splits(needed, horizon, horizon)
    with pytest.raises(ValueError, match="too short"):
        WalkForward().splits(needed - 1, horizon, horizon)
