"""What a release states about itself agrees with what it is."""

import re
import tomllib
from pathlib import Path

import ngrc

ROOT = Path(__file__).parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]


def test_one_version_everywhere() -> None:
    citation = re.search(r"^version: (\S+)$", (ROOT / "CITATION.cff").read_text(), re.MULTILINE)
    assert citation is not None
    assert PROJECT["version"] == ngrc.__version__ == citation[1]


def test_the_newest_entry_of_the_changelog_is_this_version_with_its_date() -> None:
    entries = re.findall(r"^## (\S+), (\d{4}-\d\d-\d\d)$", (ROOT / "CHANGELOG.md").read_text(), re.MULTILINE)
    assert entries[0][0] == ngrc.__version__
    assert [date for _, date in entries] == sorted((date for _, date in entries), reverse=True)


def test_all_is_every_extra_but_pytorch_and_the_tools_of_developers() -> None:
    extras = PROJECT["optional-dependencies"]
    (everything,) = extras["all"]
    named = set(everything.removeprefix("ngrc[").removesuffix("]").split(","))
    assert named == set(extras) - {"all", "neural", "dev"}
