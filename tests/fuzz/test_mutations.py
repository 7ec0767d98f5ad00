"""Every door under mutated bytes, for a bounded time; `make fuzz SECONDS=300` goes on from there."""

import contextlib
import random
import time

import pytest

pytest.importorskip("resource", reason="time and memory are bounded by what Unix offers")

from tests.fuzz.mutation import mutants
from tests.fuzz.rules import judge
from tests.fuzz.targets import TARGETS
from tests.fuzz.wording import DefectError

# Of processor time per door; the order of the inputs is fixed, so that what fails here fails again.
SECONDS = 1.2
SEED = 14
# So many are reached on any machine, or the test is worth nothing.
LEAST = 5


@pytest.mark.parametrize("name", TARGETS)
def test_no_input_breaks_a_door(name: str) -> None:
    target = TARGETS[name]
    seeds = target.seeds()
    # What is good is taken; also what is loaded and compiled on first use is then there.
    for seed in seeds:
        _judged(name, seed)
    rng = random.Random(f"{SEED} {name}")
    stop = time.process_time() + SECONDS
    for count, data in enumerate(mutants(seeds, target.tokens, rng), 1):
        _judged(name, data)
        if count >= LEAST and time.process_time() > stop:
            break


def _judged(name: str, data: bytes) -> None:
    try:
        judge(TARGETS[name].call, data)
    except DefectError as defect:
        shown = data if len(data) < 2000 else data[:2000] + b"..."
        pytest.fail(f"{defect}\ninput of {len(data)} bytes: {shown!r}")


def test_mutants_are_the_same_for_the_same_seed() -> None:
    def some(seed: int) -> list[bytes]:
        changed = mutants([b"a,b\n1,2\n", b"x\n3\n"], [b"nan"], random.Random(seed))
        return [next(changed) for _ in range(200)]

    assert some(1) == some(1)
    assert some(1) != some(2)
    # They differ among each other, and from what they were made of.
    assert len(set(some(1))) > 100
    assert sum(one in (b"a,b\n1,2\n", b"x\n3\n") for one in some(1)) < 40


def test_a_defect_is_seen() -> None:
    def broken(data: bytes) -> None:
        raise {b"key": KeyError("x"), b"line": ValueError("a\nb"), b"own": UnicodeError("x")}[data]

    for data in (b"key", b"line", b"own"):
        with pytest.raises(DefectError):
            judge(broken, data)
    with pytest.raises(DefectError, match="0x"):
        judge(lambda data: (_ for _ in ()).throw(ValueError(f"no {object()}")), b"")


def test_a_hang_is_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tests.fuzz.rules.SECONDS", 0.2)
    monkeypatch.setattr("tests.fuzz.rules.WAITING", 5)

    def endless(data: bytes) -> None:
        while True:
            with contextlib.suppress(Exception):
                sum(range(1000))

    with pytest.raises(DefectError, match="no outcome within"):
        judge(endless, b"")
