"""The choice of rate and decay, written out."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest

from ngrc._types import FloatArray
from ngrc.intervals import Adaptive, History, IntervalMethod, Rolling, Stream, Weighted
from ngrc.intervals.base import Offsets
from ngrc.intervals.tuning import select
from ngrc.metrics import winkler
from tests import twins


def scores(
    candidates: list[IntervalMethod], residuals: FloatArray, horizon: int, level: float
) -> list[float]:
    start = int(0.6 * residuals.size)
    stream = Stream(residuals, start, horizon)
    runs = [candidate.run(stream, level) for candidate in candidates]
    return [twins.winkler(run.lower, run.upper, residuals[start:], level) for run in runs]


@pytest.mark.parametrize("horizon", [1, 3, 7])
@pytest.mark.parametrize("seed", range(4))
def test_smallest_validation_score_wins(horizon: int, seed: int) -> None:
    rng = np.random.default_rng(seed)
    residuals = rng.normal(size=300) * np.exp(np.cumsum(rng.normal(size=300)) / 8)
    history = History(residuals, horizon)
    adaptive, weighted = Adaptive(rates=(0.3, 0.1, 0.02, 0.001)), Weighted(decays=(0.8, 0.9, 0.99))
    rates: list[IntervalMethod] = [replace(adaptive, rate=rate) for rate in adaptive.rates]
    decays: list[IntervalMethod] = [replace(weighted, decay=decay) for decay in weighted.decays]
    chosen_rate = adaptive.rates[int(np.argmin(scores(rates, residuals, horizon, 0.9)))]
    chosen_decay = weighted.decays[int(np.argmin(scores(decays, residuals, horizon, 0.9)))]
    assert adaptive.tuned(history, 0.9).selected == {"rate": chosen_rate}
    assert weighted.tuned(history, 0.9).selected == {"decay": chosen_decay}


def test_the_first_candidate_wins_a_tie() -> None:
    history = History(np.ones(100))
    assert Adaptive(rates=(0.02, 0.01)).tuned(history, 0.9).rate == 0.02
    assert Weighted(decays=(0.97, 0.9, 0.99)).tuned(history, 0.9).decay == 0.97


def test_rounding_breaks_no_tie() -> None:
    """Offsets that differ by less than other sums of the same residuals would."""
    history, candidates = History(np.ones(100)), [Rolling(30), Rolling(31), Rolling(32)]

    def run(methods: Sequence[Rolling], stream: Stream, level: float) -> list[Offsets]:
        ends = np.full(stream.steps, 2.0)
        return [Offsets(-ends * size, ends * size) for size in (1.0 + 1e-13, 1.0, 1.0 - 1e-13)]

    assert select(candidates, history, 0.6, 0.9, run) == Rolling(30)


def test_defaults_are_the_paper_s_grids() -> None:
    assert Adaptive().rates == (0.001, 0.003, 0.005, 0.01, 0.02, 0.05)
    assert Weighted().decays == (0.95, 0.98, 0.99, 0.995, 0.997, 0.999)
    assert Adaptive().selected == Weighted().selected == {}


def test_any_methods_can_be_compared() -> None:
    rng = np.random.default_rng(0)
    residuals = np.concatenate([rng.normal(size=150) * 4, rng.normal(size=150)])
    best = select([Rolling(150), Rolling(30)], History(residuals), 0.6, 0.9)
    assert best == Rolling(30)


@pytest.mark.parametrize(
    ("count", "horizon", "enough"), [(1, 1, False), (2, 1, True), (11, 7, False), (12, 7, True)]
)
def test_too_little_history(count: int, horizon: int, enough: bool) -> None:
    history = History(np.arange(1.0, count + 1), horizon)
    for method in (Adaptive(), Weighted()):
        if enough:
            assert method.tuned(history, 0.9).selected
        else:
            with pytest.raises(ValueError, match="too little history to tune"):
                method.tuned(history, 0.9)
    assert Adaptive(0.1).begin(history, 0.9).issue()[1] == count


def test_a_single_candidate_needs_no_validation() -> None:
    assert Adaptive(rates=(0.07,)).tuned(History(np.array([1.0])), 0.9).rate == 0.07


def test_score_equals_its_twin_and_counts_infinity() -> None:
    rng = np.random.default_rng(1)
    lower, upper, residuals = -rng.random(50), rng.random(50), rng.normal(size=50)
    assert winkler(residuals, lower, upper, 0.8) == pytest.approx(twins.winkler(lower, upper, residuals, 0.8))
    endless = np.full(50, np.inf)
    assert winkler(residuals, -endless, endless, 0.8) == np.inf
