"""How series are told apart: by colour, marker and line at once, so that a grey print loses none of them."""

from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

from ngrc.plot.style import COLOURS, LINES


class Look(NamedTuple):
    """How one series is drawn."""

    color: str
    marker: str
    linestyle: Any


LOOKS = (
    Look("#0072B2", "o", "-"),
    Look("#D55E00", "s", "--"),
    Look("#009E73", "^", "-."),
    Look("#CC79A7", "D", ":"),
    Look("#E69F00", "v", "-"),
    Look("#56B4E9", "P", "--"),
    Look("#000000", "X", "-."),
)
"""Okabe and Ito's palette, with a marker and a line each that survive a grey print."""

# The paper's eight and `auto` have a colour each; the others share it with one that they are not often drawn beside,
# and have a marker and a dash of their own.
_SHARED = {
    "student": ("gaussian", "$t$", (0, (2, 2))),
    "unprojected": ("adaptive", "<", (0, (4, 1, 1, 1, 1, 1))),
    "pid": ("weighted", ">", (0, (6, 2))),
    "dtaci": ("bayes", "p", (0, (2, 1))),
    "saocp": ("rescp", "8", (0, (7, 2, 2, 2))),
    "nexcp": ("split", "d", (0, (1, 2))),
    "scaled": ("rolling", "H", (0, (4, 2))),
    "quantile": ("asymmetric", "$q$", (0, (9, 2))),
}
METHOD_LOOKS: dict[str, Look] = {
    name: Look(COLOURS[name], marker, LINES[name]) for name, marker in zip(COLOURS, "osX^hDvP*", strict=True)
} | {name: Look(COLOURS[other], marker, line) for name, (other, marker, line) in _SHARED.items()}
"""One look per interval method, the same in every figure."""


def looks_of(names: Iterable[str], looks: Mapping[str, Look] | None = None) -> dict[str, Look]:
    """A look for every name: the given one, that of a method of the name, or the next of the palette.

    Examples
    --------
    >>> [look.color for look in looks_of(["adaptive", "mine"]).values()]
    ['#D55E00', '#0072B2']
    """
    known = {**METHOD_LOOKS, **(looks or {})}
    palette = iter(LOOKS * 10)
    return {name: known[name] if name in known else next(palette) for name in names}
