"""What the fit block settles once: how raw values become inputs, and forecasts become values again."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from numbers import Real
from typing import Any

import numpy as np

from ngrc._types import AnyArray, FloatArray
from ngrc.features.inputs import Inputs
from ngrc.features.link import IDENTITY, Link
from ngrc.features.rows import Rows
from ngrc.features.scaling import Scale


@dataclass(frozen=True, slots=True)
class Column:
    """How one column becomes an input: standardised, then clipped to the fit block's range.

    Parameters
    ----------
    scale
        Mean and standard deviation of the fit block.
    low, high
        Limits of the input, in units of the scale; infinite where nothing is clipped.

    Examples
    --------
    >>> Column.of(np.array([-1.0, 1.0]), clip=0.5).input(np.array([9.0]))
    array([2.])
    """

    scale: Scale
    low: float = -np.inf
    high: float = np.inf

    @classmethod
    def of(cls, values: FloatArray, clip: float | None, scale: Scale | None = None) -> "Column":
        """The column of a fit block; `clip` is the share of its range by which the limits are wider than it."""
        scale = Scale.of(values) if scale is None else scale
        if clip is None:
            return cls(scale)
        low, high = (float(end) for end in scale.standardise(np.array([values.min(), values.max()])))
        margin = clip * (high - low)
        return cls(scale, low - margin, high + margin)

    def input(self, x: FloatArray) -> FloatArray:
        """Standardised values within the limits."""
        # The very array where there is nothing to clip: no copy, and the same bits as ever.
        return x if np.isinf(self.low) else np.clip(x, self.low, self.high)


@dataclass(frozen=True, slots=True)
class Preparation:
    """Links, scales and limits of the series' channels and of the inputs beside it.

    Parameters
    ----------
    series
        One column per channel of the series, by name, in the link's units.
    links
        One link per channel: transform and bounds.
    beside
        One column per input beside the series, by name.
    known
        Which of those are known ahead.
    doubles
        Limits of a second, clipped channel beside a channel of the series, by the channel's name.
    """

    series: Mapping[str, Column]
    links: Sequence[Link]
    beside: Mapping[str, Column]
    known: Sequence[str] = ()
    doubles: Mapping[str, Column] = field(default_factory=dict)

    @classmethod
    def of(
        cls,
        values: FloatArray,
        names: Sequence[str],
        beside: Mapping[str, FloatArray],
        known: Sequence[str],
        *,
        links: Sequence[Link] | None = None,
        clip: float | None,
        scales: Sequence[Scale | None],
    ) -> "Preparation":
        """From the fit block: values of shape (n, channels), and columns beside it of at least n rows.

        Without links the series is taken as it is.
        """
        links = (IDENTITY,) * len(names) if links is None else tuple(links)
        own = {}
        for name, column, link, scale in zip(names, values.T, links, scales, strict=True):
            # A scale that was given is that of the series itself, and says nothing of its logarithm.
            own[name] = Column.of(link.forward(column), clip, scale if link.linear else None)
        # What is known beyond the fit block is not looked at here either: scales come from the past alone.
        others = {name: Column.of(column[: len(values)], clip) for name, column in beside.items()}
        return cls(own, links, others, tuple(known))

    @property
    def scales(self) -> tuple[Scale, ...]:
        """One scale per channel of the series, in the link's units."""
        return tuple([column.scale for column in self.series.values()])

    def linked(self, values: FloatArray) -> FloatArray:
        """The series' channels in their links' units, shape (n, channels)."""
        if all(link.linear for link in self.links):
            return values
        return np.stack(
            [link.forward(column) for link, column in zip(self.links, values.T, strict=True)], axis=1
        )

    def standardise(self, linked: FloatArray) -> FloatArray:
        """The linked channels in units of their scales, shape (n, channels)."""
        standardised = np.empty(linked.shape)
        for place, scale in enumerate(self.scales):
            standardised[:, place] = scale.standardise(linked[:, place])
        return standardised

    def inputs(
        self,
        x: FloatArray,
        beside: Mapping[str, FloatArray],
        times: AnyArray | None = None,
        offset: int = 0,
    ) -> Inputs:
        """Inputs of a standardised series, shape (n, channels), and of the raw columns beside it."""
        channels = {
            name: column.input(x[:, place]) for place, (name, column) in enumerate(self.series.items())
        }
        for name, limits in self.doubles.items():
            channels[clipped(name)] = limits.input(channels[name])
        known: dict[str, FloatArray] = {}
        for name, column in self.beside.items():
            values = column.input(column.scale.standardise(beside[name]))
            if name in self.known:
                known[name] = values
            else:
                # Cut at the last observation: what stands beyond it is not known, whatever the file holds.
                channels[name] = values[: len(x)]
        return Inputs(channels, known, times, offset)


def levels(
    rows: Rows,
    said: FloatArray,
    values: FloatArray,
    linked: FloatArray,
    scale: Scale,
    link: Link,
    limited: Callable[[FloatArray, Rows], FloatArray] = lambda forecasts, _: forecasts,
) -> FloatArray:
    """Forecasts in the series' units from what the readout says of `rows`.

    Parameters
    ----------
    rows
        The rows.
    said
        The readout's answer in units of the scale, shape (n,): a level, or an increment over the base.
    values, linked
        The series in its own units, and in the link's.
    scale, link
        What standardised it, and its transform and bounds.
    limited
        What forecasts in the series' own units are held to before they are checked.
    """
    base = rows.goal.base(linked, rows.horizon, rows.first, rows.stop)
    if base is None:
        return link.finite(limited(link.inverse(scale.restore(said)), rows))
    parts = rows.goal.parts(rows.horizon)
    # What of the weights is not the base's belongs to members whose target is the level, measured from the mean.
    rest = 1.0 - sum(weight for weight, _ in parts)
    forecasts = link.finite(limited(link.inverse(base + rest * scale.mean + scale.std * said), rows))
    if len(parts) > 1 or rest:
        return forecasts
    # Where the readout says nothing the forecast is the base to the bit, whatever the way there and back rounds.
    level = rows.goal.base(values, rows.horizon, rows.first, rows.stop)
    return forecasts if level is None else np.where(said == 0.0, level, forecasts)


def clipped(channel: str) -> str:
    """Name of the clipped double of a channel.

    Examples
    --------
    >>> clipped("x")
    'clip(x)'
    """
    return f"clip({channel})"


def check_clip(clip: Any) -> float | None:
    """Return the share by which limits are widened, zero or above; None clips nothing."""
    if clip is None:
        return None
    if isinstance(clip, bool) or not isinstance(clip, Real) or not 0.0 <= float(clip) < np.inf:
        raise ValueError(
            f"clip must be the share of the fit block's range by which inputs may exceed it, such as 0.1, got {clip!r}"
        )
    return float(clip)
