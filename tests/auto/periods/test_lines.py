"""The spectrum's lines against slow twins and the law they are judged by."""

import numpy as np
import pytest

from ngrc._types import FloatArray
from ngrc.auto.periods.echoes import autocorrelation
from ngrc.auto.periods.lines import Spectrum, spectrum


def slow_background(power: FloatArray, width: int, gap: int = 2) -> FloatArray:
    """Point by point: the larger of the medians of `width` points beyond a gap on either side."""
    result = np.full(power.size, np.nan)
    for point in range(power.size):
        sides = [
            power[max(point - gap - width, 0) : max(point - gap, 0)],
            power[point + gap + 1 : point + gap + 1 + width],
        ]
        medians = [np.median(side[np.isfinite(side)]) for side in sides if np.any(np.isfinite(side))]
        result[point] = max(medians, default=np.nan) / np.log(2)
    return result


@pytest.mark.parametrize("count", [16, 51, 200, 333])
def test_the_background_is_its_slow_twin(count: int) -> None:
    found = spectrum(np.random.default_rng(count).normal(size=count))
    for left in (found, found.without(12), found.without(4).without(7.3)):
        np.testing.assert_allclose(left.background(), slow_background(left.power, left.width), rtol=1e-6)


def test_the_power_is_the_tapered_sum() -> None:
    values = np.random.default_rng(0).normal(size=30)
    found, time = spectrum(values), np.arange(30)
    taper = np.sin(np.pi * (time + 0.5) / 30)
    for point in (2, 9, 30):
        wave = np.exp(-2j * np.pi * time * found.frequencies[point])
        # Up to the floor under all, a ten-thousandth of the mean power.
        slow = abs(np.sum(taper * (values - values.mean()) * wave)) ** 2
        assert found.power[point] == pytest.approx(slow, abs=2e-4 * float(np.nanmean(found.power)))


def test_chances_hold_for_noise() -> None:
    rng = np.random.default_rng(1)
    chances = np.array([spectrum(rng.normal(size=400)).log_chances()[10:390:4] for _ in range(200)]).ravel()
    for level in (1e-1, 1e-2, 1e-3):
        share = np.mean(chances <= np.log(level))
        # An upper bound, by three Monte-Carlo errors; and not so loose that nothing could pass.
        assert level / 10 < share <= level + 3 * np.sqrt(level / chances.size)


def test_a_cycle_goes_with_its_harmonics_and_nothing_else() -> None:
    time = np.arange(960)
    shape = np.random.default_rng(2).normal(size=24)[time % 24]
    left = spectrum(shape + np.sin(2 * np.pi * time / 37)).without(24)
    harmonics = np.rint(np.arange(1, 12) * left.points / 24).astype(int)
    assert np.all(np.isnan(left.power[harmonics]))
    assert np.nanargmax(left.power) == pytest.approx(left.points / 37, abs=1)
    assert np.mean(np.isnan(left.power)) < 0.15


def test_few_cycles_do_not_hide_the_spectrum() -> None:
    left = spectrum(np.random.default_rng(3).normal(size=1000)).without(300)
    assert np.mean(np.isnan(left.power)) < 0.05


def test_a_line_is_sharp_and_a_hump_is_not() -> None:
    power = np.ones(400)
    power[100] = 50
    hump = 1 + 49 * np.exp(-(((np.arange(400) - 100) / 12) ** 2))
    medians = np.ones(1)
    assert Spectrum(power, medians, 400).sharp(100, 12)
    assert not Spectrum(hump, medians, 400).sharp(100, 12)


def test_the_autocorrelation_is_its_sum() -> None:
    values = np.random.default_rng(4).normal(size=57).cumsum()
    centred = values - values.mean()
    slow = [centred[lag:] @ centred[: 57 - lag] / (centred @ centred) for lag in range(57)]
    np.testing.assert_allclose(autocorrelation(values, 56), slow, atol=1e-12)
    np.testing.assert_array_equal(autocorrelation(np.ones(9), 3), np.zeros(4))
