"""The future of a series: a forecast and an interval for each of the coming steps."""

from ngrc.ahead.continuation import Continuation, load_continuation
from ngrc.ahead.entry import look_ahead, look_ahead_together
from ngrc.ahead.outlook import Outlook
from ngrc.ahead.paths import PathForecaster

__all__ = [
    "Continuation",
    "Outlook",
    "PathForecaster",
    "load_continuation",
    "look_ahead",
    "look_ahead_together",
]
