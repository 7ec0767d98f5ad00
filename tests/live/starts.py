"""Forecasters at their start, fitted once per kind and handed out as copies."""

from functools import cache
from typing import Any

import numpy as np

from ngrc import NGRC, OnlineForecaster
from ngrc.archive import dumps, loads
from ngrc.live.service import Service

SERIES = np.sin(np.arange(400) / 5) + np.random.default_rng(0).normal(0, 0.2, 400) + 3.0
BEGIN = 240
LEVELS = (0.5, 0.9)


@cache
def _kept(method: str, horizon: int, late: Any, transform: Any) -> bytes:
    live = OnlineForecaster(NGRC(lags=3, transform=transform), method, LEVELS, horizon=horizon, late=late)
    return dumps(live.start(SERIES[:BEGIN]))


def fresh(
    method: str = "adaptive", horizon: int = 1, late: str = "refuse", transform: Any = None
) -> OnlineForecaster:
    """A forecaster that was started on the first observations of `SERIES`."""
    live = loads(_kept(method, horizon, late, transform))
    assert isinstance(live, OnlineForecaster)
    return live


def service_of(live: OnlineForecaster) -> Service:
    """The state of a forecaster that was started."""
    assert live._service is not None
    return live._service


def said(live: OnlineForecaster) -> list[Any]:
    """What a forecaster says now, as plain values that compare."""
    coming = live.next()
    ends = [[coming.lower[level].tolist(), coming.upper[level].tolist()] for level in live.levels]
    return [coming.count, coming.origin, coming.targets.tolist(), coming.mean.tolist(), ends]
