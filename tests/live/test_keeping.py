"""At any point of a stream: kept, loaded and gone on with is never having stopped, to the bit."""

import dataclasses
import json
from pathlib import Path

import numpy as np
import pytest

import ngrc
from ngrc import NGRC, OnlineForecaster
from ngrc.archive import container, dumps, entry, loads
from ngrc.forecasters import SeasonalNaive
from ngrc.intervals import METHODS, Rolling
from tests.live.starts import BEGIN, SERIES, fresh, said


@pytest.mark.parametrize("horizon", [1, 3])
@pytest.mark.parametrize("method", METHODS)
def test_going_on_is_never_having_stopped(method: str, horizon: int) -> None:
    rng = np.random.default_rng(horizon)
    live = fresh(method, horizon, late="accept")
    other, index = fresh(method, horizon, late="accept"), BEGIN
    missing: list[int] = []
    for count in range(36):
        time, value = index, float(SERIES[index])
        draw = rng.random()
        if draw < 0.2:
            time, value = index, float("nan")
            missing.append(index)
        elif draw < 0.3:
            missing += [index, index + 1]
            time, value = index + 2, float(SERIES[index + 2])
        elif draw < 0.5 and missing:
            time = missing.pop(int(rng.integers(len(missing))))
            value = float(SERIES[time])
        index = max(index, time + 1)
        assert live.observe(value, time) == other.observe(value, time)
        assert said(live) == said(other)
        if count % 5 == 0:
            other = loads(dumps(other))
    assert dumps(live) == dumps(other)


def test_with_refits_too(tmp_path: Path) -> None:
    live = OnlineForecaster(NGRC(lags=3, ridge=0.1), "adaptive", refit_every=10, window=80, horizon=2)
    live.start(SERIES[:200])
    for place, value in enumerate(SERIES[200:260]):
        if place == 33:
            live.save(tmp_path / "kept.ngrc")
            other = ngrc.load(tmp_path / "kept.ngrc")
        live.observe(value)
        if place >= 33:
            other.observe(value)
    assert dumps(live) == dumps(other)


def test_one_that_was_not_started_is_kept_with_its_parameters() -> None:
    live = OnlineForecaster(
        NGRC(lags=5), Rolling(40), [50, 0.9], horizon=4, late="accept", refit_every=7, window=100, seed=3
    )
    other = loads(dumps(live))
    assert repr(other) == repr(live)
    assert (other.levels, other.horizon, other.method, other.started) == ((0.5, 0.9), 4, Rolling(40), False)
    assert (other.late, other.refit_every, other.window, other.seed) == ("accept", 7, 100, 3)
    assert repr(other.model) == repr(live.model)


def test_other_models_go_on_in_this_process_alone(tmp_path: Path) -> None:
    live = OnlineForecaster(SeasonalNaive(), "split", 0.9).start(SERIES[:100])
    live.observe(1.0)
    assert live.next().mean.tolist() == [1.0]
    with pytest.raises(ValueError, match="OnlineForecaster of SeasonalNaive goes on in this process alone"):
        live.save(tmp_path / "kept.ngrc")
    assert not list(tmp_path.iterdir())


def test_a_newer_file_and_an_altered_one_are_refused() -> None:
    content = dumps(fresh("rolling"))
    with pytest.raises(ValueError, match="cannot load the bytes"):
        loads(content[:-200] + bytes([content[-200] ^ 1]) + content[-199:])
    entries = {name: bytes(part) for name, part in container.unpack(content).items()}
    manifest = json.loads(entries[container.MANIFEST])
    manifest["version"] = entry.VERSION + 1
    entries[container.MANIFEST] = json.dumps(manifest, separators=(",", ":")).encode()
    with pytest.raises(ValueError, match="written by a newer ngrc"):
        loads(container.pack(entries))


def _changed(content: bytes, change: dict[str, object]) -> bytes:
    """A file made by hand: fields of the state replaced by their path, with checksums that fit."""
    entries = {name: bytes(part) for name, part in container.unpack(content).items()}
    tree = json.loads(entries[container.TREE])
    for path, value in change.items():
        *way, last = path.split(".")
        part = tree["fields"]
        for name in way:
            part = part[name]["fields"]
        part[last] = value
    entries[container.TREE] = json.dumps(tree, separators=(",", ":")).encode()
    manifest = json.loads(entries[container.MANIFEST])
    manifest["sha256"] = {
        name: entry._digest(part) for name, part in entries.items() if name != container.MANIFEST
    }
    entries[container.MANIFEST] = json.dumps(manifest, separators=(",", ":")).encode()
    return container.pack(entries)


@pytest.mark.parametrize(
    ("path", "value"),
    [
        ("service.begun", 0),
        ("service.inputs.size", 0),
        ("service.inputs.size", 1),
        ("service.inputs.size", 10**6),
        ("service.inputs.keep", 1),
        ("service.inputs.first", -1),
        ("service.calibration.spread", 1),
        ("service.calibration.trackers", {"list": []}),
        ("service.calibration.waiting", {"dict": []}),
        ("service.missing", {"dict": []}),
        ("service.calibration.levels", {"tuple": [0.5]}),
        ("service.point.start", -3),
        ("service.point.model", None),
        ("service.clock.newest", 2.5),
        ("service.clock.grid", {"dict": [["grid", "weeks"]]}),
        ("service.remembered", 5),
        ("service", 3),
    ],
)
def test_a_file_made_by_hand_is_refused(path: str, value: object) -> None:
    content = dumps(fresh("rolling"))
    assert said(loads(_changed(content, {}))) == said(fresh("rolling"))
    with pytest.raises(ValueError, match="cannot load the bytes"):
        loads(_changed(content, {path: value}))


def test_memory_is_flat_without_refits() -> None:
    live = OnlineForecaster(NGRC(lags=3, ridge=0.1), Rolling(50), 0.9).start(SERIES[:200])
    values = np.random.default_rng(1).normal(3.0, 1.0, 20_000).tolist()
    for value in values[:1000]:
        live.observe(value)
    early = len(dumps(live))
    for value in values[1000:]:
        live.observe(value)
    # Numbers in the text have up to 24 characters, some of them fewer; nothing grows with the observations.
    assert abs(len(dumps(live)) - early) < 1000


@pytest.mark.parametrize("half_lives", [(24,), (2, 500)])
def test_half_lives_longer_than_the_history_are_kept_at_every_step(half_lives: tuple[float, ...]) -> None:
    live = OnlineForecaster(NGRC(lags=3, half_lives=half_lives), "adaptive", horizon=2).start(SERIES[:150])
    other = loads(dumps(live))
    for value in SERIES[150:350]:
        assert live.observe(float(value)) == other.observe(float(value))
        other = loads(dumps(other))
    assert dumps(live) == dumps(other)


def test_a_refit_with_a_longer_memory_than_the_values_held_is_kept() -> None:
    live = OnlineForecaster(NGRC(lags=3), "rolling", refit_every=5, window=60).start(SERIES[:200])
    service = live._service
    assert service is not None
    assert service.refits is not None
    assert service.inputs.first > 0
    # As the automatic model does, which chooses its columns anew at each fit.
    longer = NGRC(lags=3, half_lives=(50,), path=True)
    service.refits = dataclasses.replace(service.refits, model=longer)
    for value in SERIES[200:220]:
        live.observe(float(value))
    other = loads(dumps(live))
    for value in SERIES[220:300]:
        assert live.observe(float(value)) == other.observe(float(value))
    assert dumps(live) == dumps(other)


@pytest.mark.parametrize("size", [1, 4])
def test_fewer_values_than_the_delays_reach_are_refused(size: int) -> None:
    live = OnlineForecaster(NGRC(lags=5, half_lives=(9,)), "rolling").start(SERIES[:200])
    service = live._service
    assert service is not None
    service.inputs = dataclasses.replace(service.inputs, size=size, first=200 - size)
    with pytest.raises(ValueError, match="values that are read are held"):
        loads(dumps(live))
