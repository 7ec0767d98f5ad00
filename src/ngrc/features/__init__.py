"""From a standardised series to named design columns."""

from ngrc.features.map import FeatureMap
from ngrc.features.rows import Rows
from ngrc.features.scaling import Scale

__all__ = ["FeatureMap", "Rows", "Scale"]
