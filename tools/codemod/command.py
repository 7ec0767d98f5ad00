"""The commands; `python -m tools.codemod --help` lists them."""

import argparse
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

from tools import codemod
from tools.codemod import moves, plan

FOLDERS = ("src", "tests", "benchmarks", "accuracy", "mutants", "soak", "results_page", "tools", ".ci")


def written_out_kinds(root: Path) -> None:
    """`archive/kinds.py` before a move: addresses in full, so that a dotted name is all that a move changes."""
    path = root / "src/ngrc/archive/kinds.py"
    if not path.exists() or "_ROOMS = {" not in path.read_text():
        return
    text = path.read_text()
    space: dict[str, Any] = {}
    start = text.index("_ROOMS = {")
    stop = text.index('METHODS = "intervals/"')
    exec(text[start:stop], space)
    lines = "".join(f'    "{name}": "{address}",\n' for name, address in space["_ADDRESSES"].items())
    table = (
        f'_ADDRESSES = {{\n{lines}}}\n"""Names in files, which stay, and where their classes are now."""\n\n'
    )
    path.write_text(text[:start] + table + text[stop:])


def written_out_tables(root: Path) -> None:
    """`_PUBLIC = {"Series": "value"}` of packages before a move: modules in full, for the same reason."""
    for name, path in moves.sources(root).items():
        text = path.read_text("utf-8")
        if path.name != "__init__.py" or "_PUBLIC = {" not in text or "import_module(f" not in text:
            continue
        start = text.index("_PUBLIC = {")
        stop = text.index("}", start)
        table = re.sub(r'": "(?!ngrc\.)([\w.]+)"', rf'": "{name}.\1"', text[start:stop])
        text = text[:start] + table + text[stop:]
        text = re.sub(
            r'import_module\(f"(?:\{__name__\}|ngrc[\w.]*)\.\{_PUBLIC\[name\]\}"\)',
            "import_module(_PUBLIC[name])",
            text,
        )
        path.write_text(text, "utf-8")


def texts(root: Path, rows: list[dict[str, str]]) -> list[str]:
    """Replacements by hand: `file`, `old`, `new`; each has to be found."""
    reports = []
    for row in rows:
        path = root / row["file"]
        if "create" in row:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(row["create"], "utf-8")
            moves.git(root, "add", row["file"])
            continue
        text = path.read_text("utf-8")
        if row["old"] not in text:
            reports.append(f"text: not found in {row['file']}: {row['old'][:60]!r}")
            continue
        path.write_text(text.replace(row["old"], row["new"]), "utf-8")
    return reports


def formatted(root: Path) -> int:
    """Imports in order and unused ones removed, then the format; what `ruff check` still finds is for a person."""
    folders = [one for one in FOLDERS if (root / one).exists()]

    def ruff(*words: str) -> int:
        return subprocess.run(
            [sys.executable, "-m", "ruff", *words, *folders], cwd=root, check=False
        ).returncode

    ruff("check", "--fix", "-q", "--select", "I,F401,F811,E401")
    ruff("format", "-q")
    return ruff("check", "--output-format", "concise")


def moved(root: Path, step: dict[str, Any], only: list[str] | None = None) -> list[str]:
    """Modules of one step in their new places."""
    written_out_kinds(root)
    written_out_tables(root)
    reports = moves.apply(moves.Plan(step, root, only))
    # Packages that a part of the plan does not reach are not made.
    return reports + texts(root, [] if only else step.get("text", []))


def main() -> int:
    """Run a command; 1 where it leaves something to do."""
    parser = argparse.ArgumentParser(
        prog="python -m tools.codemod",
        description=codemod.__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("command", choices=["plan", "parts", "renames", "moves", "format", "leftovers"])
    parser.add_argument(
        "--root", type=Path, default=plan.ROOT, help="a clone to work on, instead of this tree"
    )
    parser.add_argument("--only", nargs="*", help="moves: globs of present module names")
    parser.add_argument("--group", nargs="*", help="renames: groups, the first word of a row in renames.txt")
    options = parser.parse_args()
    root, data = options.root.resolve(), plan.load()
    if options.command == "plan":
        wrong, news = plan.check(root)
        print("\n".join([*wrong, *news]))
        return bool(wrong)
    if options.command == "leftovers":
        found = plan.leftovers(root, data)
        print("\n".join(found))
        return bool(found)
    reports: list[str] = []
    if options.command == "parts":
        reports = moved(root, data["parts"] | {"packages": data["packages"]})
    elif options.command == "moves":
        reports = moved(root, plan.through_parts(data, root), options.only)
    elif options.command == "renames":
        from tools.codemod import renames

        reports = renames.apply(root, plan.renames(data, root, options.group))
    print("\n".join(reports))
    failed = formatted(root)
    return bool(failed or any(" CLASH " in one for one in reports))
