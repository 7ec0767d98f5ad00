import numpy as np
import pytest

import ngrc.readout.penalty as penalty_module
from ngrc.features import FeatureMap, Rows
from ngrc.readout import DEFAULT_RIDGES, PAPER_RIDGES, Validation, choose_penalty, select_readout
from ngrc.readout.convention import Convention, Intercept
from ngrc.readout.moments import design_gram
from ngrc.readout.penalty import accurate_path, doubtful_choices, inner_rows, rows_needed
from ngrc.readout.spectrum import Regression
from tests.readout.twins import example_rows, paper_map, rows_of, slow_ridge


def slow_scores(rows: Rows, ridges: tuple[float, ...], intercept: str) -> list[float]:
    inner = int(np.floor(0.8 * rows.count + 1e-9))
    start = inner + rows.horizon - 1
    design, target = rows.design, rows.target
    scores = []
    for ridge in ridges:
        twin = slow_ridge(design[:inner], target[:inner], ridge, intercept)
        scores.append(float(np.sqrt(np.mean((target[start:] - twin.predict(design[start:])) ** 2))))
    return scores


@pytest.mark.parametrize("intercept", ["free", "penalised"])
@pytest.mark.parametrize("horizon", [1, 4])
@pytest.mark.parametrize("feature_map", [paper_map(4), paper_map(2, 3, 3), paper_map(3, 1, 1, (24.0,))])
def test_scores_are_those_of_an_inner_fit(
    feature_map: FeatureMap, horizon: int, intercept: Intercept
) -> None:
    rows = example_rows(feature_map, "season", 251, horizon)
    validation = choose_penalty(rows, DEFAULT_RIDGES, Convention(intercept))
    np.testing.assert_allclose(validation.scores, slow_scores(rows, DEFAULT_RIDGES, intercept), rtol=1e-7)


@pytest.mark.parametrize("kind", ["walk", "late", "sine", "zeros"])
def test_the_choice_is_the_twins_choice(kind: str) -> None:
    rows = example_rows(paper_map(4), kind, 300)
    scores = slow_scores(rows, PAPER_RIDGES, "free")
    validation = choose_penalty(rows, PAPER_RIDGES)
    assert scores[PAPER_RIDGES.index(validation.best)] <= min(scores) * (1 + 1e-9)


def test_the_future_of_the_fit_rows_changes_nothing() -> None:
    rows = example_rows(paper_map(3), "walk", 200)
    changed = rows.series.copy()
    changed[rows.first + 150 :] = 99.0
    scores = choose_penalty(rows.part(0, 150), PAPER_RIDGES).scores
    again = choose_penalty(rows_of(rows.feature_map, changed, 1).part(0, 150), PAPER_RIDGES).scores
    assert np.array_equal(scores, again)


def test_first_on_ties() -> None:
    assert Validation((3.0, 1.0, 2.0), np.array([0.5, 0.4, 0.4]), 9).best == 1.0
    constant = rows_of(paper_map(3), np.zeros(50), 1)
    assert choose_penalty(constant, (0.7, 0.1, 5.0)).best == 0.7


def test_rounding_breaks_no_tie() -> None:
    scores = 0.4 * (1.0 + 1e-14 * np.array([3.0, 1.0, -2.0]))
    assert Validation((0.3, 0.1, 0.2), scores, 9).best == 0.3
    assert Validation((0.3, 0.1, 0.2), np.array([2e-16, 0.0, 1e-16]), 9).best == 0.3
    assert Validation((0.3, 0.1, 0.2), np.array([2e-9, 1e-9, 3e-9]), 9).best == 0.1
    with pytest.raises(ValueError, match="not a number"):
        Validation((0.3, 0.1), np.array([1.0, np.nan]), 9).best


def test_select_fits_all_rows_at_the_best_penalty() -> None:
    rows = example_rows(paper_map(4, periods=(24.0,)), "season", 400, horizon=3)
    readout, validation = select_readout(rows, PAPER_RIDGES, Convention("penalised"))
    twin = slow_ridge(rows.design, rows.target, validation.best, "penalised")
    assert readout.penalty == validation.best
    assert readout.count == rows.count
    np.testing.assert_allclose(readout.predict(rows.design), twin.predict(rows.design), atol=1e-11)
    again = choose_penalty(rows, PAPER_RIDGES, Convention("penalised"))
    np.testing.assert_allclose(validation.scores, again.scores)


@pytest.mark.parametrize("horizon", [1, 2, 3, 7])
def test_fewest_rows(horizon: int) -> None:
    needed = rows_needed(horizon)
    inner = inner_rows(needed, horizon)
    assert inner >= 1
    assert needed - inner - (horizon - 1) >= 1
    with pytest.raises(ValueError, match=f"needs {needed} fit rows, got {needed - 1}"):
        inner_rows(needed - 1, horizon)
    fewer = needed - 1
    assert fewer * 4 // 5 < 1 or fewer - fewer * 4 // 5 - (horizon - 1) < 1


def test_only_rivals_within_rounding_are_doubtful() -> None:
    scores = np.array([1.0, 1.0 + 1e-7, 2.0])
    assert doubtful_choices(scores, np.array([1e-8, 1e-8, 1e-8])).tolist() == [True, True, False]
    assert doubtful_choices(scores, np.array([1e-11, 1e-11, 1e-11])).tolist() == [False, False, False]
    assert doubtful_choices(scores, np.array([1e-8, 0.0, 0.0])).tolist() == [True, False, False]
    assert doubtful_choices(np.array([1.0, 2.0]), np.array([1e-5, 1e-5])).tolist() == [False, False]


def test_doubtful_scores_are_recomputed(monkeypatch: pytest.MonkeyPatch) -> None:
    rows = example_rows(paper_map(4), "walk", 300)
    ridges = (1e-9, 1e-8, 1.0)
    expected = slow_scores(rows, ridges, "free")
    monkeypatch.setattr(penalty_module, "MARGIN", 1e12)
    np.testing.assert_allclose(choose_penalty(rows, ridges).scores, expected, rtol=1e-9)


def test_an_accurate_path_survives_a_poor_spectrum() -> None:
    rows = example_rows(paper_map(4), "walk", 300)
    gram = design_gram(rows)
    poor = Regression.of_moments(gram.matrix + np.diag(np.arange(gram.means.size)), gram.cross, gram.count)
    penalties = np.array([1e-8, 1e-2])
    path = accurate_path(rows, gram, poor, poor.path(penalties), penalties)
    for position, penalty in enumerate(penalties):
        twin = slow_ridge(rows.design, rows.target, float(penalty))
        np.testing.assert_allclose(path[:, position], twin.weights, atol=1e-6)


def test_the_grids() -> None:
    assert list(PAPER_RIDGES) == [0.001, 0.003, 0.01, 0.03, 0.1, 0.3, 1.0, 3.0, 10.0]
    assert DEFAULT_RIDGES[0] == 1e-9
    assert DEFAULT_RIDGES[-len(PAPER_RIDGES) :] == PAPER_RIDGES
    assert list(DEFAULT_RIDGES) == sorted(set(DEFAULT_RIDGES))
