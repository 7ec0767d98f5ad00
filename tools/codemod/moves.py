"""Moves and merges of modules.

Import statements are rewritten with libcst; every other mention of a dotted module name (strings, docstrings, comments,
attribute chains, docs) and of a path by regular expression, longest prefix first.
"""

from __future__ import annotations

import ast
import fnmatch
import re
import subprocess
from collections import defaultdict
from pathlib import Path

import libcst as cst

MARK = "ngrcNEW"
"""Stands for `ngrc` in what is rewritten already, so that no name is mapped twice."""
TEXT = {".py", ".pyi", ".md", ".toml", ".cfg", ".txt", ".sh", ".yml", ".yaml", ".json", ".in", ".cff", ""}
KEEP = (
    "CHANGELOG.md",
    "tools/codemod/",
    "tests/nets/names.txt",
    "tests/nets/outputs.json",
    "tests/nets/commands.txt",
    "tests/nets/checks/",
)
"""History, the plan and nets are not rewritten."""


def git(root: Path, *words: str) -> str:
    return subprocess.run(["git", *words], cwd=root, check=True, capture_output=True, text=True).stdout


def tracked(root: Path) -> list[Path]:
    found = []
    for line in git(root, "ls-files").splitlines():
        path = root / line
        if path.is_symlink() or not path.is_file() or line.startswith(KEEP):
            continue
        if path.suffix in TEXT or path.name in ("Makefile",):
            found.append(path)
    return found


def sources(root: Path) -> dict[str, Path]:
    """Modules of the library by dotted name."""
    base, found = root / "src", {}
    for path in sorted((base / "ngrc").rglob("*.py")):
        parts = path.relative_to(base).with_suffix("").parts
        found[".".join(parts[:-1] if parts[-1] == "__init__" else parts)] = path
    return found


class Plan:
    """The modules' table, written out: every present module and its new one ('' where it is dropped)."""

    def __init__(self, plan: dict, root: Path, only: list[str] | None = None) -> None:
        self.root, self.paths = root, sources(root)
        self.new: dict[str, str] = {}
        self.order: list[str] = []
        rules = plan.get("modules", {})
        for old, new in rules.items():
            if "*" in old:
                head, tail = old.split("*")[0], new.split("*")[0]
                for module in self.paths:
                    if module.startswith(head) and module not in rules and module not in self.new:
                        self._add(module, tail + module[len(head) :] if "*" in new else new)
            elif old in self.paths:
                self._add(old, new)
            else:
                print(f"plan: {old} is no module here")
        if only:
            keep = [one for one in self.new if any(fnmatch.fnmatch(one, glob) for glob in only)]
            self.new = {one: self.new[one] for one in keep}
            self.order = [one for one in self.order if one in self.new]
        self.new = {old: new for old, new in self.new.items() if old != new or self._merged(new)}
        for module in self.paths:
            self.new.setdefault(module, module)
        self.folders: dict[str, str] = plan.get("paths", {})
        self.packages: dict[str, str] = plan.get("packages", {})
        self.names: dict[tuple[str, str], str] = {}
        """Names that a package offers and that another will: `"ngrc.series:read_series" = "ngrc.io"`."""
        for key, new in plan.get("names", {}).items():
            base, _, listed = key.partition(":")
            if only and not any(fnmatch.fnmatch(base, glob) for glob in only):
                continue
            for name in listed.split():
                self.names[base, name] = new

    def _add(self, old: str, new: str) -> None:
        self.new[old] = new
        self.order.append(old)

    def _merged(self, new: str) -> bool:
        return sum(one == new for one in self.new.values()) > 1

    def is_package(self, new: str) -> bool:
        """Whether a new module has others below it, and so is an `__init__.py`."""
        return any(one.startswith(new + ".") for one in self.new.values() if one)

    def new_path(self, new: str) -> Path:
        olds = [old for old, one in self.new.items() if one == new]
        if olds == [new]:
            return self.paths[new]
        base = self.root / "src" / Path(*new.split("."))
        return base / "__init__.py" if self.is_package(new) or new == "ngrc" else base.with_suffix(".py")

    def groups(self) -> dict[str, list[str]]:
        """Old modules by their new one; the first is the lead, which gives the docstring."""
        found = defaultdict(list)
        for old in [*self.order, *(one for one in self.paths if one not in self.order)]:
            if old in self.new and self.new[old] and old not in found[self.new[old]]:
                found[self.new[old]].append(old)
        # Of the modules of one file, that which is called as the file leads; a package's own file does else.
        for new, olds in found.items():
            olds.sort(key=lambda old: old.rpartition(".")[2] != new.rpartition(".")[2])
        return dict(found)

    def longest(self, dotted: str) -> tuple[str, str] | None:
        """The longest prefix that is a module, and what it becomes."""
        parts = dotted.split(".")
        for stop in range(len(parts), 0, -1):
            old = ".".join(parts[:stop])
            if old in self.new:
                return old, self.new[old]
        return None


def dotted(node: cst.BaseExpression | None) -> str:
    if isinstance(node, cst.Attribute):
        return f"{dotted(node.value)}.{node.attr.value}"
    return node.value if isinstance(node, cst.Name) else ""


def node_of(name: str) -> cst.Attribute | cst.Name:
    head, _, last = name.rpartition(".")
    return cst.Attribute(node_of(head), cst.Name(last)) if head else cst.Name(last)


def marked(new: str) -> str:
    return MARK + new[len("ngrc") :]


class Imports(cst.CSTTransformer):
    """Import statements of one file, for the module that it becomes."""

    def __init__(self, plan: Plan, here: str, path: str) -> None:
        self.plan, self.here, self.path = plan, here, path
        self.reports: list[str] = []
        self.unwrapped: dict[str, str] = {}
        """Names of modules that are this very file now: `module.name` becomes `name`."""

    def leave_SimpleStatementLine(self, original, updated):  # noqa: N802
        if len(updated.body) != 1:
            return updated
        statement = updated.body[0]
        if isinstance(statement, cst.ImportFrom):
            return self._from(updated, statement)
        if isinstance(statement, cst.Import):
            return self._import(updated, statement)
        return updated

    def _import(self, line, statement):
        names = []
        for alias in statement.names:
            name = dotted(alias.name)
            if name in self.plan.new and self.plan.new[name] != name:
                new = self.plan.new[name]
                if new == self.here:
                    self.reports.append(f"{self.path}: import {name} of itself")
                    continue
                alias = alias.with_changes(name=node_of(marked(new)))
            names.append(alias)
        if not names:
            return cst.RemoveFromParent()
        return line.with_changes(body=[statement.with_changes(names=names)])

    def _from(self, line, statement):
        base = dotted(statement.module)
        base = base.replace(MARK, "ngrc") if base.startswith(MARK) else base
        if base != "ngrc" and not base.startswith("ngrc."):
            return line
        if isinstance(statement.names, cst.ImportStar):
            new = self.plan.new.get(base, base)
            return line.with_changes(body=[statement.with_changes(module=node_of(marked(new)))])
        by_base: dict[str, list[cst.ImportAlias]] = {}
        changed = False
        for alias in statement.names:
            name = alias.name.value
            whole = f"{base}.{name}"
            clean = alias.with_changes(comma=cst.MaybeSentinel.DEFAULT)
            if whole in self.plan.new:
                new = self.plan.new[whole]
                head, _, last = new.rpartition(".")
                local = alias.asname.name.value if alias.asname else name
                if new == self.here:
                    changed = True
                    self.unwrapped[local] = whole
                    continue
                if not new:
                    self.reports.append(f"{self.path}: {whole} is dropped and imported")
                    continue
                changed |= new != whole
                plain = (
                    cst.ImportAlias(cst.Name(last))
                    if last == local
                    else cst.ImportAlias(cst.Name(last), cst.AsName(cst.Name(local)))
                )
                by_base.setdefault(head, []).append(clean if new == whole else plain)
                continue
            new = self.plan.names.get((base, name)) or self.plan.new.get(base, base)
            if new == self.here and base in self.plan.new and self.here:
                changed = True
                if alias.asname and alias.asname.name.value != name:
                    self.reports.append(
                        f"{self.path}: {name} of {base} is imported as {alias.asname.name.value}, now its own"
                    )
                continue
            changed |= new != base
            by_base.setdefault(new, []).append(clean)
        if not changed:
            return line
        if not by_base:
            # A docstring or comment above stays with what follows.
            return cst.RemoveFromParent() if not line.leading_lines else cst.FlattenSentinel([])
        if len(by_base) == 1 and len(next(iter(by_base.values()))) == len(statement.names):
            ((new, aliases),) = by_base.items()
            kept = (
                statement.names
                if all(
                    one.name.value == two.name.value and bool(one.asname) == bool(two.asname)
                    for one, two in zip(statement.names, aliases, strict=True)
                )
                else aliases
            )
            return line.with_changes(body=[statement.with_changes(module=node_of(marked(new)), names=kept)])
        lines = [
            cst.SimpleStatementLine(
                [cst.ImportFrom(node_of(marked(new)), aliases)],
                leading_lines=line.leading_lines if not index else (),
                trailing_whitespace=line.trailing_whitespace,
            )
            for index, (new, aliases) in enumerate(by_base.items())
        ]
        return cst.FlattenSentinel(lines)

    def leave_Attribute(self, original, updated):  # noqa: N802
        if isinstance(updated.value, cst.Name) and updated.value.value in self.unwrapped:
            return updated.attr
        return updated


class EmptyBodies(cst.CSTTransformer):
    """`pass` where a body lost all its imports."""

    def leave_IndentedBlock(self, original, updated):  # noqa: N802
        return updated if updated.body else updated.with_changes(body=[cst.SimpleStatementLine([cst.Pass()])])

    def leave_If(self, original, updated):  # noqa: N802
        only_pass = (
            isinstance(updated.body, cst.IndentedBlock)
            and len(updated.body.body) == 1
            and isinstance(updated.body.body[0], cst.SimpleStatementLine)
            and isinstance(updated.body.body[0].body[0], cst.Pass)
        )
        if dotted(updated.test) == "TYPE_CHECKING" and only_pass and updated.orelse is None:
            return cst.RemoveFromParent()
        return updated


def rewritten_imports(text: str, plan: Plan, here: str, path: str, reports: list[str]) -> str:
    if "ngrc" not in text:
        return text
    module = cst.parse_module(text)
    visitor = Imports(plan, here, path)
    after = module.visit(visitor)
    if not after.deep_equals(module):
        after = after.visit(EmptyBodies())
    reports += visitor.reports
    return after.code


DOTTED = re.compile(r"(?<![\w./\\-])ngrc(?:\.[A-Za-z_]\w*)+")
PATHED = re.compile(r"(?<![\w.-])((?:src/)?)ngrc/([\w/]+)((?:\.py)?)(?![\w-])")


def other_mentions(text: str, plan: Plan) -> str:
    """Dotted names and paths in whatever text is left."""

    def name(match: re.Match[str]) -> str:
        found = plan.longest(match[0])
        rest = match[0][len(found[0]) + 1 :].split(".")[0] if found else ""
        if found and (found[0], rest) in plan.names:
            found = (found[0], plan.names[found[0], rest])
        if found is None or found[0] == found[1] or not found[1]:
            return match[0]
        return marked(found[1]) + match[0][len(found[0]) :]

    def path(match: re.Match[str]) -> str:
        parts = match[2].strip("/").split("/")
        module = "ngrc." + ".".join(parts)
        init = parts[-1] == "__init__"
        if init:
            module = module.rpartition(".")[0]
        if module not in plan.new or not plan.new[module] or plan.new[module] == module:
            return match[0]
        new = plan.new[module]
        body = new.replace(".", "/").removeprefix("ngrc/")
        if init or (match[3] and plan.is_package(new)):
            body += "/__init__"
        ending = match[3] or (
            ".py" if not plan.is_package(new) and "." not in match[0] and _was_folder(plan, module) else ""
        )
        return f"{match[1]}{MARK}/{body}{'/' if match[2].endswith('/') else ''}{ending}"

    text = PATHED.sub(path, DOTTED.sub(name, text))
    for old, new in plan.folders.items():
        text = re.sub(rf"(?<![\w./-]){re.escape(old)}(?![\w-])", new, text)
        text = re.sub(
            rf"(?<![\w./-]){re.escape(old.removesuffix('.py').replace('/', '.'))}(?![\w-])",
            new.removesuffix(".py").replace("/", "."),
            text,
        )
    return text


def _was_folder(plan: Plan, module: str) -> bool:
    return plan.paths[module].name == "__init__.py"


def apply(plan: Plan) -> list[str]:
    """Rewrite every file, then move and merge; answers with what a person has to look at."""
    reports: list[str] = []
    by_path = {path: name for name, path in plan.paths.items()}
    texts: dict[Path, str] = {}
    for path in tracked(plan.root):
        try:
            text = path.read_text("utf-8")
        except UnicodeDecodeError:
            continue
        old = by_path.get(path, "")
        after = text
        if path.suffix == ".py":
            after = rewritten_imports(
                text, plan, plan.new.get(old, ""), str(path.relative_to(plan.root)), reports
            )
        after = other_mentions(after, plan)
        if after != text:
            texts[path] = after
    for path, text in texts.items():
        path.write_text(text, "utf-8")
    _move(plan, reports)
    for old, new in plan.folders.items():
        _move_path(plan.root, old, new, reports)
    for folder in {path.parent for path in (plan.root / "tests").rglob("test_*.py")}:
        for one in [folder, *folder.parents]:
            if one == plan.root:
                break
            if not (one / "__init__.py").exists():
                (one / "__init__.py").write_text("", "utf-8")
                git(plan.root, "add", str(one / "__init__.py"))
    for path in tracked(plan.root):
        text = path.read_text("utf-8", errors="surrogateescape")
        if MARK in text:
            path.write_text(text.replace(MARK, "ngrc"), "utf-8", errors="surrogateescape")
    return reports


def _move_path(root: Path, old: str, new: str, reports: list[str]) -> None:
    source, target = root / old, root / new
    if not source.exists():
        reports.append(f"path {old} is not here")
        return
    if source.is_dir():
        for line in git(root, "ls-files", old).splitlines():
            there = target / Path(line).relative_to(old)
            if there.exists():
                if there.read_bytes() != (root / line).read_bytes():
                    reports.append(f"{there} is there already; {line} is dropped")
                git(root, "rm", "-qf", line)
                continue
            there.parent.mkdir(parents=True, exist_ok=True)
            git(root, "mv", line, str(there))
            _deepened(there, len(there.relative_to(root).parts) - len(Path(line).parts))
        return
    target.parent.mkdir(parents=True, exist_ok=True)
    git(root, "mv", old, new)
    _deepened(target, len(Path(new).parts) - len(Path(old).parts))


def _deepened(path: Path, by: int) -> None:
    """`Path(__file__).parents[2]` of a file that lies deeper now."""
    if path.suffix == ".py" and by:
        text = path.read_text("utf-8")
        after = re.sub(
            r"(__file__\)(?:\.resolve\(\))?\.parents\[)(\d+)\]",
            lambda one: f"{one[1]}{int(one[2]) + by}]",
            text,
        )
        if after != text:
            path.write_text(after, "utf-8")


def _move(plan: Plan, reports: list[str]) -> None:
    """Through temporary names, as one module may take the place of another."""
    root = plan.root
    moves, merges = [], []
    for new, olds in plan.groups().items():
        target = plan.new_path(new)
        if len(olds) == 1:
            if plan.paths[olds[0]] != target:
                moves.append((plan.paths[olds[0]], target))
        else:
            merges.append((new, olds, target))
    parts = {new: [(old, plan.paths[old].read_text("utf-8")) for old in olds] for new, olds, _ in merges}
    staged = []
    for old, target in moves:
        passing = old.with_name(f"moving__{len(staged)}__{old.name}")
        git(root, "mv", str(old), str(passing))
        staged.append((passing, target))
    lead_staged = []
    for new, olds, target in merges:
        # History follows the lead; the others are removed.
        lead = plan.paths[olds[0]]
        passing = lead.with_name(f"merging__{len(lead_staged)}__{lead.name}")
        git(root, "mv", str(lead), str(passing))
        lead_staged.append((passing, target, new))
        for one in olds[1:]:
            git(root, "rm", "-qf", str(plan.paths[one]))
    for old, new in plan.new.items():
        if not new and plan.paths[old].exists():
            git(root, "rm", "-qf", str(plan.paths[old]))
    for passing, target in staged:
        target.parent.mkdir(parents=True, exist_ok=True)
        git(root, "mv", str(passing), str(target))
    for passing, target, new in lead_staged:
        target.parent.mkdir(parents=True, exist_ok=True)
        git(root, "mv", str(passing), str(target))
        target.write_text(merged(new, parts[new], reports), "utf-8")
    # Files that are no modules go with their package.
    for name, path in plan.paths.items():
        if path.name == "__init__.py" and plan.new[name] and plan.new[name] != name:
            for line in git(root, "ls-files", str(path.parent)).splitlines():
                here = root / line
                if here.suffix != ".py" and here.exists() and _owner(plan, here) == name:
                    there = plan.new_path(plan.new[name]).parent / here.relative_to(path.parent)
                    there.parent.mkdir(parents=True, exist_ok=True)
                    git(root, "mv", line, str(there))
    _packages(plan)


def _owner(plan: Plan, path: Path) -> str:
    folders = {one.parent: name for name, one in plan.paths.items() if one.name == "__init__.py"}
    return next((folders[parent] for parent in path.parents if parent in folders), "")


def _packages(plan: Plan) -> None:
    """An `__init__.py` in every new folder."""
    for folder in sorted({path.parent for path in (plan.root / "src" / "ngrc").rglob("*.py")}):
        for one in [folder, *folder.parents]:
            if one == plan.root / "src":
                break
            init = one / "__init__.py"
            if not init.exists():
                name = ".".join(init.parent.relative_to(plan.root / "src").parts)
                init.write_text(f'"""{plan.packages.get(name, name)}"""\n', "utf-8")
                git(plan.root, "add", str(init))
    # Folders that are empty now.
    for folder in sorted((plan.root / "src" / "ngrc").rglob("*"), reverse=True):
        if folder.is_dir() and all(one.name == "__pycache__" for one in folder.iterdir()):
            subprocess.run(["rm", "-rf", str(folder)], check=True)


# Merging ---------------------------------------------------------------------------------------------------------


class Piece:
    """One module's text, cut into docstring, imports and the rest."""

    def __init__(self, name: str, text: str) -> None:
        self.name, self.text = name, text
        tree = ast.parse(text)
        lines = text.splitlines(keepends=True)
        self.doc = ast.get_docstring(tree) or ""
        cut = set[int]()
        self.imports: list[str] = []
        self.checking: list[str] = []
        self.bound: dict[str, str] = {}
        for index, node in enumerate(tree.body):
            span = range(node.lineno, (node.end_lineno or node.lineno) + 1)
            if index == 0 and isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
                cut |= set(span)
            elif isinstance(node, ast.Import | ast.ImportFrom):
                cut |= set(span)
                self.imports.append("".join(lines[node.lineno - 1 : node.end_lineno]))
                self._bind(node)
            elif isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING" and not node.orelse:
                cut |= set(span)
                for one in node.body:
                    self.checking.append("".join(lines[one.lineno - 1 : one.end_lineno]))
                    if isinstance(one, ast.Import | ast.ImportFrom):
                        self._bind(one)
        self.body = "".join(line for number, line in enumerate(lines, 1) if number not in cut).strip("\n")
        self.all: list[str] = []
        self.defined = {}
        for node in tree.body:
            for name_ in top_names(node):
                self.defined[name_] = node.lineno

    def _bind(self, node: ast.Import | ast.ImportFrom) -> None:
        for alias in node.names:
            base = f"{node.module}." if isinstance(node, ast.ImportFrom) else ""
            self.bound[alias.asname or alias.name] = f"{base}{alias.name}"


def top_names(node: ast.stmt) -> list[str]:
    if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
        return [node.name]
    if isinstance(node, ast.Assign):
        return [one.id for target in node.targets for one in ast.walk(target) if isinstance(one, ast.Name)]
    if isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
        return [node.target.id]
    if isinstance(node, ast.If | ast.Try | ast.For | ast.With):
        return [
            name
            for one in ast.iter_child_nodes(node)
            if isinstance(one, ast.stmt)
            for name in top_names(one)
            if not isinstance(one, ast.Import | ast.ImportFrom)
        ]
    return []


def merged(new: str, parts: list[tuple[str, str]], reports: list[str]) -> str:
    """Modules as one, lead first in docstring, in the order that their definitions need."""
    pieces = [Piece(name, text) for name, text in parts]
    _separate(new, pieces, reports)
    order = _ordered(pieces)
    lead = pieces[0]
    # As it stands in the file, escapes and all.
    head = re.match(r'\s*(r?""".*?""")', lead.text, re.DOTALL)
    out = [head[1] if head else f'"""{lead.doc}"""', ""]
    imports = list(dict.fromkeys(one for piece in pieces for one in piece.imports))
    checking = list(dict.fromkeys(one for piece in pieces for one in piece.checking))
    out.append("".join(imports))
    if checking:
        out.append("if TYPE_CHECKING:\n" + "".join(checking))
    alls = []
    for piece in order:
        body = piece.body
        found = re.search(r"^__all__ = \[(.*?)\]\n?", body, re.DOTALL | re.MULTILINE)
        if found:
            alls += re.findall(r"[\"'](\w+)[\"']", found[1])
            body = body.replace(found[0], "").strip("\n")
        if not body:
            continue
        if piece is not lead and piece.doc:
            out.append("\n" + "\n".join(f"# {line}".rstrip() for line in piece.doc.splitlines()))
            out.append("")
        out.append(body + "\n")
    if alls:
        names = "\n".join(f'    "{one}",' for one in sorted(set(alls)))
        out.append(f"__all__ = [\n{names}\n]\n")
    return "\n".join(out) + "\n"


def _needed_at_import(tree: ast.AST) -> set[str]:
    """Names that run when a module is imported: not those in bodies of functions, nor in annotations of theirs."""
    found: set[str] = set()
    waiting = list(ast.iter_child_nodes(tree))
    while waiting:
        node = waiting.pop()
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load):
            found.add(node.id)
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            waiting += [*node.decorator_list, *node.args.defaults, *filter(None, node.args.kw_defaults)]
            # Annotations run too, as no file postpones them.
            waiting += [
                one.annotation
                for one in [*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs]
                if one.annotation
            ]
            waiting += [node.returns] if node.returns else []
            continue
        if isinstance(node, ast.Lambda):
            continue
        waiting += list(ast.iter_child_nodes(node))
    return found


def _ordered(pieces: list[Piece]) -> list[Piece]:
    """What a module used of another before the merge is above it; by names, as imports are gone."""
    uses = {}
    for piece in pieces:
        words = _needed_at_import(ast.parse(piece.text))
        uses[piece.name] = {
            other.name for other in pieces if other is not piece and words & other.defined.keys()
        }
    order, left = [], list(pieces)
    while left:
        free = next(
            (one for one in left if not uses[one.name] & {other.name for other in left if other is not one}),
            None,
        )
        one = free or left[0]
        order.append(one)
        left.remove(one)
    return order


def _separate(new: str, pieces: list[Piece], reports: list[str]) -> None:
    """Names that several modules define: private ones are renamed in all but the first, others reported."""
    seen: dict[str, Piece] = {}
    for piece in pieces:
        for name in list(piece.defined):
            if name == "__all__":
                continue
            first = seen.setdefault(name, piece)
            if first is piece:
                continue
            if name.startswith("_") and not name.startswith("__"):
                fresh = f"{name}_{piece.name.rpartition('.')[2].strip('_')}"
                piece.body = re.sub(
                    rf"(?<![\w.\"'`]){re.escape(name)}\b(?!\s*=[^=][^\n]*,\s*$)", fresh, piece.body
                )
                piece.text = re.sub(rf"(?<![\w.]){re.escape(name)}\b", fresh, piece.text)
                reports.append(f"{new}: {name} of {piece.name} is {fresh} now, as {first.name} has one too")
            else:
                same = _definition(piece, name) == _definition(first, name)
                reports.append(
                    f"{new}: CLASH {name} in {first.name} and {piece.name}{' (same text)' if same else ''}"
                )
    for piece in pieces:
        for name, origin in piece.bound.items():
            for other in pieces:
                if name in other.defined and other is not piece:
                    reports.append(
                        f"{new}: CLASH {piece.name} imports {name} ({origin}), which {other.name} defines"
                    )
                if other is not piece and other.bound.get(name, origin) != origin and piece.name < other.name:
                    reports.append(
                        f"{new}: CLASH {name} is {origin} in {piece.name}, {other.bound[name]} in {other.name}"
                    )


def _definition(piece: Piece, name: str) -> str:
    for node in ast.parse(piece.text).body:
        if name in top_names(node):
            return ast.dump(node)
    return ""
