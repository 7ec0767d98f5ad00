"""The automatic fit, its whole search included, against its goals in seconds and a search by scikit-learn."""

from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import numpy as np

from benchmarks.fits import lag_matrix
from benchmarks.harness import Comparison, ScaledRun
from benchmarks.scene import Scene
from ngrc import AutoNGRC
from ngrc._types import AnyArray, FloatArray

LONG, SHORT, AHEAD = 50_000, 500, 1_000
"""Half hours of the long and of the short series, and how many after them tell whether a fit is worth its time."""
LONG_GOAL, SHORT_GOAL = 20.0, 0.5
"""Processor seconds that a fit may take."""
DAY, WEEK = 48, 336
LADDER = (1, 2, 3, 6, 12, 24, 48, 49, 97)
PENALTIES = (1e-7, 1e-5, 1e-4, 1e-3, 1e-2, 1e-1, 1.0)
FOLDS = 4
"""What the automatic search compares first: numbers of lags, penalties, chronological folds."""


class Load(NamedTuple):
    """A made-up load in half hours: what is fitted, what follows, and the times of both."""

    fit: FloatArray
    whole: FloatArray
    times: AnyArray


def comparisons(scene: Scene) -> Iterator[Comparison]:
    """Rows of a long and a short series, of all steps of a day, and of scikit-learn."""
    many = LONG // 10 if scene.quick else LONG
    long, short = two_seasons(many), two_seasons(SHORT)
    name = "automatic fit with its whole search"
    yield against_goal(f"{name}, {many:,} half hours", long, LONG_GOAL)
    yield against_goal(f"{name}, all {DAY} steps, {many:,} half hours", long, LONG_GOAL, steps=DAY)
    yield against_goal(f"{name}, {SHORT} half hours", short, SHORT_GOAL)
    yield Comparison(
        name=f"{name}, {many:,} half hours",
        against="scikit-learn GridSearchCV of StandardScaler + Ridge over numbers of lags alone",
        goal=1,
        ours=lambda: AutoNGRC().fit(long.fit, times=long.times[: long.fit.size]),
        reference=lambda: sklearn_search(long.fit),
        agree=lambda model, peer: agree_errors(model, peer, long),
    )


def against_goal(name: str, load: Load, seconds: float, steps: int = 1) -> Comparison:
    """A row whose other side is a number of seconds."""
    return Comparison(
        name=name,
        against=f"the goal itself, {seconds:g} s",
        goal=1,
        ours=fitting(load, steps),
        reference=lambda: ScaledRun(seconds, None, ""),
        agree=lambda model, _: agree_naive(model, load, steps),
    )


def fitting(load: Load, steps: int) -> Callable[[], AutoNGRC]:
    """A fit that is told the horizon and the times."""
    return lambda: AutoNGRC(horizon=steps, path=steps > 1).fit(load.fit, times=load.times[: load.fit.size])


def two_seasons(rows: int, *, seed: int = 0) -> Load:
    """A day and a week, whose shapes change each other, and noise that remembers the last few hours."""
    from scipy.signal import lfilter

    rng, clock = np.random.default_rng(seed), np.arange(rows + AHEAD)
    day, week = 2 * np.pi * clock / DAY, 2 * np.pi * clock / WEEK
    season = 200 * np.sin(day) + 60 * np.sin(2 * day + 0.3) + 80 * np.sin(week) * (1 + 0.3 * np.sin(day))
    noise = 15 * lfilter([1.0], [1.0, -0.95], rng.normal(size=clock.size)) + 5 * rng.normal(size=clock.size)
    values = 1000 + season + noise
    times = np.datetime64("2020-01-01T00:00") + clock * np.timedelta64(30, "m")
    return Load(values[:rows], values, times)


def agree_naive(model: AutoNGRC, load: Load, steps: int) -> str:
    """The forecasts of what follows must be better than the value of a day before."""
    ours, naive = (
        error(load, model.predict(load.whole, times=load.times)),
        error(load, np.roll(load.whole, DAY)),
    )
    assert ours < naive, (ours, naive)
    tried = sum(len(selection.attempts) for selection in model.selections_)
    ahead = "one step" if steps == 1 else f"{steps} steps"
    return (
        f"{tried} candidates, {model.n_features_} columns chosen; RMSE {ahead} ahead over the next {AHEAD:,} "
        f"{ours:.1f}, of the value a day before {naive:.1f}"
    )


def sklearn_search(x: FloatArray) -> tuple[int, Any]:
    """Lags and penalty by chronological folds as scikit-learn's guide writes it, one search per number of lags."""
    from sklearn.linear_model import Ridge
    from sklearn.model_selection import GridSearchCV, TimeSeriesSplit
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import StandardScaler

    found = []
    for lags in LADDER:
        rows, target = lag_matrix(x, lags)
        alphas = [target.size * penalty for penalty in PENALTIES]
        search = GridSearchCV(
            make_pipeline(StandardScaler(), Ridge()),
            {"ridge__alpha": alphas},
            scoring="neg_root_mean_squared_error",
            cv=TimeSeriesSplit(FOLDS),
        ).fit(rows, target)
        found.append((search.best_score_, lags, search.best_estimator_))
    _, lags, best = max(found, key=lambda one: one[0])
    return lags, best


def agree_errors(model: AutoNGRC, peer: tuple[int, Any], load: Load) -> str:
    """On what follows the automatic model must be no worse than the search that saw lags alone."""
    lags, fitted = peer
    rows, _ = lag_matrix(load.whole, lags)
    theirs = error(load, np.concatenate((np.zeros(lags), fitted.predict(rows))))
    ours = error(load, model.predict(load.whole, times=load.times))
    # Over a thousand rows two equal models differ by some tenths of a per cent.
    assert ours <= 1.01 * theirs, (ours, theirs)
    return f"RMSE over the next {AHEAD:,}: {ours:.2f} ours, {theirs:.2f} of scikit-learn's {lags} lags"


def error(load: Load, forecasts: FloatArray) -> float:
    """RMSE after the fitted part, of forecasts by target time."""
    return float(np.sqrt(np.mean((load.whole - forecasts)[load.fit.size :] ** 2)))
