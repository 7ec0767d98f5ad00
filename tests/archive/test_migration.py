"""Trackers as version 0.2.0 kept them: their fields are written here by hand, and they go on as if never stopped."""

from array import array
from collections import deque
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from ngrc._kernels.intervals import saocp_classes_at
from ngrc.archive import loads
from ngrc.archive.arrays import to_npy
from ngrc.archive.codec import Writer
from ngrc.archive.container import MANIFEST, TREE
from ngrc.intervals import METHODS, History, Split, Tracker
from ngrc.intervals import ring as rings
from ngrc.intervals.dtaci import DtACITracker
from ngrc.intervals.rolling import RollingTracker
from ngrc.intervals.saocp import PLACES, SAOCPTracker
from ngrc.order import SortedBlocks
from tests.archive.forging import compact, entries_of, sealed

KNOWN, LEVEL = 60, 0.8
RESIDUALS = np.random.default_rng(2).standard_t(4, 200)


def rolling(tracker: RollingTracker, arrived: list[float]) -> dict[str, Any]:
    recent = arrived[-tracker.recent.size :]
    return {"recent": deque(recent), "scores": SortedBlocks(np.array(recent)), "rank": tracker.rank}


def dtaci(tracker: DtACITracker, arrived: list[float]) -> dict[str, Any]:
    waiting = [
        None if row[0] == rings.NONE else (int(row[0]), row[2:].copy())
        for row in rings.waiting(tracker.waiting)
    ]
    return {
        "scores": tracker.scores, "arrived": array("d", arrived), "state": tracker.experts[:2].copy(),
        "rates": tracker.experts[2].copy(), "alpha": tracker.alpha, "sharpness": tracker.sharpness,
        "mixing": tracker.mixing, "waiting": deque(waiting),
    }  # fmt: skip


def saocp(tracker: SAOCPTracker, arrived: list[float]) -> dict[str, Any]:
    waiting: list[Any] = []
    for row in rings.waiting(tracker.waiting):
        classes = saocp_classes_at(int(row[0])) if row[0] > 0 else 0
        snapshot = row[2 : 2 + 2 * classes * PLACES].reshape(2, classes, PLACES).copy()
        waiting.append((int(row[0]), float(row[1]), snapshot) if classes else None)
    return {
        "experts": tracker.experts, "size": tracker.size, "alpha": tracker.alpha, "waiting": deque(waiting),
        "clock": tracker.clock,
    }  # fmt: skip


OLD: dict[str, Callable[[Any, list[float]], dict[str, Any]]] = {
    "rolling": rolling,
    "dtaci": dtaci,
    "saocp": saocp,
}


def written(kind: str, fields: dict[str, Any]) -> bytes:
    """A file as 0.2.0 would have written it."""
    writer = Writer()
    tree = {"kind": kind, "fields": {name: writer.tree(value) for name, value in fields.items()}}
    entries = {MANIFEST: entries_of(Split())[MANIFEST], TREE: compact(tree)}
    entries |= {f"arrays/{place}.npy": to_npy(part) for place, part in enumerate(writer.arrays)}
    return sealed(entries, kind=kind, ngrc="0.2.0")


def served(tracker: Tracker, horizon: int, first: int, last: int, open_ends: deque[Any]) -> list[Any]:
    """Intervals of some targets, every outcome H steps late and one in seven lost."""
    issued = []
    for target in range(first, last):
        if len(open_ends) == horizon:
            ends, residual = open_ends.popleft(), RESIDUALS[target - horizon]
            if target % 7 == 3:
                tracker.skip()
            else:
                tracker.observe(residual, None if ends is None else not ends[0] <= residual <= ends[1])
        open_ends.append(tracker.issue())
        issued.append(open_ends[-1])
    return issued


@pytest.mark.parametrize("name", OLD)
@pytest.mark.parametrize("horizon", [1, 4])
@pytest.mark.parametrize("stop", [KNOWN, KNOWN + 1, KNOWN + 30])
def test_a_file_of_an_older_version_goes_on(name: str, horizon: int, stop: int) -> None:
    method = METHODS[name](window=25) if name == "rolling" else METHODS[name]()  # type: ignore[call-arg]
    tracker = method.begin(History(RESIDUALS[:KNOWN], horizon), LEVEL)
    ends: deque[Any] = deque([None] * (horizon - 1))
    served(tracker, horizon, KNOWN, stop, ends)
    arrived = [abs(float(one)) for one in RESIDUALS[:KNOWN]]
    arrived += [
        abs(float(RESIDUALS[target - horizon])) for target in range(KNOWN + 1, stop) if target % 7 != 3
    ]
    fields = OLD[name](tracker, arrived)
    loaded = loads(written(f"intervals/{type(tracker).__name__}", fields))
    assert type(loaded) is type(tracker)
    twin = deque(ends)
    assert served(loaded, horizon, stop, 180, twin) == served(tracker, horizon, stop, 180, ends)


def test_fields_of_no_version_are_refused() -> None:
    with pytest.raises(ValueError, match="cannot load the bytes"):
        loads(written("intervals/RollingTracker", {"recent": deque([1.0]), "rank": 1, "more": 2}))
    with pytest.raises(ValueError, match="DtACITracker has other fields than this version knows"):
        loads(written("intervals/DtACITracker", {"alpha": 0.1}))
