"""The documentation keeps in step with the library: examples run, options and names are listed."""

import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import ngrc
from ngrc.cli import COMMANDS, cli
from ngrc.intervals import METHODS, Stream

ROOT = Path(__file__).parents[1]


def blocks(path: Path) -> list[str]:
    return re.findall(r"```python\n(.*?)```", path.read_text(), flags=re.DOTALL)


def test_the_quick_start_runs_from_top_to_bottom() -> None:
    rng = np.random.default_rng(0)
    outcomes = rng.normal(size=500)
    names: dict[str, Any] = {
        "outcomes": outcomes,
        "forecasts": np.zeros(500),
        "residuals": outcomes,
        "forecast": 0.0,
        "outcome": 0.1,
        "print": lambda *values: None,
    }
    for block in blocks(ROOT / "docs" / "quickstart.md"):
        exec(block, names)
    assert names["upper"].shape == (200,)


def test_the_readme_example_runs() -> None:
    (example,) = blocks(ROOT / "README.md")
    names: dict[str, Any] = {}
    exec(example, names)
    assert names["result"].table.height == len(METHODS)


def test_the_worked_example_of_a_new_method_keeps_the_contract() -> None:
    names: dict[str, Any] = {}
    (example,) = blocks(ROOT / "CONTRIBUTING.md")
    exec(example, names)
    maximum = names["Maximum"]()
    stream = Stream(np.random.default_rng(1).normal(size=60), start=40, horizon=3)
    block = maximum.run(stream, 0.9)
    tracker = maximum.begin(stream.history, 0.9)
    for step in range(20):
        assert tracker.issue() == (block.lower[step], block.upper[step])
        tracker.observe(stream.residuals[stream.known + step], None)


@pytest.mark.parametrize("name", METHODS)
def test_every_method_is_described(name: str) -> None:
    assert f"`{name}`" in (ROOT / "docs" / "methods.md").read_text()
    assert f"`{name}`" in (ROOT / "README.md").read_text()


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_is_described_and_has_help(name: str) -> None:
    import click

    assert f"ngrc {name}" in (ROOT / "docs" / "cli.md").read_text()
    command = cli.get_command(click.Context(cli), name)
    assert command is not None
    assert command.help


def test_every_public_name_is_in_the_api_page() -> None:
    page = (ROOT / "docs" / "api.md").read_text()
    for name in ngrc.__all__:
        assert name.startswith("__") or f"ngrc.{name}" in page
