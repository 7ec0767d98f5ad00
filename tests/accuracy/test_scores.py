"""Scores, duels, ranks and verdicts against values worked out by hand."""

from dataclasses import replace

import numpy as np
import pytest
from accuracy.checks import at_horizon, checks, long_duels, total_seconds, worse
from accuracy.long_cases import calibrating, conformal, scored
from accuracy.methods import OURS
from accuracy.methods.base import Forecasts
from accuracy.ranks import Ranking, critical_difference, ranking
from accuracy.scores import Row, geometric_mean, mae, rmse, seasonal_scale
from accuracy.short import GROUPS, ShortSeries
from accuracy.short_cases import short_rows
from accuracy.table import behind_naive, by_method, duel, in_every_case, mean_by_series
from scipy.stats import friedmanchisquare


def test_the_scale_is_the_mean_seasonal_difference_of_the_known_part() -> None:
    assert seasonal_scale(np.array([1.0, 5.0, 2.0, 9.0]), 2) == 2.5
    with pytest.raises(ValueError, match="repeats its season"):
        seasonal_scale(np.array([1.0, 2.0, 1.0, 2.0]), 2)
    with pytest.raises(ValueError, match="more than one season"):
        seasonal_scale(np.array([1.0, 2.0]), 2)


def test_a_forecast_that_is_no_number_stops_the_score() -> None:
    assert rmse(np.array([3.0, -4.0])) == pytest.approx(np.sqrt(12.5))
    assert mae(np.array([3.0, -4.0])) == 3.5
    for score in (rmse, mae):
        with pytest.raises(ValueError, match="1 of 2 forecasts are no numbers"):
            score(np.array([1.0, np.nan]))


def test_a_geometric_mean_takes_no_zero() -> None:
    assert geometric_mean(np.array([0.25, 1.0, 4.0])) == pytest.approx(1.0)
    for bad in ([], [0.0, 1.0], [np.inf]):
        with pytest.raises(ValueError, match="geometric mean"):
            geometric_mean(np.array(bad))


def test_intervals_are_scored_where_they_are_later_and_errors_everywhere() -> None:
    band = Forecasts(np.zeros(3), np.array([np.nan, -1.0, -1.0]), np.array([np.nan, 1.0, 1.0]))
    found = scored(row("a", "x", 0.0), np.array([9.0, 0.0, 3.0]), band, np.array([False, True, True]), 2.0)
    # Widths of 2, and a miss by 2 at the weight 2 / 0.1: (2 + 42) / 2.
    assert found.coverage == 0.5
    assert found.winkler == pytest.approx(22.0)
    assert found.mae == 4.0
    assert found.mase == 2.0


def test_the_first_step_and_the_path_of_a_short_series() -> None:
    series = ShortSeries("s", 1, np.array([*np.arange(12.0) * 2, 30.0, 30.0, 30.0, 30.0, 30.0, 40.0]), None)
    first, path = short_rows(series, "naive")
    assert (first.origins, first.horizon, path.horizon) == ("12", 1, 6)
    assert first.mase == 8.0 / 2.0
    assert path.mase == (5 * 8.0 + 18.0) / 6 / 2.0
    assert np.isnan(first.winkler)


def test_adaptive_ends_stand_around_every_later_forecast() -> None:
    rng = np.random.default_rng(0)
    banded = conformal(rng.normal(size=2000), np.zeros(2000), 7)
    assert banded.lower is not None
    assert np.array_equal(np.isnan(banded.lower), np.arange(2000) < calibrating(2000))


def row(series: str, method: str, error: float, **changes: object) -> Row:
    base = Row("long", "rates", series, 1, "all", method, 10, error, error, error, 0.9, 1.0, 2.0)
    return replace(base, **changes)  # type: ignore[arg-type]


def test_a_duel_counts_wins_and_no_ties() -> None:
    errors = {"x": {"a": 1.0, "b": 2.0, "c": 4.0, "d": 1.0}, "y": {"a": 2.0, "b": 2.0, "c": 2.0}}
    rows = [row(series, method, error) for method, cases in errors.items() for series, error in cases.items()]
    table = by_method(rows, lambda one: one.rmse)
    found = duel(table, "x", "y")
    assert (found.cases, found.wins, found.losses) == (3, 1, 1)
    assert found.ratio == pytest.approx(1.0)
    assert found.share == pytest.approx(1 / 3)
    with pytest.raises(ValueError, match="no case in common"):
        duel({"x": {("a", 1, "all"): 1.0}, "y": {}}, "x", "y")


def test_cases_behind_the_better_naive_are_all_listed() -> None:
    cases = [(name, 1, "all") for name in "abc"]
    table = {
        OURS: dict(zip(cases, (1.02, 1.5, 1.04), strict=True)),
        "naive": dict(zip(cases, (1.0, 1.0, 2.0), strict=True)),
        "seasonal naive": dict(zip(cases, (3.0, 3.0, 1.0), strict=True)),
    }
    assert [(one.case[0], one.ratio) for one in behind_naive(table, OURS, 1.03)] == [("b", 1.5), ("c", 1.04)]


def test_a_series_counts_once_however_many_ends_it_has() -> None:
    rows = [row("a", "x", 1.0, origins="10"), row("a", "x", 3.0, origins="16"), row("b", "x", 5.0)]
    assert [*mean_by_series(rows, lambda one: one.mase)["x"].values()] == [2.0, 5.0]


def test_a_peer_of_paths_is_compared_on_the_spread_origins_and_others_on_all() -> None:
    rows = [row("a", OURS, 1.0), row("a", "ridge", 2.0), row("a", OURS, 4.0, origins="spread")]
    rows += [row("a", "ridge", 1.0, origins="spread"), row("a", "MSTL", 2.0, origins="spread")]
    assert {one.peer: one.ratio for one in long_duels(rows)} == {"ridge": 0.5, "MSTL": 2.0}


def test_cost_counts_every_run_once() -> None:
    rows = [row("a", OURS, 1.0), row("a", OURS, 1.0, origins="spread", seconds=float("nan"))]
    assert total_seconds([*rows, row("a", "ridge", 1.0, seconds=50.0)], OURS) == 2.0


def test_mean_ranks_share_ties_and_agree_with_scipy() -> None:
    rng = np.random.default_rng(0)
    errors = rng.random((30, 4)) + np.array([0.0, 0.1, 0.2, 0.8])
    table = {name: {(str(k), 1, "all"): errors[k, j] for k in range(30)} for j, name in enumerate("abcd")}
    found = ranking(table)
    assert found.methods[-1] == "d"
    assert sum(found.ranks) == pytest.approx(10.0)
    assert found.friedman == pytest.approx(friedmanchisquare(*errors.T).pvalue)


@pytest.mark.parametrize(("methods", "quantile"), [(2, 1.960), (5, 2.728), (10, 3.164)])
def test_the_critical_difference_has_the_quantiles_of_the_printed_table(
    methods: int, quantile: float
) -> None:
    """Demsar 2006, table 5(a): q at 0.05."""
    scale = np.sqrt(methods * (methods + 1) / 6.0 / 25)
    assert critical_difference(methods, 25) / scale == pytest.approx(quantile, abs=6e-4)


def test_bars_join_the_longest_runs_only() -> None:
    found = Ranking(("a", "b", "c", "d"), (1.0, 1.5, 2.2, 3.9), 10, 1.0, 0.01)
    assert found.together() == [(0, 1), (1, 2)]


def test_a_ranking_of_too_little_is_refused() -> None:
    with pytest.raises(ValueError, match="3 methods and 2 cases"):
        ranking({"a": {("x", 1, "all"): 1.0}, "b": {("x", 1, "all"): 1.0}})


def test_a_method_that_sits_out_somewhere_is_not_ranked() -> None:
    one, two = ("a", 1, ""), ("b", 1, "")
    assert list(in_every_case({"x": {one: 1.0, two: 1.0}, "y": {one: 1.0}})) == ["x"]


def scene(ours: float, inside: float, seconds: float) -> list[Row]:
    """One long series and one short series per group, on which every peer has the error 1 and naive 2."""

    def made(series: str, name: str, error: float, **changes: object) -> Row:
        return row(series, name, error, seconds=seconds if name == OURS else 5.0, **changes)

    long = {"naive": 2.0, "seasonal naive": 2.0, "ridge": 1.0, "lightgbm": 1.0, OURS: ours}
    short = {"AutoETS": 1.0, "AutoTheta": 1.0, "AutoARIMA": 1.0, OURS: ours}
    return [
        *(made("one", name, error, horizon=horizon) for name, error in long.items() for horizon in (1, 7)),
        *(
            made(group, name, error, kind="short", group=group, horizon=6, coverage=inside)
            for name, error in short.items()
            for group in GROUPS
        ),
    ]


def test_every_demand_is_met_by_a_better_cheaper_and_calibrated_model() -> None:
    verdicts = checks(scene(ours=0.9, inside=0.9, seconds=1.0))
    assert len(verdicts) == 2 + 2 + 1 + 3 + 4 + 2
    assert {one.verdict for one in verdicts} == {"MATCH"}


def test_every_demand_is_missed_by_a_worse_dearer_and_careless_model() -> None:
    assert {one.verdict for one in checks(scene(ours=2.07, inside=0.8, seconds=9.0))} == {"MISS"}
    assert worse([one for one in scene(2.07, 0.8, 9.0) if one.kind == "long"])[0].ratio == pytest.approx(
        1.035
    )
    # Intervals that hold too much are no better than those that hold too little.
    wide = [one for one in checks(scene(0.9, 0.99, 1.0)) if one.verdict == "MISS"]
    assert len(wide) == 4


def test_equal_errors_are_at_or_below_but_not_ahead() -> None:
    verdicts = {one.demand: one.met for one in checks(scene(ours=1.0, inside=0.9, seconds=1.0))}
    assert verdicts["geometric mean of RMSE at or below every peer's, horizon 1"]
    assert verdicts["mean MASE on short series at or below AutoETS's"]
    assert not verdicts["RMSE below ridge's in at least 75% of the cases"]


def test_rows_are_parted_by_horizon() -> None:
    rows = scene(1.0, 0.9, 1.0)
    assert len(at_horizon(rows, True)) + len(at_horizon(rows, False)) == len(rows)
