"""`assert_no_lookahead`: which kind of forecaster it is, and how it is probed."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from ngrc.forecasters.base import CONTRACT
from ngrc.intervals.base import IntervalMethod, Stream
from ngrc.testing.callables import OfPrefix, OfSeries, called
from ngrc.testing.changes import Domain
from ngrc.testing.given import Given
from ngrc.testing.interval import Block, OneByOne, given_of
from ngrc.testing.point import Held, Walked, equipped
from ngrc.testing.probing import Probe
from ngrc.testing.reading import aligned, is_backtest
from ngrc.testing.service import InService
from ngrc.testing.setting import given_from, places
from ngrc.validation import check_count, check_level

SERVICE = ("start", "next", "observe")
# Share of the series that is fitted, known before the first interval, or handed over as a history: enough to learn
# from, with room behind it for the cuts.
FITTED = 0.6
# Callables are cut in their first half too: what they fit there is their own affair.
EARLIEST = 0.3


def assert_no_lookahead(
    forecaster: Any,
    series: Any,
    *,
    horizon: int | Sequence[int] | None = None,
    exog: Any = None,
    known: Sequence[str] = (),
    times: Any = None,
    cuts: int | Sequence[int] = 4,
    fit: int | None = None,
    level: float = 0.9,
    within: tuple[float, float] | None = None,
    shorten: bool | None = None,
    tolerance: float = 0.0,
    seed: int = 0,
) -> None:
    """Change the future in many ways, and raise `AssertionError` where anything that was said before it changes too.

    After each of a few cuts the series becomes another: shifted, noisy, reversed, with a spike, with one other value
    right behind the cut; and it is cut short. Whatever may read the series through the cut at most must stay the same
    to the bit. The error names the entry that changed and the input that it saw.

    Parameters
    ----------
    forecaster
        A point forecaster with `horizon`, `first_target`, `fit`, `predict` and `get_params`, whose entry t of `predict`
        is made from y[..t - H] (also its `leverage` and `predict_path`, and its refits); an interval method; an object
        with `start(history)`, `next()` and `observe(value)`; or a callable: of a series, returning one row per
        observation or the result of `backtest`, or of what is known, returning a forecast.
    series
        Shape (n,) or (n, channels), a pandas or polars series, or a `Series`; for an interval method residuals or a
        `Stream`. Callables get it with its gaps, NaN.
    horizon
        H of a point forecaster (its own by default) or an interval method (1 by default). Of a callable that returns
        one row per observation: row t may read y[..t - horizon], 0 standing for columns of the past and the present;
        or one horizon per column.
    exog, known, times
        Columns beside the series, the names of those that are known ahead and may be read at the target's time, and
        times. A callable gets `exog` as a keyword argument, by name.
    cuts
        How many cuts, or the indices of the last value that stays as it is.
    fit
        How many observations are fitted, or handed over as a history; 60 % by default.
    level
        Nominal coverage, for interval methods.
    within
        Smallest and largest value that the changed series may take; by default anything, and nothing below half the
        smallest value where none is below zero.
    shorten
        Whether a series cut short must give the same numbers, up to rounding. By default it must, except in a backtest,
        whose blocks are shares of the length.
    tolerance
        Change, relative to the largest entry, that counts as none: 0 means to the bit.
    seed
        Seed of the changes.

    Examples
    --------
    >>> wave = np.sin(np.arange(120) / 5)
    >>> def centred(y):
    ...     return np.convolve(y, np.ones(3) / 3, mode="same")
    >>> assert_no_lookahead(centred, wave, horizon=1)
    Traceback (most recent call last):
    AssertionError: centred looks ahead: entry 36 of the result may read y[..35], and changed from ...
    """
    if isinstance(forecaster, IntervalMethod):
        _probe_method(forecaster, series, horizon, cuts, level, Probe((), _domain(within), tolerance, seed))
        return
    given = given_from(series, exog, known, times)
    probe = Probe((), _domain(within), tolerance, seed)
    kind = _kind(forecaster)
    if kind == "point":
        _probe_point(forecaster, given, horizon, cuts, fit, probe)
    elif kind == "service":
        _probe_service(forecaster, given, cuts, fit, probe)
    else:
        _probe_callable(forecaster, given, horizon, cuts, shorten, probe)


def _kind(forecaster: Any) -> str:
    if isinstance(forecaster, type):
        raise ValueError(
            f"give an object, not the class {forecaster.__name__}; write {forecaster.__name__}(...)"
        )
    if all(hasattr(forecaster, name) for name in CONTRACT):
        return "point"
    if all(callable(getattr(forecaster, name, None)) for name in SERVICE):
        return "service"
    if callable(forecaster):
        return "callable"
    raise ValueError(
        f"forecaster must be a point forecaster ({', '.join(CONTRACT)}), an interval method, an object with "
        f"{', '.join(SERVICE)}, or a callable, got {type(forecaster).__name__}; wrap a regressor in "
        "ngrc.forecasters.LagRegressor, anything else in a function of the series"
    )


def _probe_point(
    model: Any, given: Given, horizon: Any, cuts: int | Sequence[int], fit: int | None, probe: Probe
) -> None:
    steps = check_count(model.horizon if horizon is None else horizon, "horizon")
    parameters = model.get_params(deep=False)
    given = replace(given, known=given.known | frozenset(parameters.get("known") or ()))
    model = equipped(model, steps, given)
    if not getattr(model, "wants_times", False):
        given = replace(given, times=None)
    end = _learned(fit, given.size)
    probe = replace(probe, cuts=places(cuts, end - 1, max(given.size - 1 - steps, end - 1)))
    name = _name(model)
    learned = given.until(end)
    held = type(model)(**model.get_params(deep=False)).fit(learned.y, **learned.arguments())
    probe.run(Held(held, name, end), given)
    # Every fit reads only what is handed to it, unless it reaches for more: two cuts and one change find that out.
    sides = (probe.cuts[0], probe.cuts[-1])
    ends = tuple(sorted({end, *(cut + 1 for cut in sides), given.size}))
    replace(probe, cuts=tuple(dict.fromkeys(sides))).run(Walked(model, name, ends), given, ("noise",))


def _probe_method(
    method: IntervalMethod, series: Any, horizon: Any, cuts: int | Sequence[int], level: float, probe: Probe
) -> None:
    if isinstance(series, Stream):
        stream = series
    else:
        residuals = given_from(series, None, (), None).y
        steps = check_count(1 if horizon is None else horizon, "horizon")
        start = max(int(FITTED * residuals.shape[0]), steps)
        known = residuals[: start - steps + 1]
        # Only `bayes` reads these, and it needs them: any will do, as long as they stay.
        scale = float(np.sqrt(np.mean(known**2)))
        zero = np.zeros(residuals.shape[0])
        stream = Stream(residuals, start, steps, zero, scale, {"gcv": scale, "evidence": scale})
    given, last = (
        given_of(stream),
        max(stream.residuals.size - 1 - stream.horizon, stream.start - stream.horizon),
    )
    # Residuals are of either sign, whatever those at hand are.
    domain = Domain(-np.inf, np.inf) if probe.domain is None else probe.domain
    probe = replace(probe, cuts=places(cuts, stream.start - stream.horizon, last), domain=domain)
    name, level = _name(method), check_level(level)
    probe.run(Block(method, name, stream, level), given)
    probe.run(OneByOne(method, name, stream, level), given, ("noise",))


def _probe_service(
    forecaster: Any, given: Given, cuts: int | Sequence[int], fit: int | None, probe: Probe
) -> None:
    if given.beside:
        raise ValueError("an object with start, next and observe is given the series alone; leave exog out")
    begin = _learned(fit, given.size)
    probe = replace(probe, cuts=places(cuts, begin - 1, given.size - 2, given.y))
    probe.run(InService(forecaster, _name(forecaster), begin), given)


def _probe_callable(
    function: Callable[..., Any],
    given: Given,
    horizon: Any,
    cuts: int | Sequence[int],
    shorten: bool | None,
    probe: Probe,
) -> None:
    given = replace(given, times=None)
    name, result = _name(function), called(function, given)
    # Right behind the first fit of a backtest, and not so late that no entry is left that reads through the cut.
    first, delay = int(EARLIEST * given.size), 1
    if is_backtest(result):
        first = max(first, *(run.blocks.fit.stop - 1 for run in result.runs))
        delay = max(run.blocks.horizon for run in result.runs)
    elif aligned(result, given.size):
        delay = max(1, int(np.max(_delay(horizon, name))))
    probe = replace(probe, cuts=places(cuts, first, given.size - 1 - delay, given.y))
    if is_backtest(result):
        probe.run(OfSeries(function, name, 0, bool(shorten)), given)
    elif aligned(result, given.size):
        probe.run(OfSeries(function, name, _delay(horizon, name), shorten is not False), given)
    else:
        probe.run(OfPrefix(function, name, probe.cuts), given)


def _delay(horizon: Any, name: str) -> Any:
    if horizon is None:
        raise ValueError(
            f"{name} returns one row per observation: say horizon=, where row t may read y[..t - horizon]"
        )
    if isinstance(horizon, int | np.integer):
        return check_count(horizon, "horizon", 0)
    return np.array([check_count(steps, "each horizon", 0) for steps in horizon])


def _learned(fit: int | None, size: int) -> int:
    end = int(FITTED * size) if fit is None else check_count(fit, "fit")
    if not 0 < end < size:
        raise ValueError(f"fit must leave observations behind it, got {end} of {size}")
    return end


def _domain(within: tuple[float, float] | None) -> Domain | None:
    if within is None:
        return None
    lower, upper = within
    if not lower < upper:
        raise ValueError(f"within must be a smaller and a larger value, got {within!r}")
    return Domain(float(lower), float(upper))


def _name(forecaster: Any) -> str:
    name = getattr(forecaster, "__name__", None) or repr(forecaster)
    # The address of an object without a repr of its own says nothing, and a long one hides what follows.
    return type(forecaster).__name__ if " at 0x" in name or len(name) > 120 else str(name)
