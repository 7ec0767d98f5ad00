"""The page on the service: its examples run against one, and it names everything there is."""

import re
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

from ngrc.serve.metrics import Metrics
from ngrc.serve.orders import MODEL, SETTINGS
from tests.serve.conftest import Desk
from tests.serve.processes import running

PAGE = (Path(__file__).parents[2] / "docs" / "serve.md").read_text(encoding="utf-8")
ADDRESS = "http://127.0.0.1:8350"


def blocks(language: str) -> list[str]:
    return re.findall(rf"```{language}\n(.*?)```", PAGE, flags=re.DOTALL)


def test_the_examples_run_from_top_to_bottom(tmp_path: Path) -> None:
    said: list[Any] = []
    with running(tmp_path / "load.db", "--port", "0") as service:
        for block in blocks("python"):
            exec(block.replace(ADDRESS, service.url), {"print": said.append})
        assert (said[0]["step"], said[0]["target"]) == (1, 210)
        assert service.ask("GET", "/series/wave")["seq"] == 210
        if shutil.which("curl") is not None:
            for line in blocks("bash")[0].splitlines():
                answer = subprocess.run(
                    ["bash", "-c", line.replace(ADDRESS, service.url)],
                    capture_output=True,
                    text=True,
                    check=True,
                )
                assert "error" not in answer.stdout, answer.stdout
            load = service.ask("GET", "/series/load")
            assert (load["seq"], load["state"], load["time"]) == (3, "gathering", "2026-01-09T10:00:00")
        assert service.end() == 0


def test_every_setting_and_metric_is_described(desk: Desk) -> None:
    for name in (*SETTINGS, *MODEL):
        assert f"`{name}`" in PAGE or name == "seed", name
    for family in Metrics(desk.board, desk.tally, desk.worker).collect():
        assert f"`{family.name}" in PAGE, family.name


@pytest.mark.parametrize("status", [400, 401, 404, 409, 413, 415, 503])
def test_every_refusal_is_described(status: int) -> None:
    assert re.search(rf"^\| .*\b{status}\b.* \|", PAGE, flags=re.MULTILINE)
