"""What is public: names with their signatures, and commands with their options, as lines of text."""

import importlib
import inspect
import pkgutil
import re
from dataclasses import fields, is_dataclass
from pathlib import Path
from typing import Any

import click

import ngrc
from ngrc.cli import COMMANDS, cli

API = Path(__file__).parents[2] / "docs" / "api.md"
DOCUMENTED = re.compile(r"^\.\. auto(?:class|function|data|method)::\s+([\w.]+)", re.MULTILINE)


def public_modules() -> dict[str, list[str]]:
    """Names of `__all__`, by package, `ngrc` first; packages and modules that begin with an underscore are left out."""
    found = {"ngrc": sorted(ngrc.__all__)}
    for module in pkgutil.walk_packages(ngrc.__path__, "ngrc."):
        if not module.ispkg or any(part.startswith("_") for part in module.name.split(".")):
            continue
        names = getattr(importlib.import_module(module.name), "__all__", None)
        if names:
            found[module.name] = sorted(names)
    return found


def documented() -> list[tuple[str, str]]:
    """Module and name of everything that docs/api.md documents below a module without `__all__`."""
    return [
        (one.rpartition(".")[0], one.rpartition(".")[2]) for one in DOCUMENTED.findall(API.read_text("utf-8"))
    ]


def signature(value: Any) -> str:
    """Parameters and defaults, without annotations."""
    try:
        found = inspect.signature(value)
    except (TypeError, ValueError):
        return "(...)"
    bare = [one.replace(annotation=inspect.Parameter.empty) for one in found.parameters.values()]
    text = str(found.replace(parameters=bare, return_annotation=inspect.Signature.empty))
    return re.sub(r" at 0x[0-9a-f]+", "", text)


def members(kind: type[Any]) -> dict[str, str]:
    """Public attributes that our own classes give: fields, properties, methods."""
    found: dict[str, str] = {}
    for base in reversed(kind.__mro__):
        if not base.__module__.startswith("ngrc"):
            continue
        for name in inspect.get_annotations(base):
            found[name] = "attribute"
        for name, value in vars(base).items():
            if isinstance(value, property):
                found[name] = "property"
            elif isinstance(value, classmethod | staticmethod):
                found[name] = type(value).__name__ + signature(value.__func__)
            elif inspect.isfunction(value):
                found[name] = "method" + signature(value)
            elif name not in found:
                found[name] = "attribute"
    if is_dataclass(kind):
        found |= {field.name: "field" for field in fields(kind)}
    return {name: found[name] for name in sorted(found) if not name.startswith("_")}


def described(name: str, value: Any) -> list[str]:
    """One line for a name, and one for every public member of a class."""
    if inspect.isclass(value):
        inner = [f"    .{member}: {kind}" for member, kind in members(value).items()]
        return [f"  class {name}{signature(value)}", *inner]
    if inspect.ismodule(value):
        return [f"  module {name}"]
    if callable(value):
        return [f"  function {name}{signature(value)}"]
    return [f"  {type(value).__name__} {name}"]


def names() -> str:
    """Every public name."""
    lines, seen = [], set[tuple[str, str]]()
    listed = public_modules()
    for module, name in documented():
        if name not in listed.get(module, ()) and inspect.ismodule(_imported(module)):
            listed.setdefault(module, []).append(name)
    for module in sorted(listed):
        lines.append(module)
        for name in sorted(set(listed[module])):
            value = getattr(_imported(module), name)
            home = (getattr(value, "__module__", ""), getattr(value, "__qualname__", ""))
            # A class that several packages offer is written out once.
            if inspect.isclass(value) and home in seen:
                lines.append(f"  class {name}: as above")
                continue
            seen.add(home)
            lines += described(name, value)
    return "\n".join(lines) + "\n"


def _imported(module: str) -> Any:
    try:
        return importlib.import_module(module)
    except ImportError:
        return None


def commands() -> str:
    """Every command with its arguments and options: spelling, kind, default."""
    lines = []
    with click.Context(cli) as context:
        for name in COMMANDS:
            command = cli.get_command(context, name)
            assert command is not None
            parts = {f"{name} {key}": one for key, one in getattr(command, "commands", {}).items()} or {
                name: command
            }
            for title, one in parts.items():
                lines.append(title)
                lines += [f"  {_option(option)}" for option in one.params]
    return "\n".join(lines) + "\n"


def _option(option: click.Parameter) -> str:
    kind = option.type
    choices = getattr(kind, "choices", None)
    shown = "|".join(map(str, choices)) if choices else getattr(kind, "name", type(kind).__name__)
    default = option.default if not callable(option.default) else "computed"
    shape = " flag" if getattr(option, "is_flag", False) else ""
    several = " multiple" if getattr(option, "multiple", False) or option.nargs != 1 else ""
    shown_default = "none" if default is None or "UNSET" in str(default).upper() else repr(default)
    spelling = ", ".join([*option.opts, *option.secondary_opts])
    return f"{spelling}: {shown}{shape}{several} = {shown_default}"
