"""Planted errors: small search-and-replace patches with a reason, read from `planted/AREA.toml`."""

import ast
import tomllib
from collections.abc import Iterable
from dataclasses import dataclass, fields
from pathlib import Path

from mutants.errors import SetupError

FOLDER = Path(__file__).parent / "planted"
AREAS = ("features", "readout", "protocol", "intervals", "theory", "study")
SOURCES = Path("src")
KERNELS = "kernels/"
"""Where kernels are below `SOURCES`: what is planted there must be compiled."""


@dataclass(frozen=True, slots=True)
class Planted:
    """One error that a careful person could make.

    Parameters
    ----------
    area
        File of `planted/` that it stands in.
    name
        As typed after `--only`.
    file
        Where it is planted, below src: `ngrc/metrics.py`, `kernels/order/sums.hpp`.
    old, new
        Text that occurs exactly once in that file, and what takes its place.
    reason
        Why somebody would write it so.
    tests
        Test files expected to notice, which are run first.
    targets
        Targets of `ngrc reproduce`, with options, expected to notice.
    judged
        Whether a row of `ngrc reproduce` judges a number that this line computes: one that the paper prints, a formula
        or a claim.
    """

    area: str
    name: str
    file: str
    old: str
    new: str
    reason: str
    tests: tuple[str, ...]
    targets: tuple[str, ...]
    judged: bool

    @property
    def in_kernels(self) -> bool:
        """Whether the extension must be built for the error to show."""
        return self.file.startswith(KERNELS)

    def applied(self, source: str) -> str:
        """The source with the error in it; a patch that does not fit is refused."""
        found = source.count(self.old)
        if found != 1:
            raise SetupError(
                f"{self.name}: its text occurs {found} times in {self.file}, expected once; mend the patch"
            )
        changed = source.replace(self.old, self.new)
        if self.in_kernels:
            # Whether it is another program shows once it is compiled.
            return changed
        try:
            # Dumps of the trees: a patch that moves spaces or a comment is no error at all.
            same = ast.dump(ast.parse(source)) == ast.dump(ast.parse(changed))
        except SyntaxError as error:
            raise SetupError(
                f"{self.name}: {self.file} is no Python any more: {error}; mend the patch"
            ) from None
        if same:
            raise SetupError(f"{self.name}: the patch changes nothing in {self.file}; mend it")
        return changed


def load(folder: Path = FOLDER) -> tuple[Planted, ...]:
    """Every planted error, area by area, each file's entries checked for their keys and names for being unique."""
    errors: list[Planted] = []
    for area in AREAS:
        path = folder / f"{area}.toml"
        if path.is_file():
            entries = tomllib.loads(path.read_text(encoding="utf-8")).get("planted", [])
            errors += [_entry(area, entry) for entry in entries]
    names = [error.name for error in errors]
    twice = sorted({name for name in names if names.count(name) > 1})
    if twice or not errors:
        raise SetupError(
            f"names must be unique, got {twice} twice" if twice else f"no planted errors in {folder}"
        )
    return tuple(errors)


def _entry(area: str, entry: dict[str, object]) -> Planted:
    wanted = {field.name for field in fields(Planted)} - {"area"}
    if set(entry) != wanted:
        odd = sorted(set(entry) ^ wanted)
        raise SetupError(
            f"{area}.toml, {entry.get('name', 'an entry without a name')}: missing or unknown keys {odd}"
        )
    values = {key: tuple(value) if isinstance(value, list) else value for key, value in entry.items()}
    return Planted(area, **values)  # type: ignore[arg-type]


def chosen(errors: Iterable[Planted], only: Iterable[str]) -> tuple[Planted, ...]:
    """Those whose name or area is among `only`, all of them where it is empty; an unknown word is refused."""
    everything, words = tuple(errors), tuple(only)
    for word in words:
        if not any(word in (error.name, error.area) for error in everything):
            raise SetupError(
                f"no planted error is called {word!r}; `python -m mutants --list` names them all"
            )
    return tuple(error for error in everything if not words or {error.name, error.area} & set(words))
