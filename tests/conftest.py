"""Shared fixtures: where the real data is, and one browser."""

import os
from pathlib import Path

import pytest

from tests.browser import launched


@pytest.fixture(scope="session")
def data_folder() -> Path:
    """The folder of original data files, or a skip that says what is missing."""
    folder = os.environ.get("NGRC_DATA")
    if not folder or not (Path(folder) / "exchange_rate.txt.gz").is_file():
        pytest.skip("real data not found: set NGRC_DATA to the folder of the original files")
    return Path(folder)


chromium = pytest.fixture(scope="session", name="chromium")(launched)
