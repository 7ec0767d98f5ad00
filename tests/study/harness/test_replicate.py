"""Replications: the same numbers for any number of processes, and a stream for each."""

import builtins
from functools import partial
from typing import Any

import numpy as np
import pytest

from ngrc._types import FloatArray
from ngrc.study.harness.replicate import default_jobs, replicate


def draw(rng: np.random.Generator) -> FloatArray:
    return rng.standard_normal(3)


def solve(size: int, rng: np.random.Generator) -> FloatArray:
    matrix = rng.standard_normal((2 * size, size))
    values, _ = np.linalg.eigh(matrix.T @ matrix)
    found: FloatArray = values
    return found


@pytest.mark.parametrize("jobs", [2, 3])
def test_processes_do_not_move_a_bit(jobs: int) -> None:
    pytest.importorskip("joblib")
    task = partial(solve, 60)
    alone = replicate(task, 7, name="a", seed=5)
    together = replicate(task, 7, name="a", seed=5, jobs=jobs)
    assert [one.tobytes() for one in alone] == [one.tobytes() for one in together]


def test_more_replications_leave_the_first_ones_alone() -> None:
    np.testing.assert_array_equal(
        replicate(draw, 3, name="a", seed=1), replicate(draw, 8, name="a", seed=1)[:3]
    )


def test_streams_differ_by_number_name_and_seed() -> None:
    drawn = [*replicate(draw, 4, name="a", seed=1), *replicate(draw, 4, name="b", seed=1)]
    drawn += replicate(draw, 4, name="a", seed=2)
    assert len({one.tobytes() for one in drawn}) == len(drawn)


def test_without_joblib_one_process_works_and_two_say_what_is_missing(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    original = builtins.__import__

    def blocked(name: str, *rest: Any, **more: Any) -> Any:
        if name.partition(".")[0] == "joblib":
            raise ImportError(name)
        return original(name, *rest, **more)

    expected = replicate(draw, 2, name="a", seed=1)
    monkeypatch.setattr(builtins, "__import__", blocked)
    np.testing.assert_array_equal(replicate(draw, 2, name="a", seed=1), expected)
    with pytest.raises(ValueError, match=r"ngrc\[parallel\]"):
        replicate(draw, 2, name="a", seed=1, jobs=2)


def test_counts_are_checked() -> None:
    with pytest.raises(ValueError, match="count must be at least 1"):
        replicate(draw, 0, name="a", seed=1)
    with pytest.raises(ValueError, match="jobs must be at least 1"):
        replicate(draw, 1, name="a", seed=1, jobs=0)
    assert default_jobs() >= 1
