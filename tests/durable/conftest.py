"""Every test that takes `address` runs on both databases."""

from pathlib import Path

import pytest

from tests.durable.postgresql import database, postgresql

__all__ = ["database", "postgresql"]


@pytest.fixture(params=["sqlite", "postgresql"])
def address(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """Where a new state is to be kept."""
    return str(tmp_path / "state.db") if request.param == "sqlite" else request.getfixturevalue("database")
