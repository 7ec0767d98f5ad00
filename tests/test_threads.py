"""The number of BLAS threads moves the last bits of forecasts, and decides no choice.

The grids are adversarial: neighbouring candidates differ by less than rounding shows in their scores.
"""

import json
import os
import subprocess
import sys
from threading import Event, Thread
from typing import Any

import pytest
from threadpoolctl import threadpool_info, threadpool_limits

from ngrc import _threads

PROGRAM = """
import json
import numpy as np
from ngrc import NGRC, backtest
from ngrc.features import Inputs, Rows
from ngrc.intervals import Adaptive, ResCP, Weighted
from ngrc.intervals.rescp.reservoir import draw_reservoir
from ngrc.readout import choose_penalty

def near(value, step):
    return tuple(value * (1.0 + step * position) for position in range(6))

series = np.random.default_rng(0).standard_normal(900)
rows = Rows.of(NGRC(lags=15).feature_map, Inputs({"x": series}), series, 1)
grids = [near(10.0 ** (-position / 3.0), 1e-12) for position in range(20)]
chosen = [validation.best for validation in (choose_penalty(rows, grid) for grid in grids)]
position = [grid.index(ridge) for grid, ridge in zip(grids, chosen)]
tuned = []
scores = choose_penalty(rows, grids[0]).scores
for seed in range(3):
    series = np.random.default_rng(seed).standard_normal(600).cumsum()
    methods = [
        Adaptive(rates=near(0.03, 1e-13)),
        Weighted(decays=near(0.98, -1e-14)),
        ResCP(temperatures=near(0.1, 1e-13), windows=("all",)),
    ]
    run = backtest(series, NGRC(lags=24, ridge=0.1), methods=methods).runs[0]
    tuned += [dict(band.selected) for band in run.bands]
forecast = run.forecasts[np.isfinite(run.forecasts)]
reservoir = draw_reservoir(seed=3).values.sum()
print(json.dumps({"position": position, "tuned": tuned, "bits": [*scores, *forecast], "reservoir": reservoir}))
"""


@pytest.fixture(scope="module")
def answers() -> list[dict[str, Any]]:
    names = ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS", "VECLIB_MAXIMUM_THREADS")
    answers = []
    for threads in ("1", "2"):
        environment = {**os.environ, **dict.fromkeys(names, threads)}
        child = subprocess.run(
            [sys.executable, "-c", PROGRAM], capture_output=True, text=True, env=environment, check=True
        )
        answers.append(json.loads(child.stdout))
    return answers


def test_the_penalty_is_the_same(answers: list[dict[str, Any]]) -> None:
    first, second = (answer["position"] for answer in answers)
    assert first == second == [0] * 20


def test_what_the_interval_methods_choose_is_the_same(answers: list[dict[str, Any]]) -> None:
    first, second = (answer["tuned"] for answer in answers)
    assert first == second
    assert [choice for choice in first if "rate" in choice] == [{"rate": 0.03}] * 3
    assert [choice for choice in first if "decay" in choice] == [{"decay": 0.98}] * 3
    assert [choice["temperature"] for choice in first if "temperature" in choice] == [0.1] * 3


def test_forecasts_differ_by_rounding_at_most(answers: list[dict[str, Any]]) -> None:
    first, second = (answer["bits"] for answer in answers)
    assert first == pytest.approx(second, rel=1e-9, abs=1e-9)


def test_a_reservoir_is_the_same_to_the_last_bit(answers: list[dict[str, Any]]) -> None:
    first, second = (answer["reservoir"] for answer in answers)
    assert first == second


def test_one_thread_also_limits_a_library_that_was_loaded_later() -> None:
    program = """
import os
import numpy as np
from threadpoolctl import threadpool_info
from ngrc._threads import one_thread

def threads():
    return [pool["num_threads"] for pool in threadpool_info()]

with one_thread():
    first = threads()
import scipy.linalg
before = threads()
with one_thread():
    later = threads()
assert set(first) == set(later) == {1}, (first, later)
# OpenBLAS makes no more threads than this process has processors.
cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
assert cores == 1 or set(before) != {1}, before
assert threads() == before
print(len(later))
"""
    # Two threads asked for: what has one from the start needs no limit, and would show nothing.
    environment = {**os.environ, "OPENBLAS_NUM_THREADS": "2"}
    child = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, env=environment, check=True
    )
    assert int(child.stdout) > 0


def test_inside_one_thread_no_library_is_asked_again(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[int] = []
    whole = _threads._libraries

    def counted(modules: int) -> Any:
        asked.append(modules)
        return whole(modules)

    monkeypatch.setattr(_threads, "_libraries", counted)
    with _threads.one_thread(), _threads.one_thread():
        assert len(asked) == 1
    with _threads.one_thread():
        assert len(asked) == 2
        # A library that an import has brought meanwhile is not limited yet.
        monkeypatch.setitem(sys.modules, "another_module_of_this_test", sys)
        with _threads.one_thread():
            assert len(asked) == 3


def most() -> int:
    """The largest number of threads that a BLAS library has now."""
    return max(int(pool["num_threads"]) for pool in threadpool_info() if pool["user_api"] == "blas")


def test_of_several_callers_the_last_to_leave_puts_the_threads_back() -> None:
    entered, leave = Event(), Event()
    seen: list[int] = []

    def other() -> None:
        with _threads.one_thread():
            entered.set()
            leave.wait(60)
            seen.append(most())

    with threadpool_limits(2, user_api="blas"):
        caller = Thread(target=other)
        with _threads.one_thread():
            caller.start()
            assert entered.wait(60)
        # The first has left, and the second still counts on one thread.
        assert most() == 1
        leave.set()
        caller.join()
        assert seen == [1]
        assert most() == 2


def test_only_small_matrices_are_held_to_one_thread() -> None:
    with threadpool_limits(2, user_api="blas"):
        for size, threads in ((1, 1), (_threads.FEW - 1, 1), (_threads.FEW, 2)):
            with _threads.threads_for(size):
                assert most() == threads
        assert most() == 2
