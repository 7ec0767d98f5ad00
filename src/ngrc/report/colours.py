"""One colour and dash per method, told apart by the colour-blind, on light and on dark ground."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass

# Okabe and Ito's palette, the colours that figures give the same methods; where one vanishes on its ground, a
# neighbour of it.
_KNOWN = {
    "bayes": ("#0072b2", "#56a8e0"),
    "split": ("#b87a00", "#e69f00"),
    "asymmetric": ("#1d1d1f", "#e8e8ea"),
    "rolling": ("#2b8cc4", "#8fd0f5"),
    "gaussian": ("#6e6e73", "#a8a8ad"),
    "adaptive": ("#c04e00", "#ff8a3d"),
    "weighted": ("#007a59", "#2fc79c"),
    "rescp": ("#b1568c", "#e39bc5"),
    "auto": ("#5d3a9b", "#b69ae8"),
}
_OTHERS = (("#8a5a00", "#d9b44a"), ("#005f73", "#6fd3e0"), ("#9b2226", "#f28b82"), ("#4f6d1c", "#b4d66b"))
_DASHES = ("solid", "dash", "dot", "dashdot", "longdash", "longdashdot")
_SYMBOLS = ("circle", "square", "diamond", "cross", "x", "triangle-up", "triangle-down", "star", "hexagon")


@dataclass(frozen=True, slots=True)
class Look:
    """How one method is drawn."""

    light: str
    dark: str
    dash: str
    symbol: str


def looks(methods: Sequence[str]) -> dict[str, Look]:
    """A look per method; no two of the first fifty-four share dash and symbol.

    Examples
    --------
    >>> looks(["auto", "scaled"])["auto"].dash
    'solid'
    """
    others = [name for name in methods if name not in _KNOWN]
    drawn = {}
    for place, name in enumerate(methods):
        light, dark = _KNOWN.get(name) or _OTHERS[others.index(name) % len(_OTHERS)]
        drawn[name] = Look(light, dark, _DASHES[place % len(_DASHES)], _SYMBOLS[place % len(_SYMBOLS)])
    return drawn


def looked(methods: Sequence[str]) -> list[dict[str, str]]:
    """Methods with their looks, in order, ready for JSON."""
    return [{"name": name, **asdict(look)} for name, look in looks(methods).items()]
