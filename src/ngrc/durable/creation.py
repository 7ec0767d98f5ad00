"""A new series: its settings and, where one is given, its history, in one transaction."""

import json
import re
from hashlib import sha256
from typing import Any

from ngrc.archive import dumps, loads
from ngrc.archive.container import MANIFEST, unpack
from ngrc.durable.begin import given
from ngrc.durable.entry import Entry
from ngrc.durable.errors import ConflictError
from ngrc.durable.observation import Observation
from ngrc.durable.reading import SeriesRow, SnapshotRow, read_series
from ngrc.durable.series import now, read_value
from ngrc.durable.state import State
from ngrc.durable.store import Store
from ngrc.durable.times import read_time
from ngrc.validation import check_count

_NAME = re.compile(r"[^\x00-\x1f\x7f/]{1,200}")


def create(store: Store, name: str, forecaster: Any, history: Any) -> None:
    """Keep a new series; one that is there with the same settings is left as it is."""
    check_name(name)
    plan = dumps(forecaster)
    observations = None if isinstance(history, int) else given(history)
    settings = _settings(forecaster, history, observations)
    with store.reading() as connection:
        there = read_series(connection, name)
    if there is not None:
        _check_same(there, plan, settings, store.address.shown)
        return
    row = SeriesRow(0, name, json.dumps(settings, ensure_ascii=False), plan, now(), _version())
    entries, snapshot = _started(plan, observations, settings["history"])
    other = store.writer.create(row, entries, snapshot)
    if other is not None:
        _check_same(other, plan, settings, store.address.shown)


def check_name(name: Any) -> None:
    """Refuse names that do not fit into one line or an address, where browsers and proxies resolve dots."""
    if not isinstance(name, str) or not _NAME.fullmatch(name) or name != name.strip() or name in (".", ".."):
        raise ValueError(
            "a series needs a name of up to 200 characters in one line, without a slash and other than . and .., got "
            f"{str(name)[:40]!r}"
        )


def _settings(forecaster: Any, history: Any, observations: list[Observation] | None) -> dict[str, Any]:
    words: dict[str, Any] = {"forecaster": repr(forecaster)}
    if observations is None:
        return {**words, "history": check_count(history, "history"), "given": None}
    told = repr([(one.time, one.value) for one in observations])
    return {**words, "history": len(observations), "given": sha256(told.encode()).hexdigest()}


def _check_same(there: SeriesRow, plan: bytes, settings: dict[str, Any], shown: str) -> None:
    """Compare by what the forecasters hold: their bytes also name the version that wrote them."""
    kept = there.read_settings(shown)
    if _content(dumps(loads(there.plan))) != _content(plan):
        what = f"the forecaster {kept['forecaster']}", settings["forecaster"]
    elif kept["history"] != settings["history"]:
        what = f"a history of {kept['history']} observations", settings["history"]
    elif kept["given"] != settings["given"]:
        what = "another history", "a new one"
    else:
        return
    raise ConflictError(f"there is a series {there.name!r} with {what[0]}, got {what[1]}; take another name")


def _content(archive: bytes) -> Any:
    return json.loads(bytes(unpack(archive)[MANIFEST]))["sha256"]


def _started(
    plan: bytes, observations: list[Observation] | None, wanted: int
) -> tuple[list[Entry], SnapshotRow | None]:
    """The rows of a history, and the state after it."""
    if observations is None:
        # Made once in vain, so that a forecaster which cannot be kept, or started, is refused now.
        _check_size(loads(plan), wanted)
        return [], None
    state = State(lambda: loads(plan), len(observations))
    entries = [
        state.advance(read_value(one.value), None if one.time is None else read_time(one.time), now())
        for one in observations
    ]
    content = dumps(state.forecaster)
    return entries, SnapshotRow.of(state.seq, content, now())


def _check_size(forecaster: Any, wanted: int) -> None:
    """Refuse a count from which the forecaster cannot start: the last observation would be refused for ever."""
    from ngrc.ahead.paths import ManyFits, checked_path

    checked_path(wanted, forecaster.model, forecaster.horizon, ManyFits())


def _version() -> str:
    from importlib.metadata import version

    return version("ngrc")
