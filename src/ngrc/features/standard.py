"""The map that `NGRC`'s arguments ask for."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

from ngrc._memo import Memo
from ngrc.features.calendar import Calendar
from ngrc.features.clock import Clock
from ngrc.features.clock_products import ClockProducts
from ngrc.features.delays import Delays
from ngrc.features.distinct import check_periods
from ngrc.features.group import Group
from ngrc.features.inputs import SERIES
from ngrc.features.known import Known
from ngrc.features.map import FeatureMap
from ngrc.features.memory import Memory
from ngrc.features.products import Products
from ngrc.features.seasonal import Seasonal
from ngrc.validation import check_count


@dataclass(frozen=True, slots=True)
class Shape:
    """The arguments of `NGRC` that say which columns there are; it explains each of them."""

    lags: int | Sequence[int]
    spacing: int = 1
    degree: int = 2
    product_lags: int | None = None
    periods: Sequence[float] = ()
    harmonics: int = 2
    seasonal: int = 0
    clock_lags: int = 0
    calendar: Sequence[str] = ()
    holidays: str | tuple[str, str] | None = None
    zone: str | None = None
    half_lives: Sequence[float] = ()
    exog: Sequence[str] = ()
    known: Sequence[str] = ()
    exog_lags: int | Sequence[int] = 3
    across: bool = True


_MAPS: Memo[FeatureMap] = Memo(most=64)


def standard_map(shape: Shape, channels: Sequence[str] = (SERIES,)) -> FeatureMap:
    """Delays and products of every channel, then what moves with the clock, memories and inputs.

    Parameters
    ----------
    shape
        What is asked for.
    channels
        The channels of the series itself: "x" alone, or those of a vector series.

    Examples
    --------
    >>> [type(group).__name__ for group in standard_map(Shape(24, periods=(24,), seasonal=2, half_lives=(12,))).groups]
    ['Delays', 'Products', 'Seasonal', 'Clock', 'Memory']
    """
    settings = tuple(getattr(shape, name) for name in Shape.__slots__)
    return _MAPS.get((tuple(channels), *settings), partial(_made, shape, channels))


def _made(shape: Shape, channels: Sequence[str]) -> FeatureMap:
    degree = check_count(shape.degree, "degree")
    cycles = check_count(shape.seasonal, "seasonal", 0)
    harmonics = check_count(shape.harmonics, "harmonics", 0)
    turning = check_count(shape.clock_lags, "clock_lags", 0)
    # Checked also where no column is made of them: a wrong value is no silent absence.
    periods = check_periods(shape.periods)
    if turning and periods and not harmonics:
        raise ValueError(
            "clock products need Fourier terms, and harmonics is 0; use harmonics=1 or more, or leave clock_lags out"
        )
    delays = [Delays(shape.lags, shape.spacing, channel) for channel in channels]
    groups: list[Group] = list(delays)
    if degree > 1:
        groups += _products(shape, delays, degree)
    if cycles:
        groups += [Seasonal(periods, cycles, besides=own, channel=own.channel) for own in delays]
    clock = Clock(periods, harmonics) if harmonics else Clock(())
    if clock.periods:
        groups.append(clock)
    if shape.calendar or shape.holidays is not None:
        groups.append(Calendar(shape.calendar, shape.holidays, shape.zone))
    memories = [Memory(shape.half_lives, channel) for channel in channels]
    groups += [memory for memory in memories if memory.half_lives]
    if turning:
        groups += [ClockProducts(own.first(turning), clock) for own in delays]
    groups += [Delays(shape.exog_lags, shape.spacing, name) for name in shape.exog]
    if shape.known:
        groups.append(Known(shape.known))
    return FeatureMap(tuple(groups))


def _products(shape: Shape, delays: Sequence[Delays], degree: int) -> list[Products]:
    """Products within every channel, or across all of them, over the first `product_lags` delays."""
    many = shape.product_lags
    factors = [
        own if many is None else own.first(many)
        for own in delays
        if many is None or check_count(many, "product_lags", 0)
    ]
    if not factors:
        return []
    return (
        [Products(tuple(factors), degree)] if shape.across else [Products((own,), degree) for own in factors]
    )
