"""How large the library is, and how many of its files one command goes through: `python tools/size.py`.

    python tools/size.py [--walks] [--list] [SRC]     SRC is src/ngrc by default, or another package's folder

Code lines are lines with code: no blanks, comments or docstrings. Import lines are those of import statements, also
under TYPE_CHECKING and in functions. A public leaf is a module that a registry, a command table or docs/api.md names.
Walks run a program in a process of its own: modules imported (sys.modules), and files passed,
in which at least one function was entered.
"""

import argparse
import ast
import io
import json
import re
import statistics
import subprocess
import sys
import tempfile
import tokenize
from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[1]
LAYOUT = {
    tokenize.COMMENT, tokenize.NL, tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT, tokenize.ENDMARKER,
}  # fmt: skip
SHORT, LONG = 30, 450
LEAVES = re.compile(
    r"^ngrc\.(cli\.\w+|intervals\.\w+|features\.\w+|panel\.engines\.\w+|adapters\.\w+|__main__)$"
)
"""Folders whose files are public leaves where they hold one method, feature group, command, engine or adapter."""
PUBLIC_BASES = {"IntervalMethod", "Group"}


@dataclass(frozen=True, slots=True)
class Module:
    """One file, counted."""

    name: str
    path: Path
    lines: int
    code: int
    functions: int
    imports: int
    classes: tuple[str, ...]
    targets: frozenset[str]
    leaf: bool
    package: bool


def docstring_lines(tree: ast.AST) -> set[int]:
    """Lines of every docstring."""
    found = set[int]()
    for node in ast.walk(tree):
        if (
            not isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef)
            or not node.body
        ):
            continue
        # Also the strings below constants and attributes, which document them.
        for one in node.body:
            if (
                isinstance(one, ast.Expr)
                and isinstance(one.value, ast.Constant)
                and isinstance(one.value.value, str)
            ):
                found |= set(range(one.lineno, (one.end_lineno or one.lineno) + 1))
    return found


def code_lines(text: str, tree: ast.AST) -> int:
    """Lines with code."""
    lines = set[int]()
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type not in LAYOUT:
            lines |= set(range(token.start[0], token.end[0] + 1))
    return len(lines - docstring_lines(tree))


def imported(tree: ast.AST) -> Iterator[tuple[str, str]]:
    """Module and name of every import."""
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom):
            yield from ((node.module or "", alias.name) for alias in node.names)
        elif isinstance(node, ast.Import):
            yield from ((alias.name, "") for alias in node.names)


def is_leaf(name: str, tree: ast.Module) -> bool:
    """Whether a module is named by its users: a command, an engine, an adapter, an interval method, a group."""
    if not LEAVES.match(name):
        return False
    if name.startswith(("ngrc.intervals.", "ngrc.features.")):
        bases = {
            ast.unparse(base).split("[")[0]
            for node in tree.body
            if isinstance(node, ast.ClassDef)
            for base in node.bases
        }
        return bool(bases & PUBLIC_BASES) or (name.startswith("ngrc.intervals.") and any(
            isinstance(node, ast.AnnAssign | ast.Assign) and "name" in ast.unparse(node).split("=")[0].split(":")[0]
            for one in tree.body if isinstance(one, ast.ClassDef) for node in one.body
        ))  # fmt: skip
    if name.startswith("ngrc.cli."):
        last = name.rpartition(".")[2]
        return any(isinstance(node, ast.FunctionDef) and node.name == last for node in tree.body)
    return True


def read(folder: Path) -> dict[str, Module]:
    """Every module below a package's folder, by dotted name."""
    texts = {}
    for path in sorted(folder.rglob("*.py")):
        parts = path.relative_to(folder.parent).with_suffix("").parts
        texts[".".join(parts[:-1] if parts[-1] == "__init__" else parts)] = (path, path.read_text("utf-8"))
    found = {}
    for name, (path, text) in texts.items():
        tree = ast.parse(text)
        # `from package import module` and `from package import name` are two kinds of the same statement.
        targets = {f"{base}.{one}" if f"{base}.{one}" in texts else base for base, one in imported(tree)}
        found[name] = Module(
            name=name,
            path=path,
            lines=text.count("\n"),
            code=code_lines(text, tree),
            functions=sum(
                isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) for node in ast.walk(tree)
            ),
            imports=sum(
                (node.end_lineno or node.lineno) - node.lineno + 1
                for node in ast.walk(tree)
                if isinstance(node, ast.Import | ast.ImportFrom)
            ),
            classes=tuple(node.name for node in ast.walk(tree) if isinstance(node, ast.ClassDef)),
            targets=frozenset(target for target in targets if target in texts and target != name),
            leaf=is_leaf(name, tree),
            package=path.name == "__init__.py",
        )
    return found


def importers(modules: dict[str, Module]) -> dict[str, set[str]]:
    """Who imports each module."""
    found = defaultdict[str, set[str]](set)
    for module in modules.values():
        for target in module.targets:
            found[target].add(module.name)
    return found


def facts(modules: dict[str, Module]) -> dict[str, list[str] | float]:
    """The lines of the table; lists are counted there and written out by `--list`."""
    code = [module.code for module in modules.values()]
    users = importers(modules)
    names = Counter(name for module in modules.values() for name in module.classes)
    single = [module for module in modules.values() if not module.package and len(users[module.name]) == 1]
    return {
        "files": len(modules),
        "code lines": sum(code),
        "functions": sum(module.functions for module in modules.values()),
        "median code lines per file": statistics.median(code),
        "import lines, % of code": round(
            100 * sum(module.imports for module in modules.values()) / sum(code), 1
        ),
        "classes": sum(names.values()),
        "class names used more than once": sorted(
            f"{name} x{count}" for name, count in names.items() if count > 1
        ),
        f"modules under {SHORT} code lines that are no public leaf": sorted(
            f"{module.name} ({module.code})"
            for module in modules.values()
            if module.code < SHORT and not module.leaf and not module.package
        ),
        f"packages (__init__.py) under {SHORT} code lines": sorted(
            f"{module.name} ({module.code})"
            for module in modules.values()
            if module.code < SHORT and module.package
        ),
        f"files above {LONG} lines": sorted(
            f"{module.name} ({module.lines})" for module in modules.values() if module.lines > LONG
        ),
        "modules with exactly one importer": sorted(
            f"{module.name} <- {next(iter(users[module.name]))}" for module in single
        ),
        "of them in the same folder": sorted(
            module.name
            for module in single
            if next(iter(users[module.name])).rpartition(".")[0] == module.name.rpartition(".")[0]
            or next(iter(users[module.name])) == module.name.rpartition(".")[0]
        ),
    }


WALKS = {
    "import ngrc.models": "import ngrc.models",
    "import ngrc": "import ngrc",
    "ngrc.read_series": "import ngrc; ngrc.read_series('y.csv')",
    "NGRC(lags=3).fit(y)": "import numpy, ngrc; ngrc.NGRC(lags=3).fit(numpy.sin(numpy.arange(200.0)))",
    "ngrc forecast file.csv": "from ngrc.cli import run; run(['forecast', 'y.csv', '--quiet'])",
    "ngrc forecast file.csv --lags 3": "from ngrc.cli import run; run(['forecast', 'y.csv', '--lags', '3', '--quiet'])",
}
PROBE = """
import contextlib, io, json, sys
passed = set()
def enter(frame, event, argument):
    # A class body or a module runs when it is imported: it is loaded, and not yet passed.
    if event == "call" and frame.f_code.co_flags & 2 and "/ngrc/" in frame.f_code.co_filename:
        passed.add(frame.f_code.co_filename)
sys.setprofile(enter)
failure = None
try:
    with contextlib.redirect_stdout(io.StringIO()):
        exec(PROGRAM)
except ImportError as error:
    failure = str(error)
sys.setprofile(None)
loaded = sorted(name for name in sys.modules if name == "ngrc" or name.startswith("ngrc."))
print(json.dumps({"imported": loaded, "passed": sorted(passed), "failure": failure}))
"""


def walk(program: str) -> dict[str, list[str]]:
    """Modules of ours that a program imports, and files that it passes."""
    with tempfile.TemporaryDirectory() as folder:
        rows = [f"{1 + hour % 24 % 7 + hour * 7919 % 101 / 101:.4f}" for hour in range(200)]
        (Path(folder) / "y.csv").write_text("y\n" + "\n".join(rows) + "\n", "utf-8")
        child = subprocess.run(
            [sys.executable, "-c", f"PROGRAM = {program!r}\n{PROBE}"],
            cwd=folder,
            capture_output=True,
            text=True,
            check=True,
        )
    found: dict[str, list[str]] = json.loads(child.stdout.splitlines()[-1])
    return found


def main() -> None:
    """Print the table, and with `--walks` the walks."""
    parser = argparse.ArgumentParser(description="How large the library is.")
    parser.add_argument("folder", nargs="?", type=Path, default=ROOT / "src" / "ngrc")
    parser.add_argument(
        "--walks", action="store_true", help="also run commands and count the files they go through"
    )
    parser.add_argument("--list", action="store_true", help="name what is counted")
    options = parser.parse_args()
    for title, value in facts(read(options.folder)).items():
        print(f"{title:<62} {len(value) if isinstance(value, list) else f'{value:g}':>8}")
        if options.list and isinstance(value, list):
            print("".join(f"    {one}\n" for one in value), end="")
    if options.walks:
        print(f"\n{'walk':<46} {'imported':>8} {'passed':>8}")
        for title, program in WALKS.items():
            found = walk(program)
            if found["failure"]:
                print(f"{title:<46} {found['failure']}")
                continue
            print(f"{title:<46} {len(found['imported']):>8} {len(found['passed']):>8}")
            if options.list:
                print("".join(f"    {Path(one)}\n" for one in found["passed"]), end="")


if __name__ == "__main__":
    main()
