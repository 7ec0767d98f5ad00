"""The methods by name, each with no more tuning than the first example of its documentation."""

from collections.abc import Callable, Mapping
from types import MappingProxyType

from accuracy.methods.automatic import MSTL, AutoETS, AutoTheta
from accuracy.methods.base import Method
from accuracy.methods.lagged import LightGBM, Ridge
from accuracy.methods.naive import Naive, SeasonalNaive
from accuracy.methods.ours import AutoNGRC
from accuracy.methods.recursive import Skforecast

OURS = AutoNGRC.name
LONG: Mapping[str, Callable[[], Method]] = MappingProxyType(
    {
        method.name: method
        for method in (Naive, SeasonalNaive, Ridge, LightGBM, Skforecast, AutoETS, AutoTheta, MSTL, AutoNGRC)
    }
)
"""Methods of the long series."""
LONGEST_SEASON: Mapping[str, int] = MappingProxyType({"MSTL": 48})
"""Methods that sit out where a season has more steps: one loess of 144 steps costs MSTL 0.2 s at every origin."""
