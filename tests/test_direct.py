"""Kernels that are called directly: the same numbers as by numba's own way, kept on disk, and safe by construction."""

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from ngrc._jit import COMPILING, Direct, check_state, direct, jit
from ngrc._types import FloatArray

PROGRAM = """
import logging; logging.basicConfig(level=logging.INFO, format='%(message)s')
import numpy as np
from ngrc.intervals import METHODS, History
residuals = np.random.default_rng(0).standard_t(4, 60)
for name in ("rolling", "gaussian"):
    tracker = METHODS[name](window=20).begin(History(residuals[:40], 2), 0.8)
    ends = [tracker.step(residual, None) for residual in residuals[40:].tolist()]
    print(name, [one[1].hex() for one in ends[-3:]])
"""


@direct("(float64[::1], float64)")
def added(state: FloatArray, value: float) -> float:
    state[0] += value
    return float(state[0])


@jit
def summed(pair: tuple[FloatArray, FloatArray], factor: float) -> float:
    return float(factor * (pair[0].sum() + pair[1].sum()))


def run(environment: dict[str, str]) -> list[str]:
    child = subprocess.run(
        [sys.executable, "-c", PROGRAM], capture_output=True, text=True, env={**os.environ, **environment}
    )
    assert child.returncode == 0, child.stderr
    return (child.stdout + child.stderr).splitlines()


def test_kept_on_disk_and_the_same_without_a_compiler(tmp_path: Path) -> None:
    cache = {"NUMBA_CACHE_DIR": str(tmp_path)}
    *cold, announced = run(cache)
    assert announced == COMPILING
    assert run(cache) == cold
    assert len(cold) == 2
    assert run({"NUMBA_DISABLE_JIT": "1"}) == cold


def test_called_without_numbas_look_at_the_arguments() -> None:
    state = np.zeros(3)
    assert added.call(state, 2.0) == 2.0
    assert added.call(state, np.float64(1.5)) == added.call(state, 0) == 3.5
    assert type(added.call).__name__ == "builtin_function_or_method"
    for wrong in (None, "one", 1j, [1.0]):
        with pytest.raises(TypeError):
            added.call(state, wrong)  # type: ignore[arg-type]
    with pytest.raises(TypeError):
        added.call([1.0], 2.0)  # type: ignore[arg-type]
    assert state[0] == 3.5


def test_a_numba_that_hands_out_no_compiled_form_has_its_dispatcher() -> None:
    class Dispatcher:
        def __call__(self, state: Any, value: float) -> float:
            return value + 1.0

    class Mute(Dispatcher):
        def compile(self, signature: str) -> None:
            """Compiles, and gives nothing back."""

    for kernel in (Dispatcher(), Mute()):
        assert Direct(kernel, "(float64[::1], float64)").call(np.zeros(1), 2.0) == 3.0


def test_types_that_nobody_wrote_down_are_those_of_the_first_state() -> None:
    total = Direct(summed)
    pair = (np.ones(3), np.ones(2))
    with pytest.raises(RuntimeError, match="settle"):
        total.call(pair, 2.0)
    total.settle(pair, 0.0)
    assert total.call(pair, 2) == 10.0
    total.settle((np.zeros(9), np.zeros(1)), 1.0)
    others: Any = (
        (np.ones(3, np.float32), np.ones(2)),
        (np.ones(6)[::2], np.ones(2)),
        (np.ones((1, 1)), np.ones(2)),
    )
    for other in others:
        with pytest.raises(ValueError, match="not of the types"):
            total.settle(other, 0.0)


WRONG: list[Any] = [np.zeros(4, np.int64), np.zeros(8)[::2], np.zeros((2, 2)), np.zeros(4, np.float32)]


@pytest.mark.parametrize("wrong", WRONG, ids=str)
def test_states_that_would_be_misread_are_refused(wrong: Any) -> None:
    check_state(np.zeros(4), np.float64, 1, "state")
    with pytest.raises(ValueError, match="state should be 1 dimension of float64 without gaps, got"):
        check_state(wrong, np.float64, 1, "state")
