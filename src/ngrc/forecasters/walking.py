"""A forecaster fitted at one end after another, each time to more of the same series."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import lru_cache
from inspect import signature
from types import MethodType
from typing import Any, Protocol, Self, runtime_checkable

from ngrc._progress import tell
from ngrc._types import FloatArray
from ngrc.forecasters.base import Forecaster, at_horizon
from ngrc.forecasters.beside import Beside


@runtime_checkable
class Walker(Protocol):
    """A forecaster that is fitted at many ends for less than one fit each; `NGRC` is."""

    def fits(
        self,
        y: Any,
        ends: Iterable[int],
        *,
        exog: Any = None,
        times: Any = None,
        first: int = 0,
        scale: Any = None,
        window: int | None = None,
    ) -> Iterator[Self]:
        """A fitted copy per end, the first end included; parameters as in `walk`."""


@runtime_checkable
class Refittable(Protocol):
    """A fitted forecaster that keeps what it chose, and solves again on more rows."""

    def refit(
        self, y: Any, *, exog: Any = None, times: Any = None, first: int = 0, scale: Any = None
    ) -> Self:
        """A new fitted forecaster of the same choices; this one stays as it is."""


def walk(
    model: Forecaster,
    values: FloatArray,
    ends: Iterable[int],
    *,
    first: int = 0,
    scale: Any = None,
    window: int | None = None,
    beside: Beside | None = None,
) -> Iterator[Any]:
    """The model fitted to the observations before each of `ends`, one after the other.

    A model of an end e has seen values[:e] and nothing else. All are fitted with one scale, that of the first fit:
    moments that are summed once can only be added up in the same units.

    Parameters
    ----------
    model
        An unfitted forecaster; it may be the first one to be fitted.
    values
        The series, shape (n,) or (n, channels).
    ends
        Rising numbers of observations, the first fit's being the first.
    first
        First target to be fitted.
    scale
        What standardises the series, as in `fit`, the same at every end.
    window
        How many observations before an end are fitted; None: all from `first` on. Columns may read older ones.
    beside
        What stands beside the series.

    Examples
    --------
    >>> import numpy as np
    >>> from ngrc.forecasters.naive import SeasonalNaive
    >>> [type(fitted).__name__ for fitted in walk(SeasonalNaive(), np.arange(9.0), (4, 6, 8))]
    ['SeasonalNaive', 'SeasonalNaive', 'SeasonalNaive']
    """
    ends, beside = tuple(ends), Beside() if beside is None else beside
    # Not for one end: then `fit` is all that is wanted, also of a class that has its own.
    if len(ends) > 1 and isinstance(model, Walker):
        inputs = beside.until(ends[-1])
        fits = model.fits(values[: ends[-1]], ends, first=first, scale=scale, window=window, **inputs)
        for done, one in enumerate(fits, start=1):
            # Before it goes out: a caller that has the last fit asks for no more.
            tell("fits", done, len(ends))
            yield one
        return
    fitted: Any = None
    for done, end in enumerate(ends, start=1):
        begin = first if window is None else max(first, end - window)
        arguments = {"first": begin, "scale": scale, **beside.until(end)}
        if fitted is None:
            fitted = model.fit(values[:end], **arguments)
        elif isinstance(fitted, Refittable):
            fitted = fitted.refit(values[:end], **arguments)
        else:
            fitted = at_horizon(model, model.horizon).fit(values[:end], **arguments)
        tell("fits", done, len(ends))
        yield fitted


def asked(method: Any, **wanted: int) -> dict[str, int]:
    """Of the arguments that ask `predict` and its like for less than everything, those that they know.

    Others give all targets, of which the caller takes its own.

    Examples
    --------
    >>> asked(lambda y, *, since=0: y, since=5, before=9), asked(lambda y: y, since=5)
    ({'since': 5}, {})
    """
    # By function, read once: methods are bound anew with every model, and a cache would hold on to each of them.
    known = _names(method.__func__) if isinstance(method, MethodType) else signature(method).parameters
    return {name: value for name, value in wanted.items() if name in known}


@lru_cache(maxsize=256)
def _names(function: Callable[..., Any]) -> Mapping[str, Any]:
    return signature(function).parameters
