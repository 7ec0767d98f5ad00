"""Experiment 4: the recovery rule by hand, the pairing, and a small run beside the printed table."""

import numpy as np
import pytest

from ngrc.study.harness.target import Settings
from ngrc.study.volterra import cells
from ngrc.study.volterra.cells import ROWS, STATES, latent_path, recovery_delay, replication
from ngrc.study.volterra.settings import CHANGE
from ngrc.study.volterra.target import PRINTED, TITLES, run


def trailing(tail: list[float]) -> np.ndarray:
    """A trailing-coverage curve that is 0.5 until the change and then ends as given."""
    return np.concatenate([np.full(CHANGE, 0.5), np.array(tail)])


def test_recovery_counts_from_the_change_to_the_last_entry() -> None:
    assert recovery_delay(trailing([0.5, 0.94, 0.9, 0.93, 0.95, 0.97]), closed=True) == 3
    assert recovery_delay(trailing([0.95, 0.95]), closed=True) == 0


def test_the_upper_end_belongs_to_the_closed_band_only() -> None:
    # 97 of 100 as a running mean gives it, a rounding above 0.97.
    curve = trailing([0.5, 0.95, 0.97 + 1e-16, 0.95])
    assert recovery_delay(curve, closed=True) == 1
    assert recovery_delay(curve, closed=False) == 3


def test_never_settling_is_not_a_delay() -> None:
    assert np.isnan(recovery_delay(trailing([0.95, 0.95, 0.5]), closed=True))


def test_conditions_are_paired() -> None:
    one = replication(np.random.default_rng(5), rows=("split", "adaptive"))
    assert one.measures.shape == (2, 5)
    # Before the change both conditions see the same data, so the frozen quantile is the same throughout.
    assert one.measures[0, 1] == pytest.approx(one.measures[0, 4])
    assert one.curves.shape == (2, 2, 800)
    again = replication(np.random.default_rng(5), rows=("split", "adaptive"))
    np.testing.assert_array_equal(one.measures, again.measures)


def test_the_noise_rises_at_the_stated_test_step(monkeypatch: pytest.MonkeyPatch) -> None:
    """Lags, fit and calibration rows come first, then 160 test observations at the low noise, and no more."""
    seen: list[np.ndarray] = []

    def keep(y: np.ndarray, rows: tuple[str, ...]) -> list[tuple[np.ndarray, np.ndarray]]:
        seen.append(y)
        return [(np.ones(800), np.ones(800)) for _ in rows]

    monkeypatch.setattr(cells, "_covered", keep)
    path = np.zeros(STATES + 1)
    replication(np.random.default_rng(2), path=path, rows=("split",))
    constant, changed = seen
    first = 20 + 1600 + 800 + 160
    np.testing.assert_array_equal(constant[:first], changed[:first])
    np.testing.assert_allclose(changed[first:], constant[first:] * 0.35 / 0.15, rtol=1e-12)
    noise = np.random.default_rng(2).standard_normal(STATES)
    np.testing.assert_allclose(constant, 0.15 * noise, rtol=1e-12)


def test_the_path_has_the_papers_length_and_halving_changes_little() -> None:
    coarse, fine = latent_path(), latent_path(0.0025, 40)
    assert coarse.size == 3221 == STATES + 1
    assert np.abs(coarse - fine).max() == pytest.approx(1.26e-3, abs=5e-6)
    assert np.sqrt(np.mean((coarse - fine) ** 2)) == pytest.approx(8.86e-4, abs=5e-7)


@pytest.mark.slow
def test_a_small_run_lies_near_the_printed_table() -> None:
    outcome = run(Settings(reps=6, seed=1))
    assert list(TITLES) == list(PRINTED) == list(ROWS)
    judged = [check for check in outcome.checks if check.verdict != "not comparable"]
    # With six replications an error estimate is itself uncertain by a third: a few of fifty may stray.
    assert sum(check.verdict == "different" for check in judged) <= 5
    numbers = [check for check in judged if check.kind == "exact"]
    assert len(numbers) == 7
    assert all(check.verdict == "match" for check in numbers)
    assert outcome.tables["volterra"].height == 8
    assert set(outcome.captions) >= {"volterra", "step_halving"}
