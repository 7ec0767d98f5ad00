"""Simulated series: the true model's own intervals hold the level, and those of `look_ahead` are near them."""

import numpy as np
import pytest
from accuracy.simulated import LEVEL, MODELS, Judged, Setting, settings

from ngrc._normal import gaussian_radius

SERIES = 40


@pytest.mark.parametrize("model", MODELS)
def test_the_true_model_holds_the_level(model: str) -> None:
    """From the last observations and the model's law: errors over their deviations have variance one."""
    size, steps, many = 40, 6, 400
    errors = np.empty((many, steps))
    for seed in range(many):
        values, deviations = MODELS[model](size, steps, np.random.default_rng(seed))
        time = np.arange(size + steps)
        last, ahead = values[size - 1], np.arange(1, steps + 1)
        if model == "random walk":
            mean = np.full(steps, last)
        elif model == "AR(1)":
            mean = last * 0.7**ahead
        elif model == "trend":
            mean = 50 + 0.5 * time[size:]
        else:
            # The phase is drawn first.
            phase = np.random.default_rng(seed).uniform(0, 2 * np.pi)
            mean = 10 * np.sin(2 * np.pi * time[size:] / 12 + phase)
        errors[seed] = (values[size:] - mean) / deviations
    held = np.mean(np.abs(errors) <= gaussian_radius(LEVEL), axis=0)
    # Four errors of each of 24 shares.
    assert np.max(np.abs(held - LEVEL)) < 4 * np.sqrt(LEVEL * (1 - LEVEL) / many)


@pytest.mark.parametrize(
    ("model", "size", "widest"),
    [("seasonal", 36, 2.1), ("seasonal", 60, 1.6), ("AR(1)", 60, 1.7), ("random walk", 60, 1.5)],
)
def test_intervals_hold_the_level_and_are_not_wide(model: str, size: int, widest: float) -> None:
    """Mean width over the ideal one: 16.4, 5.1, 1.6 and 1.4 where fits without the season count."""
    setting = Setting(model, size, 12)
    judged = Judged.of(np.stack([setting.forecast(seed) for seed in range(SERIES)]))
    # Over 200 series coverage lies within seven points of the level at every step; four errors of a step's share.
    assert np.all(judged.coverage > LEVEL - 0.05 - 4 * judged.noise)
    assert judged.coverage.mean() < 0.965 + 2 * judged.noise / np.sqrt(3)
    assert 0.9 < judged.width < widest


def test_settings_are_chosen_by_name() -> None:
    assert {one.model for one in settings("walk")} == {"random walk"}
    assert len(list(settings(""))) == 4 * 5 * 2
    assert not list(settings("none"))
