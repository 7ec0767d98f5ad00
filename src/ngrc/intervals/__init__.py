"""Interval methods: residuals in, offsets around any forecast out. One method per file, one contract."""

from dataclasses import fields
from typing import Any

from ngrc.intervals.adaptive import Adaptive
from ngrc.intervals.asymmetric import Asymmetric
from ngrc.intervals.auto.method import Auto
from ngrc.intervals.base import History, IntervalMethod, Offsets, Stream, Tracker
from ngrc.intervals.bayes import Bayes
from ngrc.intervals.gaussian import Gaussian
from ngrc.intervals.quantile import Quantile
from ngrc.intervals.rescp.method import ResCP
from ngrc.intervals.rolling import Rolling
from ngrc.intervals.scaled import Scaled
from ngrc.intervals.split import Split
from ngrc.intervals.student import Student
from ngrc.intervals.weighted import Weighted

__all__ = [
    "METHODS",
    "Adaptive",
    "Asymmetric",
    "Auto",
    "Bayes",
    "Gaussian",
    "History",
    "IntervalMethod",
    "Offsets",
    "Quantile",
    "ResCP",
    "Rolling",
    "Scaled",
    "Split",
    "Stream",
    "Student",
    "Tracker",
    "Weighted",
    "make_method",
]

# From the fixed to the adaptive, which is the order of tables and help texts.
METHODS: dict[str, type[IntervalMethod]] = {
    method.name: method
    for method in (
        Bayes,
        Split,
        Asymmetric,
        Rolling,
        Gaussian,
        Student,
        Adaptive,
        Weighted,
        ResCP,
        Scaled,
        Quantile,
        Auto,
    )
}


def make_method(name: str, **parameters: Any) -> IntervalMethod:
    """The method of that name, with parameters of its constructor.

    Examples
    --------
    >>> make_method("rolling", window=50)
    Rolling(window=50)
    """
    if name not in METHODS:
        raise ValueError(f"unknown interval method {name!r}; choose from {', '.join(METHODS)}")
    method = METHODS[name]
    allowed = [field.name for field in fields(method) if field.init]  # type: ignore[arg-type]
    unknown = [key for key in parameters if key not in allowed]
    if unknown:
        raise ValueError(f"{name} has no parameter {unknown[0]!r}; it takes {', '.join(allowed) or 'none'}")
    return method(**parameters)
