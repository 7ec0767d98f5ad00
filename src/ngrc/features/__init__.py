"""From a standardised series to named design columns."""

from ngrc.features.calendar import Calendar
from ngrc.features.clock import Clock
from ngrc.features.clock_products import ClockProducts
from ngrc.features.delays import Delays
from ngrc.features.group import Group
from ngrc.features.inputs import Inputs
from ngrc.features.known import Known
from ngrc.features.map import FeatureMap
from ngrc.features.memory import Memory
from ngrc.features.products import Products
from ngrc.features.rows import Rows
from ngrc.features.scaling import Scale
from ngrc.features.seasonal import Seasonal
from ngrc.features.target import Target

__all__ = [
    "Calendar",
    "Clock",
    "ClockProducts",
    "Delays",
    "FeatureMap",
    "Group",
    "Inputs",
    "Known",
    "Memory",
    "Products",
    "Rows",
    "Scale",
    "Seasonal",
    "Target",
]
