"""Importing the library loads no peer, nor does the model for StatsForecast."""

import subprocess
import sys


def test_no_peer_is_loaded_before_it_is_asked_for() -> None:
    code = (
        "import sys, ngrc, ngrc.adapters, ngrc.adapters.nixtla, ngrc.adapters.checks; "
        "print(sorted({'sklearn', 'sktime', 'statsforecast', 'pandas'} & set(sys.modules)))"
    )
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert found.stdout.strip() == "[]"
