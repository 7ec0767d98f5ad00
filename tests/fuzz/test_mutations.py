"""Every door under a fixed number of mutated inputs; `make fuzz SECONDS=300` goes on from there."""

import contextlib
import random
from itertools import islice

import pytest

pytest.importorskip("resource", reason="time and memory are bounded by what Unix offers")

from tests.fuzz.mutation import mutants
from tests.fuzz.rules import judge
from tests.fuzz.targets import TARGETS
from tests.fuzz.wording import DefectError

# The inputs are fixed, so that what fails here fails again, on any machine; of each door about a second's work.
SEED = 14
COUNTS = {
    "delimited": 150, "documents": 700, "binary": 1000, "workbooks": 1500, "packed": 1500, "channels": 300,
    "forecast": 100, "lines": 900, "state": 150, "log": 40, "archive": 8000, "tree": 2500,
}  # fmt: skip


@pytest.mark.parametrize("name", TARGETS)
def test_no_input_breaks_a_door(name: str) -> None:
    target = TARGETS[name]
    seeds = target.seeds()
    # What is good is taken; also what is loaded and compiled on first use is then there.
    for seed in seeds:
        _judged(name, seed)
    rng = random.Random(f"{SEED} {name}")
    for data in islice(mutants(seeds, target.tokens, rng), COUNTS[name]):
        _judged(name, data)


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
