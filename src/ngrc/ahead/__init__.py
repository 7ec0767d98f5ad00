"""The future of a series: a forecast and an interval for each of the coming steps."""

from ngrc.ahead.entry import look_ahead, look_ahead_together
from ngrc.ahead.outlook import Outlook
from ngrc.ahead.paths import PathForecaster

__all__ = ["Outlook", "PathForecaster", "look_ahead", "look_ahead_together"]
