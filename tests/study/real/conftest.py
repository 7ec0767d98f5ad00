"""A small made-up series in the place of Exchange, so that every target runs in a second or two."""

from collections.abc import Iterator

import numpy as np
import pytest

from ngrc.datasets import DatasetError
from ngrc.datasets.catalogue import LOADERS
from ngrc.series import Series
from ngrc.study.real import parallel, sources

LENGTH, SPIKES = 2700, (2400, 2401)


def made_up(name: str = "exchange", seed: int = 0) -> Series:
    rng = np.random.default_rng(seed)
    values = rng.normal(size=LENGTH) * (1 + 0.3 * np.sin(np.arange(LENGTH) / 40))
    values[1:] += 0.4 * values[:-1]
    values[list(SPIKES)] = 40.0, -40.0
    return Series(values, name=name)


@pytest.fixture
def small(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Every dataset is made up, and ozone is the stand-in; nothing is remembered before and after."""

    def load(name: str) -> Series:
        return made_up("ozone-epa" if name == "ozone" else name, seed=list(LOADERS).index(name))

    yield from _replaced(monkeypatch, load)


@pytest.fixture
def bare(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """No data anywhere."""

    def load(name: str) -> Series:
        raise DatasetError(f"no {name} here")

    yield from _replaced(monkeypatch, load)


def _replaced(monkeypatch: pytest.MonkeyPatch, load: object) -> Iterator[None]:
    monkeypatch.setattr(sources, "load", load)
    monkeypatch.setattr(parallel, "_KEPT", {})
    sources._source.cache_clear()
    yield
    sources._source.cache_clear()
