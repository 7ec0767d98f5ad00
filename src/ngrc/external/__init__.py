"""Intervals around forecasts that came from elsewhere."""

from ngrc.external.entry import around
from ngrc.external.results import ExternalBand, ExternalIntervals

__all__ = ["ExternalBand", "ExternalIntervals", "around"]
