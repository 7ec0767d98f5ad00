"""The identity of a forecast's target: a whole number counted from zero, or the user's own time.

Any values will do that increase strictly and can be compared: numbers, `datetime`, `numpy.datetime64`. All targets
of a stream are of one kind, so that an index is never taken for a time.
"""

from numbers import Real
from typing import Any, TypeAlias

import numpy as np

Target: TypeAlias = Any
"""Whatever the user counts or names targets by; `check_target` says what may come."""


def check_target(target: Target, like: Target | None = None) -> Target:
    """Return a target that can be ordered and, where another one is given, is of the same kind.

    Examples
    --------
    >>> check_target(3, like=1)
    3
    """
    # True and False are whole numbers in Python, and never meant as the index of a target.
    if target is None or isinstance(target, bool | np.bool_) or not _lasting(target):
        raise ValueError(f"a target must be a number or a time, got {target!r}; give its index or its time")
    if like is not None and _kind(target) is not _kind(like):
        raise ValueError(
            f"targets must all be of one kind: this stream's are like {like!r}, got {target!r}; name it in the same way"
        )
    return target


def is_later(target: Target, other: Target) -> bool:
    """Whether a target comes after another of its kind."""
    try:
        return bool(target > other)
    except (TypeError, ValueError) as error:
        raise ValueError(
            f"targets must have an order, got {target!r} beside {other!r} ({error}); use numbers or times of one kind"
        ) from None


def _kind(target: Target) -> type:
    """Whole numbers and fractions are one kind; everything else is its own type."""
    # One type for all times would let a date pass beside a moment, which cannot be compared with it.
    return Real if isinstance(target, Real) else type(target)


def _lasting(target: Target) -> bool:
    """False for NaN and NaT, for arrays, and for what can be changed after it was given, such as a list."""
    try:
        # By Python's convention what has a hash keeps its value.
        hash(target)
        return bool(target == target)
    except (TypeError, ValueError):
        return False
