"""Periods a series may repeat itself with, each with its reason: from the spacing of its times and from its values."""

from ngrc.auto.periods.found import data_periods
from ngrc.auto.periods.period import Period
from ngrc.auto.periods.proposals import find_periods
from ngrc.auto.periods.spacing import spacing_periods

__all__ = ["Period", "data_periods", "find_periods", "spacing_periods"]
