"""Without the extra there is one line that names it; without a state nothing of it is loaded."""

import subprocess
import sys
from pathlib import Path

import pytest

from ngrc.durable import Store


def test_missing_libraries_are_named(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setitem(sys.modules, "psycopg", None)
    with pytest.raises(
        ImportError, match=r'a state in PostgreSQL needs psycopg.*pip install "ngrc\[postgresql\]"'
    ):
        Store.open("postgresql://nowhere.example/x")
    monkeypatch.setitem(sys.modules, "sqlalchemy", None)
    with pytest.raises(
        ImportError, match=r'a state that is kept needs sqlalchemy.*pip install "ngrc\[state\]"'
    ):
        Store.open(tmp_path / "s.db")


def test_the_database_is_loaded_when_a_state_is_opened() -> None:
    code = "import ngrc.durable, sys; sys.exit('sqlalchemy' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
