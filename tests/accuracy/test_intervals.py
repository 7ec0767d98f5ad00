"""Conformalised quantiles against arithmetic by hand, our intervals on the same targets, and what is read off both."""

from collections.abc import Callable
from dataclasses import dataclass, field, replace

import numpy as np
import pytest
from accuracy.checks import checks
from accuracy.interval_cases import INTERVALS, OURS_BANDED, PEER, interval_scores
from accuracy.interval_checks import every_series, interval_checks, pairs
from accuracy.interval_tables import interval_words
from accuracy.methods.backtested import ScheduledWalk, backtested
from accuracy.methods.base import Forecasts, Known
from accuracy.methods.conformal import ConformalQuantiles, FittedQuantiles, Quantiles, fit_quantiles
from accuracy.report import judged
from accuracy.schedule import Schedule, schedule
from accuracy.scores import Row
from accuracy.series import LongSeries, long_names
from accuracy.walk import Walk, walk

from ngrc._types import FloatArray
from tests.accuracy.test_scores import scene


@dataclass
class Around:
    """A quantile of what it was fitted to, around the newest lag; keeps what it was shown."""

    level: float
    rows: list[FloatArray] = field(default_factory=list)
    offset: float = 0.0

    def fit(self, columns: FloatArray, outcomes: FloatArray) -> "Around":
        self.rows.append(outcomes)
        self.offset = float(np.quantile(outcomes - columns[:, 0], self.level))
        return self

    def predict(self, columns: FloatArray) -> FloatArray:
        self.rows.append(columns[:, 0])
        return np.asarray(columns[:, 0] + self.offset)


@dataclass
class Constant:
    """Says one number, whatever it is fitted to."""

    value: float

    def fit(self, columns: FloatArray, outcomes: FloatArray) -> "Constant":
        return self

    def predict(self, columns: FloatArray) -> FloatArray:
        return np.full(len(columns), self.value)


@pytest.mark.parametrize("horizon", [1, 5])
def test_every_fitted_outcome_is_known_when_the_first_calibrating_forecast_is_made(horizon: int) -> None:
    # Each value is its own place in the series, so that rows say which origins and targets they are.
    values = np.arange(103.0)
    quantiles, _ = fit_quantiles(Known(values, None, 4), horizon, 4, Around)
    targets, origins = quantiles.low.rows
    count = 103 - horizon - 3
    assert targets.tolist() == list(range(3 + horizon, 3 + horizon + 3 * count // 4))
    assert origins[0] == targets[-1] + 1
    # And the last calibrating target is the last observation.
    assert origins[-1] + horizon == 102


def constants(low: float, high: float) -> Callable[[float], Constant]:
    return lambda level: Constant(low if level < 0.5 else high)


def test_ends_move_outwards_by_the_corrected_rank_of_the_scores() -> None:
    values = np.random.default_rng(0).normal(size=203)
    past = Known(values, None, 4)
    _, outwards = fit_quantiles(past, 2, 4, constants(-0.5, 1.0))
    # 198 rows, 148 of them fitted, 2 of neither, 48 scores: the rank is ceil(49 * 0.9) = 45.
    later = values[-48:]
    by_hand = sorted(max(-0.5 - y, y - 1.0) for y in later)[44]
    assert outwards == by_hand
    ahead = ConformalQuantiles(constants(-0.5, 1.0)).fit(past, [2]).forecast(past, np.array([202]))[2]
    assert ahead.lower is not None
    assert ahead.upper is not None
    assert (ahead.lower[0], ahead.upper[0]) == (-0.5 - by_hand, 1.0 + by_hand)
    assert ahead.point[0] == pytest.approx(0.25)


def test_quantiles_that_cross_are_sorted_before_they_are_scored_and_after() -> None:
    past = Known(np.random.default_rng(0).normal(size=203), None, 4)
    assert (
        fit_quantiles(past, 2, 4, constants(1.0, -0.5))[1]
        == fit_quantiles(past, 2, 4, constants(-0.5, 1.0))[1]
    )
    # Moved inwards by more than half of their distance.
    fitted = FittedQuantiles(4, {2: (Quantiles(Constant(0.0), Constant(1.0)), -0.75)})
    ahead = fitted.forecast(past, np.array([202]))[2]
    assert ahead.lower is not None
    assert ahead.upper is not None
    assert (ahead.lower[0], ahead.upper[0]) == (0.25, 0.75)


def test_the_corrected_rank_covers_whatever_the_quantiles_are() -> None:
    size = 20_000
    values = np.random.default_rng(3).standard_t(3, size)
    past = Known(values, None, 1)
    _, outwards = fit_quantiles(past, 1, 1, constants(0.0, 0.1))
    fresh = np.random.default_rng(4).standard_t(3, size)
    inside = np.mean((fresh >= -outwards) & (fresh <= 0.1 + outwards))
    # Four standard errors: of the calibrating quarter, and of the fresh values.
    assert abs(inside - 0.9) < 4 * np.sqrt(0.09 / (size // 4) + 0.09 / size)


def made(size: int = 1200) -> LongSeries:
    rng = np.random.default_rng(1)
    values = np.sin(np.arange(size) * np.pi / 6) + rng.normal(0, 0.3, size)
    return LongSeries("made", "made", 12, values, np.datetime64("2020-01-01T00", "h") + np.arange(size))


def conformalised(series: LongSeries, plan: Schedule) -> Walk:
    return walk(series, ConformalQuantiles(Around), plan, np.arange(plan.origins.size))


@pytest.mark.parametrize("method", [conformalised, backtested])
def test_no_interval_changes_with_what_comes_after_its_origin(
    method: Callable[[LongSeries, Schedule], Walk],
) -> None:
    series = made()
    plan = schedule(series.values.size, series.season)
    honest = method(series, plan)
    cut = int(plan.origins[plan.origins.size // 2])
    values = series.values.copy()
    values[cut + 1 :] += 1000.0
    other = method(replace(series, values=values), plan)
    before = plan.origins <= cut
    for horizon in (1, 12):
        for end in ("lower", "upper"):
            one, two = (getattr(walked.forecasts[horizon], end) for walked in (honest, other))
            assert one.shape == plan.origins.shape
            assert np.array_equal(one[before], two[before])
            # And the other half must notice, or the test could not fail.
            assert not np.allclose(one[~before], two[~before])


@pytest.mark.parametrize("horizon", [1, 24])
def test_our_walk_has_the_targets_and_the_fits_of_the_schedule(horizon: int) -> None:
    plan = schedule(1000, 24)
    (blocks,) = ScheduledWalk(plan).splits(1000, 50, horizon)
    targets = np.arange(blocks.test.start, blocks.test.stop)
    assert np.array_equal(targets, plan.origins + horizon)
    owners = {int(t): end for end, stretch in blocks.stretches() for t in range(stretch.start, stretch.stop)}
    for end, positions in plan.blocks():
        assert {owners[int(target)] for target in targets[positions]} == {end}
    # Before it, the library's own walk: a first fit on 30 % and eight refits.
    assert (blocks.fit.stop, blocks.ends[7]) == (50 + 285, plan.ends[0])


def test_an_outcome_on_an_end_is_inside_however_the_end_is_rounded() -> None:
    outcomes = np.array([0.0, 0.0, 1.0])
    band = Forecasts(np.zeros(3), np.array([1e-13, 0.1, 0.0]), np.array([1e-13, 0.2, 1.0]))
    inside, score = interval_scores(outcomes, band, 1.0)
    assert inside == pytest.approx(2 / 3)
    assert score == pytest.approx((0.1 + 20 * 0.1 + 1.0) / 3)


def test_ends_that_are_missing_or_no_numbers_stop_the_score() -> None:
    with pytest.raises(ValueError, match="gave none"):
        interval_scores(np.zeros(2), Forecasts(np.zeros(2)), 1.0)
    for upper in (np.array([1.0, np.inf]), np.array([np.nan, 1.0])):
        with pytest.raises(ValueError, match="got 2, of which 1 are not finite"):
            interval_scores(np.zeros(2), Forecasts(np.zeros(2), -np.ones(2), upper), 1.0)
    with pytest.raises(ValueError, match="3 intervals"):
        interval_scores(np.zeros(3), Forecasts(np.zeros(2), -np.ones(2), np.ones(2)), 1.0)


def banded(series: str, method: str, winkler: float, horizon: int = 1) -> Row:
    group = series.partition("/")[0]
    return Row(
        "interval", group, series, horizon, "all", method, 10, coverage=0.9, winkler=winkler, seconds=1.0
    )


def duel_of(ratios: list[float]) -> list[Row]:
    """One case per ratio, the peer's score being 2."""
    scores = {PEER: [2.0] * len(ratios), OURS_BANDED: [2.0 * ratio for ratio in ratios]}
    return [
        banded(f"rates/{place}", name, score)
        for name, listed in scores.items()
        for place, score in enumerate(listed)
    ]


@pytest.mark.parametrize(
    ("ratios", "met"),
    [
        # 65 % ahead is enough.
        ([0.8] * 13 + [1.1] * 7, [True, True]),
        ([0.96] * 20, [False, True]),
        ([0.5] * 12 + [1.01] * 8, [True, False]),
        ([1.0] * 20, [False, False]),
    ],
)
def test_the_mean_ratio_and_the_share_of_cases_are_judged_apart(ratios: list[float], met: list[bool]) -> None:
    assert [one.met for one in interval_checks(duel_of(ratios))] == met


def test_demands_on_intervals_wait_for_every_series_and_leave_the_others_as_they_are() -> None:
    whole = [
        banded(series, method, 1.0 if method == PEER else 0.9, horizon)
        for series in long_names()
        for method in INTERVALS
        for horizon in (1, 7)
    ]
    assert every_series(whole)
    assert [one.verdict for one in judged(whole)] == ["MATCH", "MATCH"]
    assert "over 250 cases" in judged(whole)[0].measured
    assert not judged([row for row in whole if (row.series, row.method) != ("ozone", PEER)])
    rows = scene(ours=0.9, inside=0.9, seconds=1.0)
    assert checks([*rows, *whole]) == checks(rows)


def test_the_largest_ratios_come_first_and_a_method_alone_has_its_scores_shown() -> None:
    rows = [*duel_of([0.5, 1.5, 1.0]), banded("solar/0", PEER, 8.0, horizon=144)]
    assert [one.ratio for one in pairs(rows)] == [1.5, 1.0, 0.5]
    groups, worst = interval_words(rows)
    assert [line[:2] for line in groups.lines] == [("rates", "1"), ("solar", "season"), ("all", "both")]
    assert groups.lines[0][-5:] == ("3", "1", "1", "33.3%", "0.9086")
    # One of the two has no such row: nothing to compare, and its own score still stands.
    assert groups.lines[1][2:] == ("0.900", "8", "", "", "", "", "", "", "")
    assert worst.lines[0][:3] == ("rates/1", "1", "1.5")
    (alone,) = interval_words([row for row in rows if row.method == PEER])
    assert "Winkler ratio" in alone.head
    assert interval_words(scene(1.0, 0.9, 1.0)) == []
