"""What tests of durable series share: a small forecaster, a series, and what a plain forecaster says of it."""

import math
from collections.abc import Iterable
from typing import Any

import numpy as np

from ngrc import NGRC
from ngrc.durable import Observation, Reply, Session, Store
from ngrc.live import OnlineForecaster

START = 60
"""Observations that the forecaster of these tests starts from."""


def wave(count: int = 120, seed: int = 0) -> list[float]:
    noise = np.random.default_rng(seed).normal(0, 0.1, count)
    return [float(one) for one in np.sin(np.arange(count) / 5) + noise]


def forecaster(**options: Any) -> OnlineForecaster:
    settings: dict[str, Any] = {"model": NGRC(lags=2), "method": "rolling", "level": [0.8, 0.9], **options}
    return OnlineForecaster(settings.pop("model"), settings.pop("method"), settings.pop("level"), **settings)


def session(address: str, name: str = "x", history: Any = START, **options: Any) -> Session:
    """A session with one series, new or resumed."""
    opened = Session(Store.open(address))
    try:
        opened.create(name, forecaster(**options), history)
    except BaseException:
        opened.close()
        raise
    return opened


def told(address: str, values: Iterable[float | None], group: int = 7, **options: Any) -> list[Reply]:
    """Replies to values that come in groups, all committed."""
    replies = []
    with session(address, **options) as one:
        for place, value in enumerate(values, start=1):
            replies.append(one.take("x", Observation(value)))
            if place % group == 0:
                one.commit()
        one.commit()
        assert one.notes() == ()
    return replies


def facts(reply: Reply) -> Any:
    """All that a reply says of forecasts and outcomes, floats by their bits; `again` aside."""
    coming = reply.coming
    said = (
        None if coming is None else (coming.origin, coming.targets, coming.mean, coming.lower, coming.upper)
    )
    matured = [
        (one.step, one.origin, one.target, one.mean, one.value, one.covered, one.lower)
        for one in reply.matured
    ]
    return exact((reply.seq, reply.time, reply.value, reply.history, said, matured))


def exact(value: Any) -> Any:
    if isinstance(value, float):
        return value.hex()
    if isinstance(value, dict):
        return {exact(key): exact(one) for key, one in value.items()}
    return [exact(one) for one in value] if isinstance(value, list | tuple) else value


def plain(values: list[float | None], count: int = START, **options: Any) -> list[Any]:
    """What an `OnlineForecaster` without any database says from the start on: mean, ends, and what matured."""
    live = forecaster(**options).start([math.nan if one is None else one for one in values[:count]])
    said = [_spoken(live.next(), ())]
    for value in values[count:]:
        matured = live.observe(value)
        said.append(_spoken(live.next(), matured))
    return said


def _spoken(coming: Any, matured: Any) -> Any:
    ends = {
        level: (coming.lower[level].tolist(), coming.upper[level].tolist()) for level in sorted(coming.lower)
    }
    return exact(
        (coming.mean.tolist(), ends, [(one.step, one.mean, one.value, one.covered) for one in matured])
    )


def spoken(reply: Reply) -> Any:
    """The same of a reply."""
    coming = reply.coming
    assert coming is not None
    ends = {level: (list(coming.lower[level]), list(coming.upper[level])) for level in coming.lower}
    matured = [
        (one.step, one.mean, one.value, None if None in one.covered.values() else one.covered)
        for one in reply.matured
    ]
    return exact((list(coming.mean), ends, matured))
