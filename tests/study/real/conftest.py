"""A small made-up series in the place of Exchange, so that every target runs in a second or two."""

from collections.abc import Iterator

import numpy as np
import pytest

from ngrc.datasets import DatasetError
from ngrc.datasets.catalogue import LOADERS
from ngrc.series import Series
from ngrc.study.real import parallel, sources

LENGTH, SPIKES = 900, (800, 801)
# A fit block, 40 % of the rows, must hold Solar's longest period: a week of ten minutes is 1,008 observations.
LONG = 2700


def made_up(name: str = "exchange", seed: int = 0, length: int = LENGTH) -> Series:
    rng = np.random.default_rng(seed)
    values = rng.normal(size=length) * (1 + 0.3 * np.sin(np.arange(length) / 40))
    values[1:] += 0.4 * values[:-1]
    values[list(SPIKES)] = 40.0, -40.0
    return Series(values, name=name)


@pytest.fixture
def small(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Every dataset is made up, and ozone is the stand-in; nothing is remembered before and after."""

    yield from _replaced(monkeypatch, lambda name: _stand_in(name, LENGTH))


@pytest.fixture
def long(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """As `small`, with series on which the presets of all four datasets can be fitted."""
    yield from _replaced(monkeypatch, lambda name: _stand_in(name, LONG))


@pytest.fixture
def bare(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """No data anywhere."""

    def load(name: str) -> Series:
        raise DatasetError(f"no {name} here")

    yield from _replaced(monkeypatch, load)


def _stand_in(name: str, length: int) -> Series:
    return made_up("ozone-epa" if name == "ozone" else name, list(LOADERS).index(name), length)


def _replaced(monkeypatch: pytest.MonkeyPatch, load: object) -> Iterator[None]:
    monkeypatch.setattr(sources, "load", load)
    monkeypatch.setattr(parallel, "_KEPT", {})
    sources._source.cache_clear()
    yield
    sources._source.cache_clear()
