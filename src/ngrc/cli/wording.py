"""Remedies in the words of the command line: `--period 24`, where Python says `periods=(24,)`."""

import re

OPTIONS = {
    "lags": "--lags",
    "spacing": "--spacing",
    "degree": "--degree",
    "product_lags": "--product-lags",
    "periods": "--period",
    "harmonics": "--harmonics",
    "seasonal": "--seasonal",
    "clock_lags": "--clock-lags",
    "calendar": "--calendar",
    "holidays": "--holidays",
    "target": "--difference",
    "clip": "--clip",
    "transform": "--transform",
    "lower": "--lower",
    "upper": "--upper",
    "refit_every": "--refit-every",
    "window": "--window",
    "known": "--known",
    "exog": "--exog",
    "method": "--method",
    "horizon": "--horizon",
    "level": "--level",
    "steps": "--horizon",
}
"""Options of the command line by the argument that they stand for."""

# An argument with its value: a tuple, a text, a number, or nothing, as in "holidays=".
_ARGUMENT = re.compile(
    rf"\b(?P<name>{'|'.join(OPTIONS)})="
    r"(?:\((?P<items>[^()]*)\)|\"(?P<text>[^\"]*)\"|(?P<number>-?\d+(?:\.\d+)?(?:e[+-]?\d+)?))?"
)


def as_typed(text: str) -> str:
    """The text with every argument as the option that one types.

    Examples
    --------
    >>> as_typed('target="seasonal" with periods=(24,), or lags=24')
    '--difference seasonal with --period 24, or --lags 24'
    >>> as_typed("a column that knows of them (holidays=, known=)")
    'a column that knows of them (--holidays, --known)'
    >>> as_typed("a smaller penalty (ridge=)")
    'a smaller penalty (ridge= in Python)'
    """
    typed = _ARGUMENT.sub(_option, text)
    # The penalty has no option: it is chosen by validation, and only Python names one.
    return re.sub(r"\bridge=(\w*)", r"ridge=\1 in Python", typed)


def _option(match: re.Match[str]) -> str:
    items, text, number = match["items"], match["text"], match["number"]
    value = text or number or ""
    if items is not None:
        value = ",".join(part.strip().strip("\"'") for part in items.split(",") if part.strip())
    return f"{OPTIONS[match['name']]} {value}".rstrip()
