"""Columns beside the series (to be replaced at the merge of the reader)."""

from typing import Any


def as_channels(exog: Any, **_: Any) -> Any:
    """Not read yet."""
    raise ValueError("exog is not read yet")


def times_of(y: Any) -> Any:
    """None: times are not read yet."""
    return None
