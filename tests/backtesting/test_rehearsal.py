"""The rehearsal runs the kernels that the timed run will, once per process."""

from typing import Any

import pytest

from ngrc.backtesting import rehearsal
from ngrc.intervals import METHODS, Adaptive, ResCP, Rolling
from ngrc.intervals.base import IntervalMethod, Offsets, Stream
from ngrc.intervals.defaults import resolve
from ngrc.order.multisets import sliding_select


@pytest.fixture(autouse=True)
def _as_in_a_new_process(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rehearsal, "_REHEARSED", set())


@pytest.mark.parametrize("window", [1, 100, 5000])
def test_the_kernel_of_rolling_is_reached_at_any_window(window: int, monkeypatch: pytest.MonkeyPatch) -> None:
    reached = []

    def noted(*arguments: Any) -> Any:
        reached.append(arguments)
        return sliding_select(*arguments)

    monkeypatch.setattr("ngrc.intervals.rolling.sliding_select", noted)
    rehearsal.rehearse(Rolling(window=window))
    assert len(reached) == 1


def test_both_samplers_of_rescp_are_rehearsed_and_each_only_once(monkeypatch: pytest.MonkeyPatch) -> None:
    samplers = []
    run = ResCP.run

    def noted(self: ResCP, stream: Stream, level: float) -> Any:
        samplers.append(self.sampler)
        return run(self, stream, level)

    monkeypatch.setattr(ResCP, "run", noted)
    for sampler in ("exact", "stochastic", "exact", "stochastic"):
        rehearsal.rehearse(ResCP(sampler=sampler))
    assert samplers == ["exact", "stochastic"]


@pytest.mark.parametrize("name", METHODS)
def test_every_named_method_gets_through_its_rehearsal(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A refusal of the small stream is swallowed, so that it must not happen to a default."""
    method = resolve(name)
    kind = type(method.rehearsal())
    run, finished = kind.run, []

    def noted(self: IntervalMethod, stream: Stream, level: float) -> Offsets:
        finished.append(run(self, stream, level))
        return finished[-1]

    monkeypatch.setattr(kind, "run", noted)
    rehearsal.rehearse(method)
    assert finished


def test_a_method_that_the_small_stream_cannot_serve_is_left_to_the_real_one() -> None:
    rehearsal.rehearse(Adaptive(rates=(0.1, 0.2)))
    rehearsal.rehearse(ResCP(window=10**6))
    assert len(rehearsal._REHEARSED) == 2
