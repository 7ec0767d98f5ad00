"""A model and its intervals in service, one observation at a time."""

from ngrc.live.coming import Coming, Matured
from ngrc.live.forecaster import OnlineForecaster

__all__ = ["Coming", "Matured", "OnlineForecaster"]
