"""Forecasts, intervals, searches and commands run where SciPy cannot be imported; the rest says what to install."""

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

LIBRARY = """
import numpy as np
from ngrc import NGRC, AutoNGRC, backtest, diagnose, look_ahead
from ngrc.intervals import METHODS
from ngrc.datasets import gaussian_ar1

series = 5.0 + np.sin(np.arange(700) / 6.0) + 0.1 * gaussian_ar1(700, rho=0.5, seed=0)
result = backtest(series, NGRC(lags=30), methods={name: method() for name, method in METHODS.items()})
assert len(result.runs[0].bands) == len(METHODS)
backtest(series, NGRC(lags=8, transform="boxcox", ridge=1e-9), methods=["bayes", "student"])
assert np.isfinite(look_ahead(series, steps=3).forecast).all()
look_ahead(series, NGRC(lags=8), steps=3).samples(20)
AutoNGRC(horizon=2).fit(series[:400])
diagnose(series, NGRC(lags=8))
"""


def without_scipy(program: str, folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run a program in which an import of SciPy fails: what is None in `sys.modules` cannot be imported."""
    return subprocess.run(
        [sys.executable, "-c", f"import sys\nsys.modules['scipy'] = None\n{program}", *arguments],
        capture_output=True,
        text=True,
        cwd=folder,
        check=False,
    )


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a series, and with forecasts of it."""
    folder = tmp_path_factory.mktemp("without")
    rng = np.random.default_rng(1)
    values = 10.0 + np.sin(np.arange(300) / 4.0) + 0.1 * rng.normal(size=300)
    rows = [f"{value:.6f},{value + 0.1 * rng.normal():.6f}" for value in values]
    (folder / "series.csv").write_text(
        "\n".join(["y", *(row.split(",")[0] for row in rows)]), encoding="utf-8"
    )
    (folder / "forecasts.csv").write_text("\n".join(["y,forecast", *rows]), encoding="utf-8")
    return folder


def test_the_library_runs(folder: Path) -> None:
    child = without_scipy(LIBRARY, folder)
    assert child.returncode == 0, child.stderr


@pytest.mark.parametrize(
    "command",
    [
        "forecast series.csv --steps 3 --quantiles 0.1,0.9",
        "forecast series.csv --lags 8 --steps 3 --method student",
        "compare series.csv --lags 8",
        "diagnose series.csv --lags 8",
        "report series.csv --lags 8 --out page.html",
        "intervals forecasts.csv --forecast forecast",
        "demo --out demonstration",
    ],
)
def test_a_command_runs(command: str, folder: Path) -> None:
    child = without_scipy("from ngrc.cli import main\nmain()", folder, *command.split())
    assert child.returncode == 0, child.stderr


def test_the_paper_says_what_to_install(folder: Path) -> None:
    child = without_scipy(
        "from ngrc.cli import main\nmain()", folder, "reproduce", "phase", "--out", "results"
    )
    assert child.returncode == 2
    assert child.stderr.splitlines() == [
        "ngrc: error: the paper's reproduction needs scipy, which is not installed; "
        'run: pip install "ngrc[paper]"'
    ]
    mixing = without_scipy("from ngrc.theory import beta_mixing_ar1\nbeta_mixing_ar1(0.8, 3)", folder)
    assert mixing.stderr.splitlines()[-1] == (
        'ImportError: beta_mixing_ar1 needs scipy, which is not installed; run: pip install "ngrc[paper]"'
    )
