"""Every interval method kept in the middle of a stream: going on from a file is never having stopped, to the bit."""

from typing import Any

import numpy as np
import pytest

from ngrc.archive import dumps, loads
from ngrc.intervals import METHODS, History, IntervalMethod, Scaled, Split, Tracker
from ngrc.intervals.context import Context
from ngrc.intervals.rescp import ResCP
from ngrc.online import Online

SIZE, KNOWN, LEVEL = 330, 180, 0.9
SMALL = ResCP(size=40, temperature=0.1, window=60)
METHOD = {name: SMALL if name == "rescp" else method() for name, method in METHODS.items()}
METHOD |= {
    "rescp, all residuals drawn": ResCP(size=40, temperature=0.1, window="all", sampler="stochastic"),
    "scaled split": Scaled(Split()),
}
EVERY = pytest.mark.parametrize("name", METHOD)


def history(method: IntervalMethod, horizon: int, sighted: bool) -> History:
    rng = np.random.default_rng([7, horizon])
    residuals = np.round(rng.standard_t(4, KNOWN), 2)
    context = Context(rng.normal(size=KNOWN + horizon - 1), (24.0, 7.5)) if sighted else None
    if "forecasts" not in method.sees:
        context = None
    return History(residuals, horizon, 1.1, {"gcv": 1.2, "evidence": 1.3}, context)


def steps(tracker: Tracker, first: int, last: int) -> list[tuple[float, float]]:
    """Intervals of some targets, with one in seven outcomes lost, and what came of each told to the tracker."""
    rng = np.random.default_rng(3)
    residuals, leverages, forecasts = rng.standard_t(3, SIZE), rng.random(SIZE) / 5, rng.normal(size=SIZE)
    issued = []
    for place in range(first, last):
        lower, upper = tracker.issue(leverages[place], forecasts[place])
        issued.append((lower, upper))
        if place % 7 == 6:
            tracker.skip()
        else:
            tracker.observe(residuals[place], not lower <= residuals[place] <= upper)
    return issued


@EVERY
@pytest.mark.parametrize(("horizon", "sighted"), [(1, False), (3, True)])
def test_going_on_from_a_file_is_never_having_stopped(name: str, horizon: int, sighted: bool) -> None:
    method = METHOD[name]
    known = history(method, horizon, sighted)
    straight, halting = method.begin(known, LEVEL), method.begin(known, LEVEL)
    whole = steps(straight, 0, 120)
    parts = []
    for first, last in ((0, 1), (1, 40), (40, 41), (41, 120)):
        halting = loads(dumps(halting))
        parts += steps(halting, first, last)
    assert parts == whole
    assert dumps(halting) == dumps(straight)


@EVERY
def test_what_was_tuned_is_kept(name: str) -> None:
    method = METHOD[name]
    tuned = method.tuned(history(method, 2, True), LEVEL)
    for one in (method, tuned):
        loaded = loads(dumps(one))
        assert loaded == one
        assert loaded.selected == one.selected


@EVERY
def test_saving_changes_nothing(name: str) -> None:
    method = METHOD[name]
    known = history(method, 2, False)
    watched, left = method.begin(known, LEVEL), method.begin(known, LEVEL)
    issued: list[Any] = []
    for place in range(30):
        dumps(watched)
        issued += steps(watched, place, place + 1)
    assert issued == steps(left, 0, 30)


@pytest.mark.parametrize("names", ["counted", "datetime64", "datetime"])
@pytest.mark.parametrize("name", ["adaptive", "auto"])
def test_a_method_in_service_goes_on_with_what_it_awaits(name: str, names: str) -> None:
    method, horizon, size = METHOD[name], 3, 40
    known, outcomes = history(method, horizon, False), np.random.default_rng(5).normal(size=size)
    hours = np.datetime64("2024-01-01T00", "us") + np.arange(size) * np.timedelta64(1, "h")
    targets: list[Any] = {"counted": [None] * size, "datetime64": list(hours), "datetime": hours.tolist()}[
        names
    ]

    def serve(kept: bool) -> list[Any]:
        pending = None if names == "counted" else targets[: horizon - 1]
        online = Online(method, known, LEVEL, [0.0] * (horizon - 1), pending_targets=pending)
        issued = []
        for place in range(horizon - 1, size):
            online = loads(dumps(online)) if kept else online
            issued.append(online.issue(0.1, target=targets[place]))
            lost = place % 6 == 0
            outcome = place - horizon + 1
            told = {} if names == "counted" else {"target": targets[outcome]}
            if lost:
                online.skip(**told)
            else:
                online.observe(outcomes[outcome], **told)
        return [*issued, online.targets, repr(online), dumps(online)]

    assert serve(True) == serve(False)
