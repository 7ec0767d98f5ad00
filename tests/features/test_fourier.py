import numpy as np
import pytest

from ngrc.features.fourier import fourier_columns, fourier_names


@pytest.mark.parametrize("harmonics", [1, 2, 3])
@pytest.mark.parametrize("periods", [(24.0,), (24.0, 168.0), (7.5,)])
def test_columns_are_waves_of_the_target_time(periods: tuple[float, ...], harmonics: int) -> None:
    columns = fourier_columns(5, 60, periods, harmonics)
    assert columns.shape == (55, 2 * harmonics * len(periods))
    position = 0
    for period in periods:
        for harmonic in range(1, harmonics + 1):
            angle = 2 * np.pi * harmonic * np.arange(5, 60) / period
            np.testing.assert_allclose(columns[:, position], np.sin(angle), atol=1e-12)
            np.testing.assert_allclose(columns[:, position + 1], np.cos(angle), atol=1e-12)
            position += 2


def test_a_whole_period_later_nothing_has_changed() -> None:
    early, late = fourier_columns(3, 50, (24.0,)), fourier_columns(3 + 24 * 10**6, 50 + 24 * 10**6, (24.0,))
    np.testing.assert_allclose(late, early, atol=1e-14)


def test_the_vanishing_sine_of_period_two_stays_at_rounding_level() -> None:
    assert np.abs(fourier_columns(10**6, 10**6 + 100, (2.0,), 1)[:, 0]).max() < 1e-15


def test_no_periods_give_no_columns() -> None:
    assert fourier_columns(0, 4, ()).shape == (4, 0)


def test_names_follow_the_columns() -> None:
    assert fourier_names((24, 7.5), 2) == (
        "sin(2π·1·t'/24)",
        "cos(2π·1·t'/24)",
        "sin(2π·2·t'/24)",
        "cos(2π·2·t'/24)",
        "sin(2π·1·t'/7.5)",
        "cos(2π·1·t'/7.5)",
        "sin(2π·2·t'/7.5)",
        "cos(2π·2·t'/7.5)",
    )
