"""Targets by name, settings at the border."""

from pathlib import Path

import pytest

from ngrc.study.harness.target import Settings
from ngrc.study.registry import MODULES, expand, find


@pytest.mark.parametrize("name", ["fixed-shape", "phase", "quadratic", "temporal", "budget"])
def test_every_target_knows_its_name_and_says_what_it_shows(name: str) -> None:
    target = find(name)
    assert target.name == name
    assert "Experiment" in target.title
    assert len(target.shows) > 200


def test_all_stands_for_every_target_once() -> None:
    assert expand(["phase", "all"]) == ["phase", *(name for name in MODULES if name != "phase")]


def test_a_misspelt_target_is_named_with_close_ones() -> None:
    with pytest.raises(ValueError, match=r"unknown target 'fase'; did you mean phase"):
        expand(["phase", "fase"])
    with pytest.raises(ValueError, match=r"unknown target 'xyzzy'; choose from fixed-shape, "):
        find("xyzzy")


def test_settings_are_checked() -> None:
    assert Settings().out == Path("results")
    assert Settings(quick=True).replications(100, quick=3) == 3
    with pytest.raises(ValueError, match="reps must be at least 2"):
        Settings(reps=1)
    with pytest.raises(ValueError, match="jobs must be at least 1"):
        Settings(jobs=0)
    with pytest.raises(ValueError, match="seed must be at least 0"):
        Settings(seed=-1)
