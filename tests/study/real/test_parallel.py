"""Every computation once, in any number of processes."""

from functools import partial
from pathlib import Path

import numpy as np
import pytest

from ngrc._types import FloatArray
from ngrc.study.harness.processes import each
from ngrc.study.real import parallel
from ngrc.study.real.parallel import remembered


def heavy(seed: int) -> FloatArray:
    matrix = np.random.default_rng(seed).normal(size=(60, 60))
    product: FloatArray = np.linalg.solve(matrix @ matrix.T + np.eye(60), matrix[0])
    return product


def test_processes_do_not_move_a_digit() -> None:
    calls = [partial(heavy, seed) for seed in range(5)]
    alone, shared = list(each(calls, jobs=1)), list(each(calls, jobs=2, batch=1))
    for first, second, seed in zip(alone, shared, range(5), strict=True):
        np.testing.assert_array_equal(first, second)
        np.testing.assert_allclose(first, heavy(seed))
    assert list(each([], jobs=2)) == []


def test_a_key_is_computed_once_per_data_folder(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(parallel, "_KEPT", {})
    done: list[str] = []

    def call(name: str) -> str:
        done.append(name)
        return name.upper()

    calls = {("k", name): partial(call, name) for name in "ab"}
    assert remembered(calls, name="test", jobs=1) == ["A", "B"]
    assert remembered({("k", "b"): calls["k", "b"], ("k", "c"): partial(call, "c")}, name="test", jobs=1) == [
        "B",
        "C",
    ]
    assert done == ["a", "b", "c"]
    monkeypatch.setenv("NGRC_DATA", str(tmp_path))
    assert remembered({("k", "a"): calls["k", "a"]}, name="test", jobs=1) == ["A"]
    assert done == ["a", "b", "c", "a"]
