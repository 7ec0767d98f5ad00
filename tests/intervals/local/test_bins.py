"""Histograms of scores that fade, against a sorted list with weights."""

import numpy as np
import pytest

from ngrc._kernels.local import BINS_OCTAVE, BINS_REACH, bins_add, bins_cell, bins_edge, bins_quantile
from ngrc._types import FloatArray
from ngrc.intervals.auto.members import start_histograms

WIDTH = 2.0 ** (1.0 / BINS_OCTAVE)
"""Ratio of the two edges of a cell: as far as a quantile may be from the score that it stands for."""
PROBABILITIES = (0.013, 0.026, 0.11, 0.49, 0.51, 0.87, 0.953, 0.977)


def filled(scores: FloatArray, decay: float) -> FloatArray:
    tree: FloatArray = start_histograms(1)[0]
    for score in scores:
        bins_add(tree, float(score), decay)
    return tree


def by_sorting(scores: FloatArray, probability: float, decay: float) -> float:
    """The score at which the weights reach the probability; that of the coming one stands beyond either end."""
    weights = decay ** np.arange(scores.size - 1.0, -1.0, -1.0)
    # As much as the oldest weighs, one step on: nothing to speak of once the memory is full.
    coming = decay**scores.size
    order = np.argsort(scores, kind="stable")
    target = probability * (weights.sum() + coming) - (coming if probability < 0.5 else 0.0)
    place = np.searchsorted(np.cumsum(weights[order]), target)
    return float(scores[order][min(place, scores.size - 1)])


@pytest.mark.parametrize("decay", [0.95, 0.98, 0.997, 1.0])
@pytest.mark.parametrize("count", [1, 7, 400])
def test_quantiles_of_a_sorted_list_to_the_width_of_a_cell(decay: float, count: int) -> None:
    scores = 3.0 * np.random.default_rng(count).standard_t(3, count)
    tree = filled(scores, decay)
    for probability in PROBABILITIES:
        said, wanted = bins_quantile(tree, probability, decay), by_sorting(scores, probability, decay)
        assert said * wanted > 0.0
        assert 1.0 / WIDTH <= said / wanted <= WIDTH


def test_the_cell_of_a_score_holds_it() -> None:
    for size in np.exp(np.random.default_rng(0).uniform(-13.0, 13.0, 500)):
        place = bins_cell(float(size))
        assert bins_edge(place) <= size * (1 + 1e-12)
        assert size <= bins_edge(place + 1) * (1 + 1e-12)


def test_weights_stay_right_where_they_are_scaled_down() -> None:
    """At a decay of 0.95 the newest weight reaches the ceiling every 6,757 scores; two ceilings are crossed."""
    decay = 0.95
    rng = np.random.default_rng(1)
    tree: FloatArray = start_histograms(1)[0]
    crossed, newest = 0, 1.0
    recent = rng.normal(size=15_000) * np.linspace(1.0, 50.0, 15_000)
    for place, score in enumerate(recent):
        bins_add(tree, float(score), decay)
        crossed += tree[-2] < newest
        newest = tree[-2]
        if place % 499 == 0 or place in (6_757, 6_758, 6_759, 13_514, 13_515, 13_516):
            known = recent[: place + 1][-600:]
            for probability in (0.11, 0.87):
                ratio = bins_quantile(tree, probability, decay) / by_sorting(known, probability, decay)
                assert 1.0 / WIDTH <= ratio <= WIDTH
    assert crossed == 2
    # The newest weight over that of all, 1 - decay in the long run.
    assert tree[-2] / tree[-1] == pytest.approx(1.0 - decay, rel=1e-9)


def test_old_scores_fade_and_a_memory_without_decay_keeps_them() -> None:
    scores = np.concatenate([np.full(500, 100.0), np.full(200, 1.0)])
    assert bins_quantile(filled(scores, 0.95), 0.9, 0.95) == pytest.approx(1.0, rel=0.03)
    assert bins_quantile(filled(scores, 1.0), 0.9, 1.0) == pytest.approx(100.0, rel=0.03)


def test_scores_of_zero_have_quantiles_of_exactly_zero() -> None:
    tree = filled(np.zeros(50), 0.98)
    assert [bins_quantile(tree, probability, 0.98) for probability in PROBABILITIES] == [0.0] * 8
    mostly = filled(np.concatenate([[-3.0, 3.0], np.zeros(98)]), 1.0)
    assert bins_quantile(mostly, 0.1, 1.0) == bins_quantile(mostly, 0.9, 1.0) == 0.0
    assert bins_quantile(start_histograms(1)[0], 0.9, 1.0) == 0.0


def test_huge_and_tiny_scores_count_in_the_last_cells() -> None:
    huge = filled(np.array([1e300, -1e300, 1e300]), 1.0)
    top = 2.0**BINS_REACH
    assert top <= bins_quantile(huge, 0.9, 1.0) <= top * WIDTH
    assert -top * WIDTH <= bins_quantile(huge, 0.1, 1.0) <= -top
    tiny = filled(np.array([1e-300, -1e-300, 5e-324]), 1.0)
    assert bins_quantile(tiny, 0.9, 1.0) == 0.0


@pytest.mark.parametrize("decay", [0.98, 1.0])
def test_turned_signs_turn_the_quantiles(decay: float) -> None:
    scores = np.random.default_rng(2).gumbel(size=300)
    there, back = filled(scores, decay), filled(-scores, decay)
    for probability in PROBABILITIES:
        one, other = bins_quantile(there, probability, decay), -bins_quantile(back, 1.0 - probability, decay)
        # By interpolation each of the two may lie anywhere in a cell, and in the next one at a tie.
        assert 1.0 / WIDTH**2 <= one / other <= WIDTH**2
