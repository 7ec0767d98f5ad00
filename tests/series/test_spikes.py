"""Isolated spikes: found where planted, not found where a series is only lively, and never touched."""

import numpy as np
import pytest

from ngrc import NGRC, backtest
from ngrc.datasets import load
from ngrc.series.spikes import find_spikes


def wave(n: int = 600) -> np.ndarray:
    return np.sin(np.arange(n) / 7) + np.random.default_rng(0).normal(0, 0.1, n)


@pytest.mark.parametrize("positions", [[100], [100, 101], [3, 300, 590]])
def test_planted_spikes_are_found(positions: list[int]) -> None:
    y = wave()
    y[positions] += np.where(np.arange(len(positions)) % 2, -9.0, 9.0)
    found = find_spikes(y)
    assert found.positions.tolist() == positions
    assert (np.abs(found.sizes) > 12).all()
    assert "isolated spike" in (found.remark or "")


def test_lively_series_have_none() -> None:
    rng = np.random.default_rng(1)
    for y in (wave(), rng.normal(size=5000), rng.laplace(size=5000), np.cumsum(rng.normal(size=5000))):
        assert not find_spikes(y).positions.size
        assert find_spikes(y).remark is None


def test_constant_and_short_series_have_none() -> None:
    assert not find_spikes(np.full(500, 2.0)).positions.size
    assert not find_spikes(np.array([0.0, 100.0, 0.0])).positions.size


def test_a_backtest_names_them_and_leaves_them_in() -> None:
    y = wave()
    y[550] += 9.0
    result = backtest(y, NGRC(lags=3), methods=["split"])
    assert result.spikes.positions.tolist() == [550]
    assert result.series.values[550] == y[550]


@pytest.mark.paper
def test_the_exchange_returns_hold_the_known_pair(data_folder: object) -> None:
    assert {6619, 6620} <= set(find_spikes(load("exchange").values).positions.tolist())
