"""Cases, sources and layers against direct calls of the library."""

from typing import Any

import numpy as np
import pytest

from ngrc.backtesting.entry import backtest
from ngrc.backtesting.scoring import evaluate
from ngrc.intervals import ResCP
from ngrc.intervals.rescp import block
from ngrc.presets import PAPER, paper_model
from ngrc.splits import FixedOrigin, ShiftedWindows
from ngrc.study.harness.target import Settings
from ngrc.study.real import rescp, selections, sources
from ngrc.study.real.cases import DETERMINISTIC, LEVEL, LEVELS, Case, fit, fitted, half_life, scores
from ngrc.study.real.origin import fixed_origin

from .conftest import made_up

QUICK = Settings(quick=True)


def test_half_life_halves() -> None:
    for decay in (0.8, 0.95, 0.99):
        assert decay ** half_life(decay) == pytest.approx(0.5)


@pytest.mark.parametrize("dataset", PAPER)
def test_the_model_of_a_case(dataset: str) -> None:
    plain = Case(dataset, horizon=3, degree=1).model
    assert plain.get_params() == paper_model(dataset, 3, degree=1).get_params()
    memory = Case(dataset, decays=(0.5, 0.8)).model
    assert memory.half_lives == (1.0, half_life(0.8))
    assert memory.periods == PAPER[dataset].periods


def test_all_levels_only_where_they_are_drawn() -> None:
    assert Case("solar").levels == LEVELS
    for case in (
        Case("solar", 3),
        Case("solar", degree=1),
        Case("solar", shifted=True),
        Case("solar", decays=(0.9,)),
    ):
        assert case.levels == (LEVEL,)


def test_fit_is_a_backtest() -> None:
    series = made_up()
    (run,) = fit(Case("exchange", 3), series)
    (direct,) = backtest(series, paper_model("exchange", 3), methods=DETERMINISTIC, split=FixedOrigin()).runs
    for method in DETERMINISTIC:
        found = scores(run, run.band(method, LEVEL))
        band = direct.band(method)
        assert found == (band.coverage, band.width / direct.scale[1], band.winkler / direct.scale[1])
    windows = fit(Case("exchange", shifted=True), series)
    assert [run.blocks for run in windows] == list(ShiftedWindows().splits(900, 14, 1))


def test_sources_say_which_is_a_stand_in(small: None) -> None:
    assert [source.key for source in sources.sources(QUICK)] == ["exchange"]
    found = sources.sources(Settings())
    assert [source.key for source in found] == list(sources.TITLES)
    assert [bool(source.stand_in) for source in found] == [True, False, False, False]
    assert "stand-in" in found[0].title
    notes = sources.source_notes(found)
    assert len(notes) == 1
    assert "never counted" in notes[0]
    assert "LA ozone, Solar, Beijing PM10" in sources.source_notes(sources.sources(QUICK))[0]


def test_missing_data_is_an_error_but_for_ozone(bare: None) -> None:
    assert sources._source("ozone", None) is None
    with pytest.raises(ValueError, match="no exchange here"):
        sources.sources(QUICK)


def test_layers_are_what_the_library_gives(small: None) -> None:
    found = sources.sources(QUICK)
    case = Case("exchange", 3)
    runs = fitted(found, [case], jobs=1)
    run = runs[case][0]
    layers = [*rescp.over_seeds(case, run, QUICK), rescp.own_choice(case, 0)]
    assert [layer.method.seed for layer in layers] == [0, 1, 2, 0]
    assert (layers[0].method.temperature, layers[0].method.window) == (0.25, 100)
    bands = rescp.bands(layers, runs, jobs=1)
    for layer in layers:
        stream = run.blocks.stream(run.residuals)
        test = run.forecasts[run.blocks.test]
        direct = evaluate(layer.method, "rescp", stream, test, LEVEL)
        np.testing.assert_array_equal(bands[layer].upper, direct.upper)
        assert dict(bands[layer].selected) == dict(direct.selected)
    pairs = selections.pairs_by_seed([("exchange", 3)], runs, QUICK)["exchange", 3]
    assert pairs[0] == tuple(bands[layers[-1]].selected.values())
    assert len(pairs) == 3


def test_a_selection_that_was_given_elsewhere_is_not_run_twice(
    small: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    case = Case("exchange")
    runs = fitted(sources.sources(QUICK), [case], jobs=1)
    own = rescp.own_choice(case, QUICK.seed)
    first = rescp.bands([own], runs, jobs=1)[own]
    given = rescp.Layer(case, ResCP(**dict(first.selected), sampler="stochastic", seed=0))

    def never(*_: object) -> None:
        raise AssertionError("run again")

    monkeypatch.setattr(rescp, "_bands", never)
    again = rescp.bands([given, own], runs, jobs=1)
    np.testing.assert_array_equal(again[given].upper, again[own].upper)
    # The selection's time belongs to the layer that had to make it.
    assert again[given].seconds < again[own].seconds == first.seconds


def test_layers_at_the_papers_choice_share_their_similarities(
    small: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    case = Case("exchange")
    runs = fitted(sources.sources(QUICK), [case], jobs=1)
    run = runs[case][0]
    layers = rescp.at_choice(case, run, QUICK)
    # Two samplers over three seeds, and four further levels of the first.
    assert len(set(layers)) == len(layers) == 10
    passes: list[int] = []
    block_ends = block.block_ends

    def counted(*given: Any, **more: Any) -> Any:
        passes.append(len(given[4]))
        return block_ends(*given, **more)

    monkeypatch.setattr("ngrc.intervals.rescp.method.block_ends", counted)
    bands = rescp.bands(layers, runs, jobs=1)
    assert sorted(passes) == [2, 2, 6]
    for layer in layers:
        direct = evaluate(layer.method, "rescp", *rescp._parts(run), layer.level)
        np.testing.assert_allclose(bands[layer].upper, direct.upper, rtol=1e-12)
        np.testing.assert_allclose(bands[layer].lower, direct.lower, rtol=1e-12)
        assert bands[layer].level == layer.level
    passes.clear()
    # Every target that shows some of them finds them.
    rescp.bands(rescp.over_seeds(case, run, QUICK, "exact"), runs, jobs=1)
    assert passes == []


def test_a_reading_is_what_is_selected(small: None) -> None:
    case = Case("exchange")
    runs = fitted(sources.sources(QUICK), [case], jobs=1)
    history = runs[case][0].blocks.stream(runs[case][0].residuals).history
    reading = selections.Reading("paper", "exact", 0.6)
    found = selections.pairs_by_seed([("exchange", 1)], runs, Settings(quick=True, reps=2), reading)
    for seed, pair in enumerate(found["exchange", 1]):
        method = ResCP(recurrence="paper", sampler="exact", seed=seed).tuned_on(history.inner(0.6), LEVEL)
        assert pair == (method.temperature, method.window)
    tuned = ResCP(seed=1).tuned(history, LEVEL)
    assert tuned == ResCP(seed=1).tuned_on(history.inner(0.9), LEVEL)


def test_a_window_larger_than_the_history_becomes_all_of_it(small: None) -> None:
    found = sources.sources(QUICK)
    runs = fitted(found, [Case("exchange")], jobs=1)
    chosen = rescp.chosen(Case("exchange"), runs[Case("exchange")][0], 7, "exact")
    assert chosen == ResCP(temperature=0.15, window="all", sampler="exact", seed=7)


def test_seeds_follow_the_settings() -> None:
    assert list(rescp.seeds(Settings())) == list(range(5))
    assert list(rescp.seeds(QUICK)) == [0, 1, 2]
    assert list(rescp.seeds(Settings(seed=10, reps=3))) == [10, 11, 12]


def test_origin_gathers_scores(small: None) -> None:
    origin = fixed_origin(QUICK, (1, 3), seeded=(3,))
    run, group = origin.runs["exchange", 3], origin.seeded["exchange", 3]
    assert set(origin.seeded) == {("exchange", 3)}
    assert origin.scores("exchange", 3, "rescp").coverage == pytest.approx(
        np.mean([band.coverage for band in group])
    )
    assert origin.scores("exchange", 3, "split") == scores(run, run.band("split", LEVEL))
    assert origin.seconds("exchange", 1, "rescp") == origin.own["exchange", 1].seconds
    assert (
        origin.seconds("exchange", 1, "adaptive")
        == origin.runs["exchange", 1].band("adaptive", LEVEL).seconds
    )
