"""Replies as the JSON of `ngrc stream`: numbers read back as the same floats, an infinite end is null."""

from collections.abc import Iterable
from math import isfinite
from typing import Any

from ngrc.durable import Issued, Reply, Settled


def answer(reply: Reply) -> dict[str, Any]:
    """What a client is told of one observation."""
    said: dict[str, Any] = {"seq": reply.seq, "time": reply.time, "value": number(reply.value)}
    if reply.again:
        said["again"] = True
    if reply.history is not None:
        said["history"] = reply.history
    if reply.coming is not None:
        said["forecasts"] = forecasts(reply.coming)
    if reply.matured:
        said["matured"] = [_matured(one) for one in reply.matured]
    return said


def forecasts(coming: Issued) -> list[dict[str, Any]]:
    """One entry per step, with its interval at every level."""
    return [
        {
            "step": place + 1,
            "target": target,
            "mean": number(coming.mean[place]),
            "intervals": {
                level_name(level): [number(coming.lower[level][place]), number(coming.upper[level][place])]
                for level in coming.lower
            },
        }
        for place, target in enumerate(coming.targets)
    ]


def answers(replies: Iterable[Reply]) -> list[dict[str, Any]]:
    """The same of several."""
    return [answer(reply) for reply in replies]


def number(value: float | None) -> float | None:
    """A number that JSON has, or None."""
    return value if value is not None and isfinite(value) else None


def level_name(level: float) -> str:
    """A level as a key.

    Examples
    --------
    >>> level_name(0.9), level_name(0.975)
    ('0.9', '0.975')
    """
    return repr(float(level))


def _matured(one: Settled) -> dict[str, Any]:
    covered = {level_name(level): flag for level, flag in one.covered.items()}
    return {"step": one.step, "origin": one.origin, "mean": number(one.mean), "covered": covered}
