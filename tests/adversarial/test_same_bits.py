"""The same bits for any number of threads and in any process, wherever that is promised.

Two processes with other numbers of threads for BLAS and another seed of Python's hashes fit, backtest and
look ahead, and print what came of it as digests. Promised: `AutoNGRC`, `NGRC` below 1000 columns, every method.
"""

import json
import os
import subprocess
import sys
from typing import Any

import pytest

PROGRAM = """
import json
from hashlib import sha256
import numpy as np
from ngrc import NGRC, AutoNGRC, backtest, look_ahead
from ngrc.intervals import METHODS

def digest(*arrays):
    return sha256(b"".join(np.ascontiguousarray(array).tobytes() for array in arrays)).hexdigest()

found = {}
rng = np.random.default_rng(0)
short, long = (np.sin(np.arange(size) / 7) + rng.normal(0, 0.3, size) for size in (300, 3000))
models = {
    "products": NGRC(lags=8), "many products": NGRC(lags=24), "linear": NGRC(lags=48, degree=1),
    "path": NGRC(lags=12, horizon=6, path=True), "cubic": NGRC(lags=5, degree=3, ridge=0.1),
    "seasons": NGRC(lags=6, periods=(24,), seasonal=2, clock_lags=2), "dual": NGRC(lags=30, solver="dual", ridge=0.1),
    "infinite penalty": NGRC(lags=8, target="increment", ridge=np.inf),
}
for name, model in models.items():
    for y in (short,) if name == "dual" else (short, long):
        model.fit(y[: 2 * y.size // 3])
        said = model.predict_path(y) if model.path else model.predict(y)
        noise = [] if name == "infinite penalty" else [model.noise_scale().scale]
        parts = said, model.leverage(y), model.forecast(y), model.ridge_, model.d_eff_, noise
        found[f"{name}, {y.size}"] = digest(*parts)
for end, model in zip((200, 250, 300), NGRC(lags=24, ridge=0.1).fits(short, (200, 250, 300))):
    found[f"refit {end}"] = digest(model.predict(short), model.leverage(short))
run = backtest(short, NGRC(lags=6), methods=list(METHODS), horizon=2).runs[0]
found["backtest"] = digest(run.forecasts)
found |= {band.method: digest(band.lower, band.upper) for band in run.bands}
run = backtest(long, NGRC(lags=20, ridge=0.1), methods=["rescp", "adaptive"]).runs[0]
found |= {f"{band.method}, long": digest(band.lower, band.upper) for band in run.bands}
outlook = look_ahead(short, NGRC(lags=6), steps=5)
found["look ahead"] = digest(outlook.forecast, outlook.lower, outlook.upper)
found["drawn paths"] = digest(outlook.samples(20, seed=3))
model = AutoNGRC(horizon=3, path=True).fit(short)
found["automatic"] = digest(model.predict_path(short), model.forecast(short), model.leverage(short))
print(json.dumps(found))
"""


@pytest.fixture(scope="module")
def answers() -> list[dict[str, Any]]:
    names = ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS")
    children = [
        subprocess.Popen(
            [sys.executable, "-c", PROGRAM],
            stdout=subprocess.PIPE,
            text=True,
            env={**os.environ, **dict.fromkeys(names, threads), "PYTHONHASHSEED": seed},
        )
        for threads, seed in (("1", "1"), ("2", "4242"))
    ]
    outputs = [child.communicate(timeout=300)[0] for child in children]
    assert [child.returncode for child in children] == [0, 0]
    return [json.loads(output) for output in outputs]


def test_all_of_it_is_the_same(answers: list[dict[str, Any]]) -> None:
    first, second = answers
    assert [name for name in first if first[name] != second[name]] == []
    assert len(first) > 35
    # Not all alike, as an empty digest would be.
    assert len(set(first.values())) == len(first)
