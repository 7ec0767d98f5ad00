"""What the model under examination says of itself, as far as a remedy depends on it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ngrc.automatic import AutoNGRC
from ngrc.backtesting.results import Run
from ngrc.features.delays import Delays
from ngrc.features.group import Group
from ngrc.features.inputs import SERIES
from ngrc.features.seasonal import Seasonal
from ngrc.forecasters.base import Forecaster
from ngrc.model import NGRC


@dataclass(frozen=True, slots=True)
class Knowledge:
    """Facts of a model that decide which remedy is new to it; the defaults are those of a model that tells nothing.

    Parameters
    ----------
    steps
        Steps before the target of the values that the model reads; each at least the horizon.
    periods, harmonics, degree
        As `NGRC` takes them; a degree of zero is not known.
    target
        As `NGRC` takes it; empty where it is not known.
    transform
        Whether residuals are in the units of a transform.
    """

    steps: frozenset[int] = frozenset()
    periods: tuple[float, ...] = ()
    harmonics: int = 0
    degree: int = 0
    target: str = ""
    transform: bool = False


def knowledge_of(run: Run) -> Knowledge:
    """What the run's model tells; a model that is no `NGRC` tells its parameters `periods` and `degree`, if any."""
    told: Mapping[str, Any] = run.model.get_params(deep=False)
    periods = told.get("periods")
    degree, harmonics, target = told.get("degree"), told.get("harmonics"), told.get("target")
    return Knowledge(
        steps=_steps(run),
        periods=tuple(periods) if isinstance(periods, Sequence) and not isinstance(periods, str) else (),
        harmonics=harmonics if isinstance(harmonics, int) else 0,
        degree=degree if isinstance(degree, int) else 0,
        target=target if isinstance(target, str) else "",
        transform=not run.link.linear,
    )


def _steps(run: Run) -> frozenset[int]:
    horizon, steps = run.blocks.horizon, set[int]()
    for group in _groups(run.model):
        if isinstance(group, Delays) and group.channel == SERIES:
            steps |= {horizon + step for step in group.steps}
        elif isinstance(group, Seasonal) and group.channel == SERIES:
            steps |= set(group.steps(horizon))
    return frozenset(steps)


def _groups(model: Forecaster) -> tuple[Group, ...]:
    """Groups of columns of a fitted model of ours; of any other model none are known."""
    if isinstance(model, NGRC):
        return tuple(model.feature_map.groups)
    if isinstance(model, AutoNGRC):
        return tuple(group for fitted in model.fitted_ for group in fitted.feature_map.groups)
    return ()
