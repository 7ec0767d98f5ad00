"""The plan: parts.toml (step 1), renames.txt (step 2), tree.txt and final.toml (step 3), and its checks.

Every module and name in the plan is one of 0.4.0; they are looked up through [parts] where that step is done.
"""

import ast
import re
import tomllib
from collections import Counter, defaultdict
from pathlib import Path
from typing import Any

from tools import size
from tools.codemod import moves

FOLDER = Path(__file__).parent
ROOT = FOLDER.parents[1]
DROPPED = "-"
"""The target of modules that are removed."""
Row = dict[str, Any]


def load() -> dict[str, Any]:
    """The tables of both TOML files, and `modules` of tree.txt: each module and its new one, '' where it is dropped."""
    parts, final = (
        tomllib.loads((FOLDER / name).read_text("utf-8")) for name in ("parts.toml", "final.toml")
    )
    return {**parts, **final, "modules": dict(placed())}


def targets() -> list[tuple[str, list[str]]]:
    """Lines of tree.txt: a place in the new tree and the modules that go there."""
    lines = (FOLDER / "tree.txt").read_text("utf-8").splitlines()
    cut = [line.partition("=") for line in lines if line.strip() and not line.startswith("#")]
    return [(target.strip(), sources.split()) for target, _, sources in cut]


def placed() -> list[tuple[str, str]]:
    """Every module of tree.txt and its new one."""
    return [(f"ngrc.{old}", _module(target)) for target, sources in targets() for old in sources]


def _module(target: str) -> str:
    return {"/": "ngrc", DROPPED: ""}.get(target, "ngrc." + target.rstrip("/"))


def by_parts(rules: dict[str, str], old: str) -> str:
    """What a module is called once `parts` is applied."""
    if old in rules:
        return rules[old]
    for key, new in rules.items():
        if key.endswith("*") and old.startswith(key[:-1]):
            return new[:-1] + old[len(key) - 1 :]
    return old


def present(data: dict[str, Any], here: dict[str, Path], old: str) -> str:
    """What a module of 0.4.0 is called in the tree as it is: its own name, that after `parts`, or the last one."""
    after_parts = by_parts(data["parts"]["modules"], old)
    names = [old, after_parts, data["modules"].get(old, old)]
    return next((name for name in names if name in here), after_parts)


def through_parts(data: dict[str, Any], root: Path) -> dict[str, Any]:
    """The plan with the keys of `modules` as they are called now."""
    here, rules = moves.sources(root), data["parts"]["modules"]
    table = {old if old in here else by_parts(rules, old): new for old, new in data["modules"].items()}
    return {**data, "modules": table}


def renames(data: dict[str, Any], root: Path, groups: list[str] | None = None) -> list[Row]:
    """Rows of renames.txt, their modules as they are called now."""
    here = moves.sources(root)
    rows = []
    for line in (FOLDER / "renames.txt").read_text("utf-8").splitlines():
        words = line.split()
        if not words or words[0].startswith("#") or (groups and words[0] not in groups):
            continue
        group, kind, where, old, new = words[:5]
        if kind in ("name", "member", "param") and where != "*":
            places = []
            for one in where.split("+"):
                module, colon, rest = one.partition(":")
                places.append(present(data, here, module) + colon + rest)
            where = "+".join(places)
        rows.append({"group": group, "kind": kind, "where": where, "old": old, "new": new})
    return rows


# Whether the plan fits the source ------------------------------------------------------------------------------------


def check(root: Path) -> tuple[list[str], list[str]]:
    """What has to be corrected before a step is run, and what the new tree will be like."""
    data = load()
    modules = size.read(root / "src" / "ngrc")
    table = through_parts(data, root)["modules"]
    new_files = {_module(target) for target, _ in targets()} - {""}
    twice = [old for old, count in Counter(old for old, _ in placed()).items() if count > 1]
    wrong = [f"tree.txt has {old} twice" for old in twice]
    wrong += [f"tree.txt: {old} is no module" for old in table if old not in modules]
    wrong += [f"tree.txt does not place {name}" for name in modules if name not in {*table, *new_files}]
    wrong += misnamed(root, renames(data, root))
    new = {name: table.get(name, name) for name in modules}
    graph = edges(modules, new)
    news = [
        f"{len(modules)} files become {len(new_files)}",
        *sizes(modules, new),
        *cycles(graph),
    ]
    return wrong, news + folder_cycles(graph)


def sizes(modules: dict[str, size.Module], new: dict[str, str]) -> list[str]:
    """Files that will be too long or too short; an estimate, as imports of merged modules become fewer."""
    lines, code = Counter[str](), Counter[str]()
    for name, target in new.items():
        if target:
            saved = modules[name].imports // 2 if lines[target] else 0
            lines[target] += modules[name].lines - saved - (6 if saved else 0)
            code[target] += modules[name].code - saved
    leaves = {new[name] for name, module in modules.items() if module.leaf}
    packages = {_module(target) for target, _ in targets() if target.endswith("/")}
    long = [
        f"above {size.LONG} lines: {name} ({lines[name]})"
        for name in sorted(lines)
        if lines[name] > size.LONG
    ]
    return long + [
        f"under {size.SHORT} code lines: {name} ({code[name]})"
        for name in sorted(code)
        if code[name] < size.SHORT and name not in leaves | packages
    ]


Edges = dict[tuple[str, str], set[tuple[str, str]]]
"""Imports between new modules, with the present modules that have them."""


def edges(modules: dict[str, size.Module], new: dict[str, str]) -> Edges:
    found: Edges = defaultdict(set)
    for name, module in modules.items():
        for target in module.targets:
            if new[name] and new[target] and new[name] != new[target]:
                found[new[name], new[target]].add((name, target))
    return found


def reached(graph: dict[str, set[str]], start: str) -> set[str]:
    found: set[str] = set()
    waiting = [start]
    while waiting:
        for one in graph.get(waiting.pop(), ()):
            if one not in found:
                found.add(one)
                waiting.append(one)
    return found


def cycles(edges: Edges) -> list[str]:
    """Imports that lie on a circle of new modules; those inside functions count, so that not all are errors."""
    graph: dict[str, set[str]] = defaultdict(set)
    for here, there in edges:
        graph[here].add(there)
    below = {name: reached(graph, name) for name in list(graph)}
    return [
        f"circle: {here} -> {there}, as {name} imports {target}"
        for (here, there), reasons in sorted(edges.items())
        if here in below.get(there, ())
        for name, target in sorted(reasons)[:1]
    ]


def folder_cycles(edges: Edges) -> list[str]:
    """The same between the folders of the new tree."""
    by_folder: Edges = defaultdict(set)
    for (here, there), reasons in edges.items():
        pair = tuple(".".join(name.split(".")[:2]) for name in (here, there))
        if pair[0] != pair[1]:
            by_folder[pair[0], pair[1]] |= reasons
    return [f"folders, {line}" for line in cycles(by_folder)]


def misnamed(root: Path, rows: list[Row]) -> list[str]:
    """Rows of renames.txt that name nothing."""
    here = moves.sources(root)
    texts = {name: path.read_text("utf-8") for name, path in here.items()}
    trees: dict[str, ast.Module] = {}
    wrong = []
    for row in rows:
        if row["kind"] == "local" or row["where"] == "*":
            continue
        for place in row["where"].split("+"):
            module, _, what = place.partition(":")
            if module not in here:
                wrong.append(f"renames.txt: {module} is no module ({row['old']})")
                continue
            tree = trees.setdefault(module, ast.parse(texts[module]))
            if not _defines(tree, texts[module].splitlines(), what, row):
                wrong.append(f"renames.txt: {place} has no {row['kind']} {row['old']}")
    return wrong


def _defines(tree: ast.Module, lines: list[str], what: str, row: Row) -> bool:
    if row["kind"] == "name":
        return any(row["old"] in moves.top_names(node) for node in tree.body)
    node: ast.AST | None = tree
    for name in what.split("."):
        body = getattr(node, "body", [])
        node = next((one for one in body if getattr(one, "name", "") == name), None)
    if node is None:
        return False
    if row["kind"] == "param":
        return any(isinstance(one, ast.arg) and one.arg == row["old"] for one in ast.walk(node))
    assert isinstance(node, ast.ClassDef)
    text = "\n".join(lines[node.lineno - 1 : node.end_lineno])
    return re.search(rf"\b{re.escape(row['old'])}\b", text) is not None


def leftovers(root: Path, data: dict[str, Any]) -> list[str]:
    """Mentions of modules that the plan moved and that are no longer there."""
    here, rules = moves.sources(root), data["parts"]["modules"]
    gone = {*data["modules"], *(by_parts(rules, old) for old in data["modules"])} - here.keys()
    found = []
    for path in moves.tracked(root):
        text = path.read_text("utf-8", errors="replace")
        for number, line in enumerate(text.splitlines(), 1):
            for match in moves.DOTTED.finditer(line):
                parts = match[0].split(".")
                prefixes = [".".join(parts[:stop]) for stop in range(len(parts), 0, -1)]
                if next((one for one in prefixes if one in gone or one in here), "ngrc") in gone:
                    found.append(f"{path.relative_to(root)}:{number}: {match[0]}")
            for match in moves.PATHED.finditer(line):
                module = "ngrc." + match[2].strip("/").replace("/", ".").removesuffix(".__init__")
                if module in gone:
                    found.append(f"{path.relative_to(root)}:{number}: {match[0]}")
    return found
