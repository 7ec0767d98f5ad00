"""Sequences of numbers that name different columns."""

from collections.abc import Iterable, Sequence

from ngrc.validation import check_positive


def check_distinct(values: Sequence[float], name: str) -> tuple[float, ...]:
    """Return finite positive values that name different columns.

    Examples
    --------
    >>> check_distinct([24, 168], "periods")
    (24.0, 168.0)
    """
    if not isinstance(values, Iterable):
        raise ValueError(f"{name} must be a sequence of numbers, got {values!r}; write ({values!r},)")
    checked = tuple(check_positive(value, f"each value of {name}") for value in values)
    if len(set(checked)) < len(checked):
        raise ValueError(f"{name} must all differ, got {checked}")
    return checked


def check_periods(values: Sequence[float]) -> tuple[float, ...]:
    """Return distinct periods of at least two steps."""
    periods = check_distinct(values, "periods")
    # Sampled once per step, a shorter wave takes exactly the values of a longer one.
    if any(period < 2.0 for period in periods):
        raise ValueError(
            f"a period must be at least 2 steps, got {min(periods):g}; give it in observations, not in hours or days"
        )
    return periods
