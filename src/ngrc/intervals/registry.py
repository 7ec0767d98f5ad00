"""Every interval method by its name."""

from dataclasses import fields
from typing import Any

from ngrc.intervals.adaptive import Adaptive
from ngrc.intervals.asymmetric import Asymmetric
from ngrc.intervals.auto.method import Auto
from ngrc.intervals.base import History, IntervalMethod, Offsets, Stream, Tracker
from ngrc.intervals.bayes import Bayes
from ngrc.intervals.dtaci import DtACI
from ngrc.intervals.gaussian import Gaussian
from ngrc.intervals.nexcp import NexCP
from ngrc.intervals.pid import PID
from ngrc.intervals.quantile import Quantile
from ngrc.intervals.rescp.method import ResCP
from ngrc.intervals.rolling import Rolling
from ngrc.intervals.saocp import SAOCP
from ngrc.intervals.scaled import Scaled
from ngrc.intervals.split import Split
from ngrc.intervals.student import Student
from ngrc.intervals.unprojected import Unprojected
from ngrc.intervals.weighted import Weighted

__all__ = [
    "METHODS",
    "PID",
    "SAOCP",
    "Adaptive",
    "Asymmetric",
    "Auto",
    "Bayes",
    "DtACI",
    "Gaussian",
    "History",
    "IntervalMethod",
    "NexCP",
    "Offsets",
    "Quantile",
    "ResCP",
    "Rolling",
    "Scaled",
    "Split",
    "Stream",
    "Student",
    "Tracker",
    "Unprojected",
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
        Unprojected,
        PID,
        DtACI,
        SAOCP,
        NexCP,
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
