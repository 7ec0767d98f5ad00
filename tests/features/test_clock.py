"""Clock and clock products, one number at a time."""

from math import cos, pi, sin

import numpy as np
import pytest

from ngrc.features import Clock, ClockProducts, Delays, Inputs

X = np.random.default_rng(13).standard_normal(60)


def slow_terms(time: int, periods: tuple[float, ...], harmonics: int) -> list[float]:
    terms = []
    for period in periods:
        for harmonic in range(1, harmonics + 1):
            terms += [sin(2 * pi * harmonic * time / period), cos(2 * pi * harmonic * time / period)]
    return terms


@pytest.mark.parametrize("periods", [(24.0,), (7.5, 24.0), ()])
@pytest.mark.parametrize("harmonics", [1, 3])
@pytest.mark.parametrize(("horizon", "offset"), [(1, 0), (5, 0), (30, 17)])
def test_the_clock_shows_the_targets_time(
    periods: tuple[float, ...], harmonics: int, horizon: int, offset: int
) -> None:
    inputs = Inputs({"x": X}, offset=offset)
    clock = Clock(periods, harmonics)
    columns = clock.columns(inputs, horizon, 33, 60)
    assert columns.shape == (27, clock.count(horizon))
    for row, target in enumerate(range(33, 60)):
        np.testing.assert_allclose(columns[row], slow_terms(target + offset, periods, harmonics), atol=1e-12)
    assert clock.moving
    assert clock.reach(horizon) == 0


@pytest.mark.parametrize("lags", [2, (1, 4, 7)])
@pytest.mark.parametrize(("horizon", "offset"), [(1, 0), (6, 3)])
def test_clock_products_are_every_delay_times_every_term(
    lags: int | tuple[int, ...], horizon: int, offset: int
) -> None:
    inputs = Inputs({"x": np.zeros(60), "load": X}, offset=offset)
    delays, clock = Delays(lags, 2, "load"), Clock((7.5, 24.0), 2)
    group = ClockProducts(delays, clock)
    steps = [0, 2] if isinstance(lags, int) else [0, 6, 12]
    first = steps[-1] + horizon
    assert group.reach(horizon) == steps[-1]
    assert group.count(horizon) == len(steps) * 8
    columns = group.columns(inputs, horizon, first, 60)
    for row, target in enumerate(range(first, 60)):
        terms = slow_terms(target + offset, (7.5, 24.0), 2)
        expected = [float(X[target - horizon - step]) * term for step in steps for term in terms]
        np.testing.assert_allclose(columns[row], expected, atol=1e-12)
    names = [f"{delay}*{term}" for delay in delays.names(horizon) for term in clock.names(horizon)]
    assert list(group.names(horizon)) == names


def test_bad_arguments() -> None:
    with pytest.raises(ValueError, match="clock products need a period, got none; give periods"):
        ClockProducts(Delays(2), Clock(()))
    with pytest.raises(ValueError, match="takes Delays and a Clock; write"):
        ClockProducts(2, Clock((24,)))  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="at must be 'target' or 'origin', got 'now'"):
        Clock((24,), at="now")  # type: ignore[arg-type]
