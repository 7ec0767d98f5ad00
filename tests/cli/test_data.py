"""`ngrc data`: what there is, where it lies, and how it comes here; one failure never stops the rest."""

import gzip
import hashlib
import json
from pathlib import Path
from typing import Any

import pytest

from ngrc.cli import run
from ngrc.datasets import names
from ngrc.datasets.catalogue import ABOUT, ORIGINALS
from ngrc.datasets.registry import DatasetError


@pytest.fixture
def folders(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty machine: no folder of one's own, nothing in the cache."""
    monkeypatch.delenv("NGRC_DATA", raising=False)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    return tmp_path / "ngrc"


def said(capsys: pytest.CaptureFixture[str], code: int, *words: str) -> dict[str, Any]:
    assert run([*words, "--json"]) == code
    found: dict[str, Any] = json.loads(capsys.readouterr().out)
    return found


def test_every_dataset_is_listed_with_its_words(folders: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert set(ABOUT) == set(names()) == set(ORIGINALS)
    assert run(["data", "list"]) == 0
    shown = capsys.readouterr().out
    for name in names():
        assert name in shown
    rows = said(capsys, 0, "data", "list")["datasets"]
    assert [row["name"] for row in rows] == list(names())
    assert not any(row["here"] for row in rows)


def test_where_files_lie(
    folders: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["data", "where"]) == 0
    assert capsys.readouterr().out == f"NGRC_DATA: not set\ncache: {folders}\n"
    assert run(["data", "where", "exchange"]) == 1
    assert "exchange: not on this machine" in capsys.readouterr().out
    own = tmp_path / "own"
    own.mkdir()
    (own / "exchange_rate.txt").write_text("1,2\n")
    monkeypatch.setenv("NGRC_DATA", str(own))
    assert run(["data", "where", "exchange"]) == 0
    assert capsys.readouterr().out == f"exchange: {own / 'exchange_rate.txt'}\n"
    found = said(capsys, 1, "data", "where", "exchange,solar")
    assert found["NGRC_DATA"] == str(own)
    assert [row["here"] for row in found["datasets"]] == [True, False]


def test_one_that_cannot_be_had_does_not_stop_the_others(
    folders: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    content = gzip.compress(b"anything")

    def fetched(original: Any) -> Path:
        if original is ORIGINALS["solar"][0]:
            raise DatasetError("the server is silent; try again")
        if original is ORIGINALS["ozone"][0]:
            raise DatasetError("no public address")
        folders.mkdir(exist_ok=True)
        path = folders / str(original.files[0])
        path.write_bytes(content)
        return path

    monkeypatch.setattr("ngrc.cli.data.fetch", fetched)
    monkeypatch.setattr("ngrc.cli.data.verified", lambda original, path: None)
    assert run(["data", "get", "solar", "exchange", "solar"]) == 1
    captured = capsys.readouterr()
    digest = hashlib.sha256(content).hexdigest()
    (line,) = captured.out.splitlines()
    assert line.startswith("exchange: ")
    assert digest[:12] in line
    assert captured.err == "ngrc: failed: solar: the server is silent; try again\n"
    rows = said(capsys, 1, "data", "get", "all")["datasets"]
    assert [row["name"] for row in rows] == list(names())
    assert [row["name"] for row in rows if row["error"]] == ["solar"]
    assert rows[0]["sha256"] == digest
    # The paper's ozone is not public: its stand-in comes.
    assert rows[names().index("ozone")]["path"].endswith(ORIGINALS["ozone-epa"][0].files[0])
    assert run(["data", "get", "exchange"]) == 0


def test_a_damaged_file_of_ones_own_is_a_failure(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("NGRC_DATA", str(tmp_path))
    (tmp_path / "exchange_rate.txt").write_text("1,2\n")
    assert run(["data", "get", "exchange"]) == 1
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err.startswith("ngrc: failed: exchange: ")
    assert captured.err.count("\n") == 1
