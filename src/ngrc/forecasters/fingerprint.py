"""What a trained forecast depends on, as one hash: code, parameters, series, fit block and scale."""

import ast
import hashlib
import json
from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np

from ngrc._types import FloatArray
from ngrc.forecasters.base import Forecaster

PACKAGE = "ngrc.forecasters"
WITHOUT_EFFECT = ("progress",)
"""Parameters that change what is displayed and not what is computed."""


def fingerprint(
    forecaster: Forecaster, y: FloatArray, fit_end: int, first: int, scale: tuple[float, float] | None
) -> str:
    """Hexadecimal SHA-256 of everything that decides the forecasts.

    Examples
    --------
    >>> from ngrc.forecasters.naive import SeasonalNaive
    >>> a, b = (fingerprint(SeasonalNaive(p), np.zeros(9), 5, 0, None) for p in (1, 2))
    >>> len(a), a == b
    (64, False)
    """
    kind = type(forecaster)
    content = {
        "class": f"{kind.__module__}.{kind.__qualname__}",
        "parameters": {
            name: describe(value)
            for name, value in sorted(forecaster.get_params(deep=False).items())
            if name not in WITHOUT_EFFECT
        },
        "code": code_version(kind.__module__),
        # Little-endian bytes and hexadecimal floats: the same key on every machine, and no digit lost.
        "series": hashlib.sha256(np.ascontiguousarray(y, dtype="<f8").tobytes()).hexdigest(),
        "fit": [int(first), int(fit_end)],
        "scale": None if scale is None else [float(value).hex() for value in scale],
    }
    return hashlib.sha256(json.dumps(content, sort_keys=True).encode()).hexdigest()


def describe(value: Any) -> Any:
    """A parameter as plain JSON values that two runs agree on.

    Examples
    --------
    >>> describe((3, 1.5, None))
    [3, '0x1.8000000000000p+0', None]
    """
    if value is None or isinstance(value, bool | int | str):
        return value
    if isinstance(value, float | np.floating):
        return float(value).hex()
    if isinstance(value, np.integer):
        return int(value)
    if isinstance(value, list | tuple | np.ndarray):
        return [describe(item) for item in value]
    if isinstance(value, Mapping):
        return {str(key): describe(item) for key, item in sorted(value.items())}
    if is_dataclass(value) and not isinstance(value, type):
        return _object(value, {field.name: getattr(value, field.name) for field in fields(value)})
    if callable(getattr(value, "get_params", None)):
        return _object(value, value.get_params(deep=False))
    raise ValueError(
        f"a parameter of type {type(value).__name__} cannot be recognised in another run, so the forecasts "
        "cannot be cached; call fit and predict instead"
    )


def _object(value: Any, parameters: Mapping[str, Any]) -> dict[str, Any]:
    kind = type(value)
    return {"type": f"{kind.__module__}.{kind.__qualname__}", "parameters": describe(parameters)}


def code_version(module: str) -> str:
    """Hash of a module's code and the forecaster modules it imports, without comments and docstrings."""
    # Only this package's modules: a new PyTorch or NumPy is not followed, a new line of ours is.
    seen: dict[str, str] = {}
    waiting = [module]
    while waiting:
        name = waiting.pop()
        if name in seen:
            continue
        tree = _without_docstrings(ast.parse(_source(name)))
        seen[name] = ast.dump(tree)
        waiting += [imported for imported in _imports(tree) if imported.startswith(PACKAGE)]
    return hashlib.sha256(json.dumps(sorted(seen.items())).encode()).hexdigest()


def _source(module: str) -> str:
    spec = find_spec(module)
    origin = spec.origin if spec else getattr(import_module(module), "__file__", None)
    if not origin or not origin.endswith(".py"):
        raise ValueError(f"the source of {module} is not at hand, so its forecasts cannot be cached")
    return Path(origin).read_text(encoding="utf-8")


def _without_docstrings(tree: ast.Module) -> ast.Module:
    for node in ast.walk(tree):
        body = getattr(node, "body", None)
        if isinstance(body, list):
            node.body = [item for item in body if not _is_text(item)]  # type: ignore[attr-defined]
    return tree


def _is_text(node: ast.AST) -> bool:
    return (
        isinstance(node, ast.Expr)
        and isinstance(node.value, ast.Constant)
        and isinstance(node.value.value, str)
    )


def _imports(tree: ast.Module) -> list[str]:
    return [node.module for node in ast.walk(tree) if isinstance(node, ast.ImportFrom) and node.module]
