"""Values of a record as plain ones, ready for JSON."""

from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from math import isfinite
from typing import Any

import numpy as np


def plain(value: Any) -> Any:
    """Dataclasses as mappings, arrays and tuples as lists; a number that does not exist is None.

    Examples
    --------
    >>> plain({"a": np.array([1.0, np.nan]), 2: (True, "b")})
    {'a': [1.0, None], '2': [True, 'b']}
    """
    if is_dataclass(value) and not isinstance(value, type):
        return {field.name: plain(getattr(value, field.name)) for field in fields(value)}
    if isinstance(value, Mapping):
        return {key if isinstance(key, str) else f"{key:.10g}": plain(one) for key, one in value.items()}
    if isinstance(value, np.ndarray):
        return [plain(one) for one in value.tolist()]
    if isinstance(value, list | tuple | frozenset):
        return [plain(one) for one in value]
    if isinstance(value, np.generic):
        return plain(value.item())
    if isinstance(value, float):
        return value if isfinite(value) else None
    if value is None or isinstance(value, str | int):
        return value
    return str(value)
