"""Words shared by the errors and notes of this room."""

from collections.abc import Callable, Iterable, Sequence
from difflib import get_close_matches
from typing import Any, TypeAlias

import numpy as np

Where: TypeAlias = Callable[[int], str]
"""Names the place of a row (counted from 0) for a person."""

# As many names as fit on one line of a terminal, and as much of a token.
_MOST_NAMES = 8
_MOST_CHARACTERS = 60
# Of a line that another library wrote.
_MOST_OF_ANOTHER = 80
# An error that names what a file holds stays readable: the beginning says what came, the end what to do.
_MOST_OF_A_LINE, _END_OF_A_LINE = 480, 160


def array_row(row: int) -> str:
    """Name a row of an array or frame."""
    return f"row {row + 1} (counting from 1)"


def plural(count: int, noun: str) -> str:
    """Write a count with its noun.

    Examples
    --------
    >>> plural(1, "row"), plural(3, "row")
    ('1 row', '3 rows')
    """
    return f"{count} {noun}" if count == 1 else f"{count} {noun}s"


def listed(names: Sequence[Any]) -> str:
    """List names in quotes, the first few where there are many."""
    text = ", ".join(excerpt(name) if isinstance(name, str) else repr(name) for name in names[:_MOST_NAMES])
    return text if len(names) <= _MOST_NAMES else f"{text} and {len(names) - _MOST_NAMES} more"


def one_line(text: str) -> str:
    r"""Text on one line of signs that a terminal shows: what would steer it, or turn its direction, stands as its code.

    Examples
    --------
    >>> one_line("a\n  b \u202e\x1b[31m")
    'a b \\u202e\\x1b[31m'
    """
    text = " ".join(text.split())
    return (
        text
        if text.isprintable()
        else "".join(sign if sign.isprintable() else repr(sign)[1:-1] for sign in text)
    )


def within_a_line(text: str) -> str:
    """`one_line` of a text, without its middle where it would fill the screen."""
    text = one_line(text)
    if len(text) <= _MOST_OF_A_LINE:
        return text
    return f"{text[: _MOST_OF_A_LINE - _END_OF_A_LINE - 5]} ... {text[-_END_OF_A_LINE:]}"


def shortly(error: BaseException) -> str:
    """The first line of another library's error, as much of it as fits into a sentence of ours."""
    line = one_line(next(iter(str(error).splitlines()), "")) or type(error).__name__
    return line if len(line) <= _MOST_OF_ANOTHER else f"{line[:_MOST_OF_ANOTHER].rstrip()}..."


def excerpt(token: Any) -> str:
    """Quote a token of the user's file, shortened where it would not fit on a line.

    Examples
    --------
    >>> excerpt("12x")
    "'12x'"
    """
    text = str(token)
    if len(text) <= _MOST_CHARACTERS:
        return repr(text)
    return f"{text[:_MOST_CHARACTERS]!r}... ({len(text):,} characters)"


def closest(name: str, names: Iterable[Any]) -> str:
    """Return '; did you mean ...?' for the name most like `name`, or nothing."""
    lowered = {str(candidate).lower(): str(candidate) for candidate in names}
    match = get_close_matches(name.lower(), lowered, n=1)
    return f"; did you mean {lowered[match[0]]!r}?" if match else ""


def shown_time(time: Any) -> str:
    """Write a time without the parts that say nothing."""
    if isinstance(time, np.datetime64):
        return str(np.datetime_as_string(time, unit="auto")).replace("T", " ")
    return f"{time:g}" if isinstance(time, np.floating) else str(time)
