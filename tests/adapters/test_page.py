"""The page on other packages: every part runs where its package is installed, and skips with the reason elsewhere."""

import re
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

PAGE = Path(__file__).parents[2] / "docs" / "adapters.md"
PEERS = {"sktime", "sklearn", "statsforecast", "darts", "river"}
"""Packages that may be missing; any other that a part imports must be there."""


def parts() -> dict[str, str]:
    """The code of each part of the page, by its heading."""
    sections = re.split(r"^## ", PAGE.read_text(encoding="utf-8"), flags=re.MULTILINE)[1:]
    code = {
        text.splitlines()[0]: re.findall(r"```python\n(.*?)```", text, flags=re.DOTALL) for text in sections
    }
    return {heading: "\n".join(blocks) for heading, blocks in code.items() if blocks}


def peers(code: str) -> set[str]:
    """Packages of `PEERS` that a part needs, through an adapter too."""
    return {
        peer
        for peer in PEERS
        if re.search(rf"^(from|import) (ngrc\.adapters\.)?{peer}\b", code, re.MULTILINE)
    }


def run(code: str) -> tuple[dict[str, Any], list[Any]]:
    said: list[Any] = []
    names: dict[str, Any] = {"print": lambda *values: said.extend(values)}
    exec(compile(code, PAGE.name, "exec"), names)
    return names, said


def test_every_peer_has_its_part() -> None:
    assert set().union(*map(peers, parts().values())) == PEERS


def looked_at(heading: str, names: dict[str, Any], said: list[Any]) -> None:
    """What a reader would see."""
    if heading == "sktime":
        assert said[0].shape == said[3].shape == (24,)
        assert said[1].shape == (24, 4)
    elif heading == "scikit-learn":
        assert said[0].shape == (3,)
        assert said[-1].shape == (3, 2)
    elif heading == "StatsForecast":
        assert {"AutoETS", "NGRC", "NGRC-lo-95", "NGRC-hi-80"} <= set(said[0].columns)
        assert len(said[1]) == 2 * 2 * 7
        assert not said[1].isna().any(axis=None)
    elif heading == "darts":
        # Forty scored rows at 95 %: a standard error of 0.034, and four of them.
        assert abs(said[0] - 0.95) < 0.14
        assert said[1] < names["coming"].values()[0, 0] < said[2]
    else:
        # 300 rows at 90 %: a standard error of 0.017, and four of them.
        assert abs(said[0] - 0.9) < 0.07


# darts and StatsForecast warn of their own dependencies and coming changes.
@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("heading", list(parts()))
def test_a_part_of_the_page_runs(heading: str) -> None:
    code = parts()[heading]
    missing = sorted(peer for peer in peers(code) if find_spec(peer) is None)
    if missing:
        pytest.skip(f"{', '.join(missing)} is not installed; run: make test-peers")
    looked_at(heading, *run(code))
