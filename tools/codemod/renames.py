"""Renames of names, members, parameters and local variables: rows of renames.txt.

name    `where = "ngrc.live.coming"`: a class, function or constant of a module, and every use of it, through packages
        that offer it again, `__all__`, tables of lazy imports, quoted annotations, dotted strings and docs in backticks
member  `where = "ngrc.live.coming:Coming"`: a method, property or field of a class and of its subclasses; uses are
        found by the type before the dot (mypy), also keywords of a dataclass's constructor and of `replace`
param   `where = "ngrc.ahead.entry:look_ahead"` or `"module:Class.method"`: a parameter, its uses in the body, and
        keywords of calls (mypy)
local   `where = "ngrc.ahead.*"`: variables of functions in these modules (or `tests/...` path globs)
"""

from __future__ import annotations

import ast
import fnmatch
import re
import shutil
import tomllib
from collections import defaultdict
from pathlib import Path

from tools.codemod import moves

CACHE = Path(__file__).parents[2] / "build" / "codemod" / "mypy"
OURS = ("ngrc", "tests", "benchmarks", "accuracy", "mutants", "soak", "results_page", "tools", "setup")
Edit = tuple[int, int, str, str]
"""Line, column in characters, old, new."""


class Files:
    """Every Python file: its text, tree and module name."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.modules = moves.sources(root)
        self.paths = [path for path in moves.tracked(root) if path.suffix == ".py"]
        self.name = {path: name for name, path in self.modules.items()}
        for path in self.paths:
            self.name.setdefault(path, ".".join(path.relative_to(root).with_suffix("").parts))
        self.text = {path: path.read_text("utf-8") for path in self.paths}
        self.tree = {path: ast.parse(text) for path, text in self.text.items()}
        self.lines = {path: text.splitlines() for path, text in self.text.items()}
        self.edits: dict[Path, set[Edit]] = defaultdict(set)
        self.reports: list[str] = []

    def column(self, path: Path, line: int, offset: int) -> int:
        """Characters before an offset in bytes."""
        text = self.lines[path][line - 1]
        return offset if text.isascii() else len(text.encode()[:offset].decode())

    def edit(
        self, path: Path, line: int, offset: int, old: str, new: str, *, characters: bool = False
    ) -> None:
        column = offset if characters else self.column(path, line, offset)
        if self.lines[path][line - 1][column : column + len(old)] != old:
            self.reports.append(f"{path.relative_to(self.root)}:{line}: expected {old!r} at column {column}")
            return
        self.edits[path].add((line, column, old, new))

    def resolve(self, module: str, name: str, depth: int = 0) -> tuple[str, str]:
        """Where a name that a module offers is defined."""
        if module not in self.modules or depth > 8:
            return module, name
        tree = self.tree[self.modules[module]]
        for node in ast.walk(tree):
            if isinstance(node, ast.ImportFrom) and node.module and node.module.startswith("ngrc"):
                for alias in node.names:
                    if (alias.asname or alias.name) == name:
                        return self.resolve(node.module, alias.name, depth + 1)
                    if alias.name == "*":
                        there = self.modules.get(node.module)
                        if there and any(name in moves.top_names(one) for one in self.tree[there].body):
                            return node.module, name
        return module, name


# Names of modules ------------------------------------------------------------------------------------------------


def bound_in(node: ast.AST) -> set[str]:
    """Names that a function or comprehension binds itself."""
    found: set[str] = set()
    if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda):
        arguments = node.args
        found |= {one.arg for one in [*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs]}
        found |= {one.arg for one in (arguments.vararg, arguments.kwarg) if one}
        body = node.body if isinstance(node.body, list) else [node.body]
        found |= _stored(body)
    else:
        for generator in node.generators:  # type: ignore[attr-defined]
            found |= {one.id for one in ast.walk(generator.target) if isinstance(one, ast.Name)}
    return found


def _stored(body: list[ast.AST]) -> set[str]:
    found: set[str] = set()
    waiting = list(body)
    while waiting:
        node = waiting.pop()
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            found.add(node.name)
            continue
        if isinstance(node, ast.Lambda | ast.ListComp | ast.SetComp | ast.DictComp | ast.GeneratorExp):
            # A walrus inside binds outside; rare enough to be looked for by itself.
            found |= {one.target.id for one in ast.walk(node) if isinstance(one, ast.NamedExpr)}
            continue
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store | ast.Del):
            found.add(node.id)
        if isinstance(node, ast.ExceptHandler) and node.name:
            found.add(node.name)
        if isinstance(node, ast.Import | ast.ImportFrom):
            found |= {(alias.asname or alias.name).split(".")[0] for alias in node.names}
        if isinstance(node, ast.MatchAs | ast.MatchStar) and node.name:
            found.add(node.name)
        waiting += list(ast.iter_child_nodes(node))
    return found


SCOPES = (
    ast.FunctionDef,
    ast.AsyncFunctionDef,
    ast.Lambda,
    ast.ListComp,
    ast.SetComp,
    ast.DictComp,
    ast.GeneratorExp,
)


def global_uses(tree: ast.AST, name: str) -> list[ast.Name]:
    """Uses of a module's name, those inside functions that bind it themselves left out."""
    found: list[ast.Name] = []

    def visit(node: ast.AST) -> None:
        if isinstance(node, ast.Name) and node.id == name:
            found.append(node)
        if isinstance(node, SCOPES) and name in bound_in(node):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                outside = [*node.decorator_list, *node.args.defaults, *filter(None, node.args.kw_defaults)]
                outside += [
                    one.annotation
                    for one in [*node.args.args, *node.args.kwonlyargs, *node.args.posonlyargs]
                    if one.annotation
                ]
                outside += [node.returns] if node.returns else []
                for one in outside:
                    visit(one)
                # Imported inside: that binding is the same symbol, which the caller looks at by itself.
            return
        if isinstance(node, ast.ClassDef):
            own = _stored(list(node.body))
            for one in ast.iter_child_nodes(node):
                if name in own and isinstance(one, ast.Assign | ast.AnnAssign | ast.Expr):
                    if isinstance(one, ast.AnnAssign):
                        visit(one.annotation)
                    continue
                visit(one)
            return
        for one in ast.iter_child_nodes(node):
            visit(one)

    visit(tree)
    return found


def inner_importers(tree: ast.AST) -> list[ast.AST]:
    return [node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)]


def rename_name(files: Files, row: dict) -> None:
    where, old, new = row["where"], row["old"], row["new"]
    if where not in files.modules:
        files.reports.append(f"no module {where} for {old}")
        return
    home = files.modules[where]
    if not any(old in moves.top_names(node) for node in files.tree[home].body):
        files.reports.append(f"{where} defines no {old}")
        return
    for path in files.paths:
        tree = files.tree[path]
        if old not in files.text[path]:
            continue
        touched = path == home
        clash = any(new in moves.top_names(node) for node in tree.body)
        if path == home:
            for node in ast.walk(tree):
                if (
                    isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef)
                    and node in tree.body
                    and node.name == old
                ):
                    text = files.lines[path][node.lineno - 1]
                    column = re.search(rf"\b(?:def|class)\s+({re.escape(old)})\b", text).start(1)
                    files.edit(path, node.lineno, column, old, new, characters=True)
            for use in global_uses(tree, old):
                files.edit(path, use.lineno, use.col_offset, old, new)
        holders: list[ast.AST] = []
        for holder in [tree, *inner_importers(tree)]:
            for node in _own_statements(holder):
                if not isinstance(node, ast.ImportFrom) or not (node.module or "").startswith("ngrc"):
                    continue
                for alias in node.names:
                    if alias.name != old or files.resolve(node.module or "", old) != (where, old):
                        continue
                    touched = True
                    files.edit(path, alias.lineno, alias.col_offset, old, new)
                    if alias.asname == old:
                        # `from a import x as x`: the name that is offered again.
                        line = files.lines[path][alias.lineno - 1]
                        place = (
                            line.index(f" as {old}", files.column(path, alias.lineno, alias.col_offset)) + 4
                        )
                        files.edit(path, alias.lineno, place, old, new, characters=True)
                    if alias.asname in (None, old):
                        holders.append(holder)
        for holder in holders:
            body = holder if isinstance(holder, ast.Module) else ast.Module(body=holder.body, type_ignores=[])  # type: ignore[attr-defined]
            for use in global_uses(body, old):
                files.edit(path, use.lineno, use.col_offset, old, new)
        if touched and clash:
            files.reports.append(
                f"{path.relative_to(files.root)}: {new} is defined here already (rename of {old})"
            )
        _strings(files, path, row, touched)


def _own_statements(holder: ast.AST):
    """Statements of a module or function, without those of functions in it."""
    waiting = list(ast.iter_child_nodes(holder))
    while waiting:
        node = waiting.pop()
        yield node
        if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda):
            waiting += list(ast.iter_child_nodes(node))


def _strings(files: Files, path: Path, row: dict, touched: bool) -> None:
    """`__all__`, tables, quoted annotations, dotted names, prose: by line, inside strings and comments."""
    where, old, new = row["where"], row["old"], row["new"]
    tree = files.tree[path]
    package = files.name[path]
    offers = path.name == "__init__.py" and files.resolve(package, old) == (where, old)
    offers = offers or (path.name == "__init__.py" and touched)
    for node in ast.walk(tree):
        if not isinstance(node, ast.Constant) or not isinstance(node.value, str) or old not in node.value:
            continue
        for line in range(node.lineno, (node.end_lineno or node.lineno) + 1):
            text = files.lines[path][line - 1]
            begin = files.column(path, line, node.col_offset) if line == node.lineno else 0
            stop = (
                files.column(path, line, node.end_col_offset or 0) if line == node.end_lineno else len(text)
            )
            for match in re.finditer(rf"(?<![\w]){re.escape(old)}(?![\w])", text[begin:stop]):
                column = begin + match.start()
                before, after = text[:column], text[column + len(old) :]
                exact = node.value == old and (touched or offers)
                dotted_ = re.search(r"(ngrc(?:\.\w+)*)[.:]$", before)
                is_ours = bool(dotted_) and files.resolve(dotted_[1], old) == (where, old)
                quoted = touched and before.endswith("`") and after.startswith(("`", "(", ".", "["))
                doctest = (
                    touched
                    and re.search(r">>> |\.\.\. ", text) is not None
                    and not before.endswith(".")
                    and not re.match(r"\s*=[^=]", after)
                )
                annotation = (
                    touched
                    and "\n" not in node.value
                    and old[0].isupper()
                    and node.value != old
                    and re.fullmatch(r"[\w\[\], .|]+", node.value)
                )
                if exact or is_ours or quoted or doctest or annotation:
                    files.edit(path, line, column, old, new, characters=True)
                elif touched and _unmistakable(old) and not before.endswith(("/", "-")):
                    # A class's own name in prose.
                    files.edit(path, line, column, old, new, characters=True)
    # Comments.
    if touched and old[0].isupper():
        quoted_ = "" if _unmistakable(old) else "`"
        for number, text in enumerate(files.lines[path], 1):
            place = text.find("#")
            if place >= 0 and text[:place].count('"') % 2 == 0 and not _in_string(files, path, number, place):
                for match in re.finditer(rf"(?<!\w)(?<={quoted_}){re.escape(old)}(?!\w)", text[place:]):
                    files.edit(path, number, place + match.start(), old, new, characters=True)


def _unmistakable(name: str) -> bool:
    """Whether a name cannot be a word of a sentence: `OneFit`, and not `Coming`."""
    return sum(letter.isupper() for letter in name) > 1 or "_" in name


def _in_string(files: Files, path: Path, line: int, column: int) -> bool:
    return any(
        isinstance(node, ast.Constant)
        and isinstance(node.value, str)
        and node.lineno <= line <= (node.end_lineno or 0)
        for node in ast.walk(files.tree[path])
    )


# Members and parameters, by mypy ---------------------------------------------------------------------------------


class Index:
    """Every attribute access with the classes of what stands before the dot; every keyword with what is called."""

    def __init__(self, files: Files) -> None:
        from mypy import build, nodes, types
        from mypy.config_parser import parse_config_file
        from mypy.find_sources import create_source_list
        from mypy.options import Options

        options = Options()
        # The packages whose stubs are skipped are those of pyproject.toml.
        parse_config_file(options, lambda: None, str(files.root / "pyproject.toml"))
        options.python_version = (3, 11)
        options.export_types, options.preserve_asts = True, True
        # Stubs of other packages come from a cache; our own files are always checked anew, as only that has types.
        options.incremental, options.sqlite_cache, options.cache_dir = True, False, str(CACHE)
        for entry in CACHE.glob("*/*"):
            if entry.name.split(".")[0] in OURS:
                shutil.rmtree(entry) if entry.is_dir() else entry.unlink()
        options.ignore_missing_imports = options.namespace_packages = options.explicit_package_bases = True
        options.follow_imports = "silent"
        options.mypy_path = [str(files.root / "src"), str(files.root)]
        options.show_traceback = True
        # Numpy and the rest need no bodies; our own files do.
        listed = [str(path) for path in files.paths if ".ci" not in path.parts and "docs" not in path.parts]
        result = build.build(create_source_list(listed, options), options)
        self.members: list[tuple[Path, int, int, str, set[str]]] = []
        self.keywords: list[tuple[Path, int, int, int, int, str, set[str]]] = []
        self.supers: dict[str, set[str]] = {}
        typed = result.types
        by_path = {Path(one.path).resolve(): one for one in result.graph.values() if one.path}
        index = self

        def owners(value, depth: int = 0) -> set[str]:
            value = types.get_proper_type(value) if value is not None else None
            if value is None or depth > 6:
                return set()
            if isinstance(value, types.Instance):
                return {base.fullname for base in value.type.mro}
            if isinstance(value, types.UnionType):
                return set().union(*(owners(one, depth + 1) for one in value.items))
            if isinstance(value, types.TypeType):
                return owners(value.item, depth + 1)
            if isinstance(value, types.TypeVarType):
                return owners(value.upper_bound, depth + 1)
            if isinstance(value, types.TupleType):
                return owners(value.partial_fallback, depth + 1)
            if isinstance(value, types.CallableType) and value.is_type_obj():
                return owners(value.ret_type, depth + 1)
            if isinstance(value, types.Overloaded):
                return owners(value.items[0], depth + 1)
            return set()

        def called(expression) -> set[str]:
            found: set[str] = set()
            if isinstance(expression, nodes.RefExpr) and expression.fullname:
                found.add(expression.fullname)
            if isinstance(expression, nodes.MemberExpr):
                found |= {f"{owner}.{expression.name}" for owner in owners(typed.get(expression.expr))}
            value = types.get_proper_type(typed.get(expression)) if expression in typed else None
            if isinstance(value, types.CallableType):
                if value.is_type_obj():
                    found |= owners(value.ret_type)
                if value.definition is not None and getattr(value.definition, "fullname", ""):
                    found.add(value.definition.fullname)
            return found

        references = {
            "node",
            "info",
            "type",
            "unanalyzed_type",
            "names",
            "definition",
            "alias_deps",
            "path",
            "fullname",
        }

        def walk(start, path: Path) -> None:
            """Children by their attributes: mypy is compiled, so that its visitors cannot be subclassed."""
            seen: set[int] = set()
            waiting = [start]
            while waiting:
                node = waiting.pop()
                if isinstance(node, list | tuple):
                    waiting += list(node)
                    continue
                if (
                    not isinstance(node, nodes.Node)
                    or isinstance(node, nodes.TypeInfo | nodes.Var)
                    or id(node) in seen
                ):
                    continue
                seen.add(id(node))
                if isinstance(node, nodes.MemberExpr):
                    found = owners(typed.get(node.expr))
                    if node.fullname:
                        found.add(node.fullname.rpartition(".")[0])
                    index.members.append((path, node.end_line, node.end_column, node.name, found))
                elif isinstance(node, nodes.CallExpr) and any(node.arg_names):
                    what = called(node.callee)
                    if any(one.endswith(".replace") for one in what) and node.args:
                        what |= owners(typed.get(node.args[0]))
                    for name, argument in zip(node.arg_names, node.args, strict=True):
                        if name:
                            index.keywords.append(
                                (path, argument.line, argument.column, node.line, node.column, name, what)
                            )
                elif isinstance(node, nodes.ClassDef):
                    index.supers[node.fullname] = {base.fullname for base in node.info.mro}
                for kind in type(node).__mro__:
                    for name in getattr(kind, "__mypyc_attrs__", ()):
                        if name not in references and name != "__dict__":
                            value = getattr(node, name, None)
                            if isinstance(value, nodes.Node | list | tuple):
                                waiting.append(value)

        for path in files.paths:
            state = by_path.get(path)
            if state is not None and state.tree is not None:
                walk(state.tree, path)


def _defining(files: Files, old: str) -> set[str]:
    found = set()
    for name, path in files.modules.items():
        for node in ast.walk(files.tree[path]):
            if isinstance(node, ast.ClassDef):
                for one in node.body:
                    target = one.target if isinstance(one, ast.AnnAssign) else None
                    if (isinstance(one, ast.FunctionDef) and one.name == old) or (
                        isinstance(target, ast.Name) and target.id == old
                    ):
                        found.add(f"{name}.{node.name}")
    return found


def rename_member(files: Files, index: Index, row: dict) -> None:
    old, new = row["old"], row["new"]
    kind = row["where"]
    if row["where"] == "*":
        # Every class of the library that defines it, those with a row of their own left out.
        fulls = {one for one in _defining(files, old) if one not in row.get("except", ())}
    else:
        fulls = {one.replace(":", ".") for one in row["where"].split("+")}
    for full in fulls - index.supers.keys():
        files.reports.append(f"no class {full} for .{old}")
    family = {one for one, bases in index.supers.items() if fulls & bases}
    for path, line, column, name, found in index.members:
        if name == old and found & family:
            text = files.lines[path][line - 1]
            place = files.column(path, line, column) - len(old)
            if text[place : place + len(old)] == old:
                files.edit(path, line, place, old, new, characters=True)
            else:
                files.reports.append(
                    f"{path.relative_to(files.root)}:{line}: .{old} was not found where mypy has it"
                )
        elif name == old and not found:
            files.reports.append(f"{path.relative_to(files.root)}:{line}: .{old} of something without a type")
    _keywords(files, index, old, new, family)
    for path in files.paths:
        for node in ast.walk(files.tree[path]):
            if isinstance(node, ast.ClassDef) and f"{files.name[path]}.{node.name}" in family:
                for one in node.body:
                    if isinstance(one, ast.FunctionDef) and one.name == old:
                        text = files.lines[path][one.lineno - 1]
                        place = re.search(rf"\bdef\s+({re.escape(old)})\b", text).start(1)
                        files.edit(path, one.lineno, place, old, new, characters=True)
                    targets = (
                        [one.target]
                        if isinstance(one, ast.AnnAssign)
                        else one.targets
                        if isinstance(one, ast.Assign)
                        else []
                    )
                    for target in targets:
                        for leaf in ast.walk(target):
                            if isinstance(leaf, ast.Name) and leaf.id == old:
                                files.edit(path, leaf.lineno, leaf.col_offset, old, new)
                _doc_parameter(files, path, node, old, new)
            if isinstance(node, ast.Constant) and node.value == old and path.parts[-2] != "nets":
                files.reports.append(
                    f"{path.relative_to(files.root)}:{node.lineno}: the string {old!r} may mean .{old} of {kind}"
                )


def _keywords(files: Files, index: Index, old: str, new: str, called: set[str]) -> None:
    for path, line, column, call_line, _, name, found in index.keywords:
        if name != old or not found & called:
            continue
        # `name=` stands before the argument, on its line or the one above.
        text = files.lines[path][line - 1][: files.column(path, line, column)]
        match = re.search(rf"(?<![\w.]){re.escape(old)}\s*=\s*\(*$", text)
        if match:
            files.edit(path, line, match.start(), old, new, characters=True)
        else:
            near = [
                (number, hit.start())
                for number in range(call_line, line + 1)
                for hit in re.finditer(rf"(?<![\w.]){re.escape(old)}\s*=(?!=)", files.lines[path][number - 1])
            ]
            if len(near) == 1:
                files.edit(path, near[0][0], near[0][1], old, new, characters=True)
            else:
                files.reports.append(f"{path.relative_to(files.root)}:{line}: keyword {old}= was not found")


def rename_param(files: Files, index: Index, row: dict) -> None:
    module, _, what = row["where"].partition(":")
    old, new = row["old"], row["new"]
    kind, _, method = what.partition(".") if "." in what else ("", "", what)
    full = f"{module}.{kind}" if kind else ""
    names = {f"{module}.{what}"}
    if kind:
        names |= {f"{one}.{method}" for one, bases in index.supers.items() if full in bases}
        if method == "__init__":
            names |= {one for one, bases in index.supers.items() if full in bases}
    _keywords(files, index, old, new, names)
    done = False
    for path in files.paths:
        for owner in [
            files.tree[path],
            *(one for one in ast.walk(files.tree[path]) if isinstance(one, ast.ClassDef)),
        ]:
            prefix = files.name[path] + (f".{owner.name}" if isinstance(owner, ast.ClassDef) else "")
            for node in owner.body:
                if (
                    isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
                    and f"{prefix}.{node.name}" in names
                ):
                    done |= _parameter(files, path, node, old, new)
    if not done:
        files.reports.append(f"{row['where']} has no parameter {old}")


def _parameter(files: Files, path: Path, node, old: str, new: str) -> bool:
    arguments = [
        *node.args.posonlyargs,
        *node.args.args,
        *node.args.kwonlyargs,
        *filter(None, (node.args.vararg, node.args.kwarg)),
    ]
    mine = [one for one in arguments if one.arg == old]
    for one in mine:
        files.edit(path, one.lineno, one.col_offset, old, new)
    if mine:
        for use in local_uses(node, old):
            files.edit(path, use.lineno, use.col_offset, old, new)
        _doc_parameter(files, path, node, old, new)
    return bool(mine)


def local_uses(function, name: str) -> list[ast.Name]:
    """Uses inside a function that binds a name, functions in it that bind it again left out."""
    body = ast.Module(body=function.body, type_ignores=[])
    found = []
    waiting: list[ast.AST] = [body]
    while waiting:
        node = waiting.pop()
        if isinstance(node, ast.Name) and node.id == name:
            found.append(node)
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda) and name in {
            one.arg for one in [*node.args.args, *node.args.kwonlyargs, *node.args.posonlyargs]
        }:
            waiting += [*node.args.defaults, *filter(None, node.args.kw_defaults)]
            continue
        waiting += list(ast.iter_child_nodes(node))
    return found


def _doc_parameter(files: Files, path: Path, node, old: str, new: str) -> None:
    """The parameter in a numpydoc section, and in backticks."""
    first = node.body[0] if node.body else None
    if not (
        isinstance(first, ast.Expr)
        and isinstance(first.value, ast.Constant)
        and isinstance(first.value.value, str)
    ):
        return
    for line in range(first.lineno, (first.end_lineno or first.lineno) + 1):
        text = files.lines[path][line - 1]
        listed = re.match(rf"\s*(?:\w+, )*({re.escape(old)})(?:, \w+)*\s*(?::.*)?$", text)
        if listed:
            files.edit(path, line, listed.start(1), old, new, characters=True)
        for match in re.finditer(rf"`({re.escape(old)})(?=[`=(.\[])", text):
            files.edit(path, line, match.start(1), old, new, characters=True)


def rename_local(files: Files, row: dict) -> None:
    old, new = row["old"], row["new"]
    for path in files.paths:
        relative = str(path.relative_to(files.root))
        if not any(
            fnmatch.fnmatch(files.name[path], one) or fnmatch.fnmatch(relative, one)
            for one in row["where"].split()
        ):
            continue
        for node in ast.walk(files.tree[path]):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                parameters = {
                    one.arg for one in [*node.args.args, *node.args.kwonlyargs, *node.args.posonlyargs]
                }
                if old in _stored(list(node.body)) and old not in parameters:
                    if new in bound_in(node) or any(
                        isinstance(one, ast.Name) and one.id == new for one in ast.walk(node)
                    ):
                        files.reports.append(
                            f"{relative}:{node.lineno}: {new} is used in {node.name} already; {old} stays"
                        )
                        continue
                    for use in local_uses(node, old):
                        files.edit(path, use.lineno, use.col_offset, old, new)


# Everything together ---------------------------------------------------------------------------------------------


def apply(root: Path, rows: list[dict]) -> list[str]:
    files = Files(root)
    index = Index(files) if any(row["kind"] in ("member", "param") for row in rows) else None
    for row in rows:
        if row["where"] == "*":
            row["except"] = {
                place.replace(":", ".")
                for other in rows
                if other is not row
                and other["kind"] == "member"
                and other["old"] == row["old"]
                and other["where"] != "*"
                for place in other["where"].split("+")
            }
    for row in rows:
        if row["kind"] == "name":
            rename_name(files, row)
            if index:
                target = f"{row['where']}.{row['old']}"
                for path, line, column, name, found in index.members:
                    if name == row["old"] and row["where"] in found and target:
                        place = files.column(path, line, column) - len(name)
                        files.edit(path, line, place, name, row["new"], characters=True)
        elif row["kind"] == "member":
            rename_member(files, index, row)
        elif row["kind"] == "param":
            rename_param(files, index, row)
        elif row["kind"] == "local":
            rename_local(files, row)
    _planted(files)
    for path, edits in files.edits.items():
        lines = files.text[path].split("\n")
        seen = set()
        for line, column, old, new in sorted(edits, reverse=True):
            if (line, column) in seen:
                files.reports.append(f"{path}:{line}: two renames at one place ({old})")
                continue
            seen.add((line, column))
            text = lines[line - 1]
            assert text[column : column + len(old)] == old
            lines[line - 1] = text[:column] + new + text[column + len(old) :]
        path.write_text("\n".join(lines), "utf-8")
    _prose(files, rows)
    return files.reports


def _planted(files: Files) -> None:
    """Planted errors follow the text that they are planted in."""
    for toml in sorted((files.root / "mutants" / "planted").glob("*.toml")):
        text = toml.read_text("utf-8")
        for row in tomllib.loads(text)["planted"]:
            path = files.root / "src" / row["file"]
            if path not in files.edits:
                continue
            source = files.text[path]
            start = source.find(row["old"])
            if start < 0:
                files.reports.append(f"{toml.name}: {row['name']} does not fit {row['file']}")
                continue
            starts = [0]
            for line in source.split("\n"):
                starts.append(starts[-1] + len(line) + 1)
            inside = sorted(
                (
                    (starts[line - 1] + column, old, new)
                    for line, column, old, new in files.edits[path]
                    if start <= starts[line - 1] + column < start + len(row["old"])
                ),
                reverse=True,
            )
            if not inside:
                continue
            fresh, other = row["old"], row["new"]
            for place, old, new in inside:
                fresh = fresh[: place - start] + new + fresh[place - start + len(old) :]
            for old, new in {(old, new) for _, old, new in inside}:
                other = re.sub(rf"(?<!\w){re.escape(old)}(?!\w)", new, other)
            for before, after in ((row["old"], fresh), (row["new"], other)):
                if before != after:
                    if text.count(before) < 1:
                        files.reports.append(f"{toml.name}: {row['name']}: write {after!r} by hand")
                    else:
                        # Within this row only.
                        place = text.index(f'name = "{row["name"]}"')
                        spot = text.find(before, place)
                        text = text[:spot] + after + text[spot + len(before) :]
        toml.write_text(text, "utf-8")


def _prose(files: Files, rows: list[dict]) -> None:
    """Docs: dotted names that resolve to what is renamed; names in backticks and code where no other has them."""
    root = files.root
    twice = defaultdict(set)
    for name, path in files.modules.items():
        for node in files.tree[path].body:
            for one in moves.top_names(node):
                twice[one].add(name)
    for path in moves.tracked(root):
        if path.suffix != ".md":
            continue
        text = before = path.read_text("utf-8")
        for row in rows:
            if row["kind"] != "name":
                continue
            old, new, where = row["old"], row["new"], row["where"]

            def dotted_(match, old=old, new=new, where=where):
                return f"{match[1]}.{new}" if files.resolve(match[1], old) == (where, old) else match[0]

            text = re.sub(rf"(?<![\w.])(ngrc(?:\.\w+)*)\.{re.escape(old)}(?!\w)", dotted_, text)
            if len(twice[old]) == 1:
                name = re.escape(old)
                if _unmistakable(old):
                    text = re.sub(rf"(?<![\w/.-]){name}(?![\w-])", new, text)
                else:
                    text = re.sub(
                        rf"(?<=`){name}(?=[`(.])|(?<![\w.`]){name}(?=\()|(?<=import ){name}(?=\s)", new, text
                    )
            elif re.search(rf"`{re.escape(old)}\b", text):
                files.reports.append(f"{path.relative_to(root)}: `{old}` may mean {where}:{old}; look")
        if text != before:
            path.write_text(text, "utf-8")
