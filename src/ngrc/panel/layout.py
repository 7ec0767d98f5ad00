"""Which columns of a long frame are the id of a series, the time, the value, and what stands beside it."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import narwhals as nw

from ngrc.series.wording import closest, listed


@dataclass(frozen=True, slots=True)
class Layout:
    """Names of the columns of a long frame, one row per series and time.

    Parameters
    ----------
    id, time, target
        Which series a row belongs to, when it was observed, and what.
    exog
        Columns beside the target that are observed with it: forecasts read them through their origin.
    known
        Columns that are known ahead, such as a calendar or a plan.

    Examples
    --------
    >>> Layout().names
    ('unique_id', 'ds', 'y')
    """

    id: str = "unique_id"
    time: str = "ds"
    target: str = "y"
    exog: tuple[str, ...] = ()
    known: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        columns: tuple[tuple[str, Any], ...] = (("exog", self.exog), ("known", self.known))
        for option, names in columns:
            if isinstance(names, str):
                raise ValueError(
                    f"{option} must be a sequence of column names, got {names!r}; write ({names!r},)"
                )
            # The only way to set a field of a frozen dataclass: lists come in, and a task is compared as a value.
            object.__setattr__(self, option, tuple(names))
        twice = [name for place, name in enumerate(self.names) if name in self.names[:place]]
        if twice:
            raise ValueError(f"column {twice[0]!r} is given two parts to play; name each column once")

    @property
    def beside(self) -> tuple[str, ...]:
        """Columns beside the target, those that are known ahead last."""
        return self.exog + self.known

    @property
    def names(self) -> tuple[str, ...]:
        """Every column that is read."""
        return (self.id, self.time, self.target, *self.beside)


def long_frame(
    data: Any, names: Iterable[str], what: str = "df", *, all_columns: bool = False
) -> "nw.DataFrame[Any]":
    """A frame with the named columns, taken from a pandas index where they are its levels.

    Parameters
    ----------
    data
        A pandas, polars or Arrow table.
    names
        Columns that are needed.
    what
        The argument, for errors.
    all_columns
        Whether all others are kept as well.
    """
    frame = nw.from_native(data, eager_only=True, pass_through=True)
    if not isinstance(frame, nw.DataFrame):
        remedy = "call .collect() first" if hasattr(data, "collect") else "one row per series and time"
        raise ValueError(f"{what} must be a pandas or polars frame, got a {type(data).__name__}; {remedy}")
    wanted = tuple(names)
    index = nw.maybe_get_index(frame)
    if index is not None and any(name in index.names and name not in frame.columns for name in wanted):
        frame = nw.from_native(frame.to_native().reset_index(), eager_only=True)
    missing = [name for name in wanted if name not in frame.columns]
    if missing:
        hint = closest(missing[0], frame.columns)
        raise ValueError(
            f"{what} has no column {missing[0]!r}, it has {listed(list(frame.columns))}; name yours with id_col=, "
            f"time_col= and target_col={hint}"
        )
    chosen: nw.DataFrame[Any] = frame if all_columns else frame.select(*wanted)
    return chosen


def known_ahead(known: Sequence[str] | None, future: Any, id_col: str, time_col: str) -> Sequence[str]:
    """The columns that are known ahead: those that were named, else all that the frame of the future holds."""
    if known is not None or future is None:
        return () if known is None else known
    frame = long_frame(future, (id_col, time_col), "X_df", all_columns=True)
    return tuple(name for name in frame.columns if name not in (id_col, time_col))


def layout_of(id_col: str, time_col: str, target_col: str, exog: Any, known: Any) -> Layout:
    """A layout of what a user gives, checked by the layout itself."""
    return Layout(id_col, time_col, target_col, exog, known)


def tuple_of(value: Any) -> tuple[Any, ...]:
    """One value or several as a tuple; a text is one, for the check that says what is wrong."""
    return tuple(value) if isinstance(value, Iterable) and not isinstance(value, str) else (value,)
