"""After its rehearsal no method compiles anything: what is timed is the method, not the compiler.

Each case has a process of its own, since a kernel that another method has used would hide one that this rehearsal
forgets. All are forked from one that has imported the library and called nothing: importing takes longer than most
cases. A kernel taken from the cache on disk counts as well: it becomes a signature of its dispatcher when it is first
called, so the check does not depend on what earlier runs left behind.
"""

import json
import os
import subprocess
import sys
from typing import Any

import pytest

from ngrc.intervals import METHODS

SCRIPT = """
import json, os, sys
import numpy as np
from numba.core.dispatcher import Dispatcher
from ngrc.backtesting.rehearsal import rehearse
from ngrc.intervals import Stream, make_method
from ngrc.intervals.context import Context

def signatures():
    modules = [module for name, module in list(sys.modules.items()) if name.startswith("ngrc.")]
    kernels = {id(kernel): kernel for module in modules for kernel in vars(module).values()
               if isinstance(kernel, Dispatcher)}
    return {kernel.py_func.__qualname__ + str(types) for kernel in kernels.values() for types in kernel.overloads}

def stream(known, steps, horizon):
    residuals = np.random.default_rng(horizon).standard_t(4, known + steps)
    residuals[::3] = np.round(residuals[::3], 1)
    context = Context(np.cos(np.arange(known + steps) / 4.0), (24.0, 168.0))
    return Stream(residuals, known, horizon, np.zeros(known + steps), 1.0, context=context)

def compiled_late(name, parameters):
    method = make_method(name, **parameters)
    rehearse(method)
    rehearsed = signatures()
    half = 0.5 / (1 + 1e-12)  # at a decay of one, a tie at every even count
    for known, steps, horizon, level in ((150, 40, 3, 0.8), (4600, 60, 1, 0.95), (150, 40, 1, half)):
        real = stream(known, steps, horizon)
        tuned = method.tuned(real.history, level)
        tuned.run(real, level)
        tuned.run(real.without_context(), level)
        if method.joint:
            tuned.run_levels(real, (level, 0.5, 0.97))
    return sorted(signatures() - rehearsed)

for name, parameters in json.loads(sys.argv[1]):
    child = os.fork()
    if child == 0:
        print(json.dumps([name, parameters, compiled_late(name, parameters)]), flush=True)
        os._exit(0)
    if os.waitpid(child, 0)[1]:
        sys.exit(f"{name} {parameters} failed")
"""
CASES: list[tuple[str, dict[str, Any]]] = [
    *((name, {}) for name in METHODS),
    ("rescp", {"sampler": "stochastic"}),
    ("rescp", {"temperature": 0.1, "window": 120}),
    ("weighted", {"decay": 1.0}),
]


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork, which this system does not have")
def test_a_real_run_compiles_nothing_new() -> None:
    command = [sys.executable, "-c", SCRIPT, json.dumps(CASES)]
    result = subprocess.run(command, capture_output=True, text=True, check=False)
    assert result.returncode == 0, result.stderr
    late = [json.loads(line) for line in result.stdout.splitlines()]
    assert [(name, parameters) for name, parameters, _ in late] == CASES
    assert [case for case in late if case[2]] == []
