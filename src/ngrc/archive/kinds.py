"""The classes that a file may name, and no others: a name in the file, and where its class stands.

Names are those of the format and stay; a class that moves changes its address here. Beside these there are the methods
in the registry of `ngrc.intervals` and the trackers that stand in their files, so that a new method needs no line.
"""

from functools import cache
from importlib import import_module
from typing import Any

_ROOMS = {
    "": "model:NGRC automatic:AutoNGRC online:Online online:OpenForecast live.forecaster:OnlineForecaster",
    "live": "service:Service clock:Clock inputs:Inputs point:Point refit:Refits calibration:Calibration",
    "series": "style:TimeStyle",
    "ahead": "continuation:Continuation steps:Calibrator",
    "fit": "fitted:Fitted auto.fit:AutoFit",
    "features": "map:FeatureMap delays:Delays products:Products seasonal:Seasonal clock:Clock calendar:Calendar "
    "memory:Memory clock_products:ClockProducts known:Known smoothing:Smoothing smoothings:Gains constant:Constant "
    "target:Target target:Mixture preparation:Preparation preparation:Column scaling:Scale link:Link bounds:Bounds "
    "transforms:Identity transforms:Log transforms:Root transforms:Arcsinh box_cox:BoxCox",
    "readout": "fitted:Readout tasks.fitted:TaskReadout dual_readout:DualReadout blend:Blend blend:Part gram:Gram "
    "bordered:Bordered penalty:Validation convention:Convention dual_frame:Frame dual_spectrum:DualSpectrum "
    "dual_columns:JoinedColumns dual_columns:ExplicitColumns dual_columns:ProductColumns",
    "auto": "selection:Selection selection:Member selection:Attempt recipe:Recipe periods.period:Period",
    "order": "sorted_blocks:SortedBlocks sums:MovingSum",
    "intervals": "bayes:Bayes split:Split asymmetric:Asymmetric rolling:Rolling gaussian:Gaussian student:Student "
    "adaptive:Adaptive weighted:Weighted unprojected:Unprojected pid:PID dtaci:DtACI saocp:SAOCP nexcp:NexCP "
    "rescp.method:ResCP scaled:Scaled quantile:Quantile auto.method:Auto context:Context base:History "
    "bayes:BayesTracker fixed:FixedTracker rolling:RollingTracker gaussian:GaussianTracker student:StudentTracker "
    "adaptive:AdaptiveTracker weighted:WeightedTracker unprojected:UnprojectedTracker pid:PIDTracker "
    "dtaci:DtACITracker saocp:SAOCPTracker nexcp:NexCPTracker rescp.tracker:RescpTracker scaled:ScaledTracker "
    "scaled:Waiting auto.aggregate:AggregateTracker",
    "intervals.rescp": "reservoir:Reservoir ends:Rule ends:Windows ends:Ends",
    "intervals.local": "readout:Readout columns:Columns size:Size",
    "intervals.auto": "walk:State walk:Slots members:Members weights:Weights",
}
"""By room, modules in it and their classes; in a file `features/Delays` and so on, and `NGRC` without a room."""

_ADDRESSES = {
    f"{room}/{one.partition(':')[2]}".lstrip("/"): f"ngrc.{'' if room in ('', 'fit') else room + '.'}{one}"
    for room, classes in _ROOMS.items()
    for one in classes.split()
}
METHODS = "intervals/"
_NAMES = {address: name for name, address in _ADDRESSES.items()}


def unkeepable(kind: type[Any]) -> ValueError:
    """What to say of a class that no file may hold."""
    return ValueError(
        f"a value of the type {kind.__name__} cannot be kept; give an NGRC or AutoNGRC, an OnlineForecaster, "
        "an Online, an interval method, its tracker or a Continuation, made of the library's own parts"
    )


def name_of(kind: type[Any]) -> str | None:
    """The name of a class in files; None of one that no file may hold."""
    name = _NAMES.get(f"{kind.__module__}:{kind.__qualname__}")
    if name is None and (own := f"{METHODS}{kind.__qualname__}") and _registered(own) is kind:
        return own
    return name


def class_of(name: str) -> type[Any] | None:
    """The class of a name in a file; None of one that no file may hold."""
    return _listed(name) if name in _ADDRESSES else _registered(name)


@cache
def _listed(name: str) -> type[Any]:
    module, _, attribute = _ADDRESSES[name].partition(":")
    found: type[Any] = getattr(import_module(module), attribute)
    return found


def _registered(name: str) -> type[Any] | None:
    """A method of the registry, or a method or tracker that stands in the file of one."""
    if not name.startswith(METHODS):
        return None
    room = import_module("ngrc.intervals")
    for method in room.METHODS.values():
        found = vars(import_module(method.__module__)).get(name.removeprefix(METHODS))
        # Not what the file merely imports, such as the base classes.
        own = isinstance(found, type) and found.__module__ == method.__module__
        if own and issubclass(found, room.Tracker | room.IntervalMethod):  # type: ignore[arg-type]
            return found
    return None


def names() -> tuple[str, ...]:
    """All names that a file may hold."""
    return tuple(_ADDRESSES)
