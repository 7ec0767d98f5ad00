"""Shared fixtures: where the real data is, and one browser; tests that do not depend on who starts them, and where."""

import os
import signal
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

from tests.browser import launched

# Under `nohup` or `&` SIGINT is ignored, and every child of the tests would inherit that.
signal.signal(signal.SIGINT, signal.default_int_handler)

# Hypothesis judges how long an example takes, and warns where it cannot keep failing ones in the source tree.
WRITABLE = os.access(Path(__file__).parents[1], os.W_OK)
settings.register_profile(
    "anywhere", deadline=None, suppress_health_check=[HealthCheck.too_slow],
    **({} if WRITABLE else {"database": None}),
)  # fmt: skip
settings.load_profile("anywhere")


@pytest.fixture(scope="session")
def data_folder() -> Path:
    """The folder of original data files, or a skip that says what is missing."""
    folder = os.environ.get("NGRC_DATA")
    if not folder or not (Path(folder) / "exchange_rate.txt.gz").is_file():
        pytest.skip("real data not found: set NGRC_DATA to the folder of the original files")
    return Path(folder)


chromium = pytest.fixture(scope="session", name="chromium")(launched)
