"""Where a page is from: the exact command, versions, and when."""

import platform
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from importlib.metadata import PackageNotFoundError, version

LIBRARIES = ("numpy", "polars", "plotly")
"""Packages whose version can move a digit, and the one that draws."""


@dataclass(frozen=True, slots=True)
class Provenance:
    """The command or call that made the page, versions by name, the moment in UTC, and the seconds it took."""

    command: str
    versions: Mapping[str, str]
    made: str
    seconds: float


def provenance_of(command: str, seconds: float) -> Provenance:
    """The versions of this process."""
    versions = {"ngrc": _version("ngrc"), "Python": platform.python_version()}
    versions |= {name: _version(name) for name in LIBRARIES}
    return Provenance(command, versions, datetime.now(UTC).strftime("%Y-%m-%d %H:%M UTC"), seconds)


def _version(name: str) -> str:
    try:
        return version(name)
    except PackageNotFoundError:
        return "not installed"
