"""Nets under a refactor: public names, options, JSON of every command, rows of `checks.json`.

A change on purpose: `python -m tests.nets.update`, and the diff is read before it is committed.
"""

import difflib
import json
from pathlib import Path
from typing import Any

import pytest

from ngrc.cli import run
from tests.nets import judged, outputs, surface
from tests.nets.update import COMMANDS, NAMES, OUTPUTS

UPDATE = "what is meant to change: python -m tests.nets.update, and read the diff"


def check_text(path: Path, now: str) -> None:
    before = path.read_text("utf-8")
    lines = difflib.unified_diff(before.splitlines(), now.splitlines(), path.name, "now", lineterm="", n=1)
    assert before == now, "\n".join([*lines, UPDATE])


def test_public_names_and_signatures() -> None:
    check_text(NAMES, surface.names())


def test_commands_and_options() -> None:
    check_text(COMMANDS, surface.commands())


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    pytest.importorskip("plotly")
    pytest.importorskip("sqlalchemy")
    return outputs.all_outputs(tmp_path_factory.mktemp("outputs"))


@pytest.mark.parametrize("title", list(outputs.LINES))
def test_json_of_a_command(title: str, made: dict[str, Any]) -> None:
    before = json.loads(OUTPUTS.read_text("utf-8"))
    # Through JSON once more, so that both sides have its kinds.
    lines = list(outputs.differences(before[title], json.loads(json.dumps(made[title]))))
    assert not lines, "\n".join([f"ngrc {outputs.LINES[title]}", *lines[:40], UPDATE])


@pytest.mark.parametrize("target", ["temporal", "budget"])
def test_rows_that_reproduce_judges(
    target: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    pytest.importorskip("matplotlib")
    monkeypatch.setattr("ngrc.study.harness.output.encode", lambda figure, kind: kind.encode())
    run(["reproduce", target, "--quick", "--jobs", "1", "--out", str(tmp_path), "--quiet"])
    lines = list(judged.differing(judged.kept_rows(target), judged.rows_of(tmp_path, target)))
    assert not lines, "\n".join(
        [*lines[:40], "python -m tests.nets.update --checks RESULTS; see tests/nets/judged.py"]
    )


def test_a_difference_is_found() -> None:
    before = {"a": 1.0, "b": [1, 2.0], "c": "x", "d": None}
    assert not list(outputs.differences(before, before | {"a": 1.0 + 1e-9}))
    for change in ({"a": 1.001}, {"a": "1"}, {"b": [1]}, {"b": [1, 2.1]}, {"c": "y"}, {"d": 0.0}, {"e": 1}):
        assert list(outputs.differences(before, before | change)), change
    assert list(outputs.differences(before, {"A": 1.0, "b": [1, 2.0], "c": "x", "d": None}))
    row = '"t"\t"c"\t"printed"\t"digits"\t1.5\t"match"\t'
    assert not list(judged.differing([row + "1.5"], [row + "1.500000001"]))
    assert len(list(judged.differing([row + "1.5"], [row + "1.51"]))) == 1
    assert len(list(judged.differing([row + "1.5"], []))) == 1
