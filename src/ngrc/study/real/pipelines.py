"""Four point forecasters under one ResCP layer, each from its fits to its intervals."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import TypeAlias

import numpy as np

from ngrc.backtesting.results import Band
from ngrc.backtesting.scoring import evaluate
from ngrc.backtesting.window import prefix_scale
from ngrc.forecasters import ARIMA, GRU, Forecaster, Training, Transformer, cached_predict
from ngrc.intervals import ResCP
from ngrc.intervals.base import Stream
from ngrc.metrics import rmse
from ngrc.presets import PAPER
from ngrc.splits import FixedOrigin
from ngrc.study.harness.target import Settings
from ngrc.study.real.cases import LEVEL, Case, fitted
from ngrc.study.real.parallel import remembered
from ngrc.study.real.recurrence import Fits
from ngrc.study.real.rescp import QUICK_SEEDS, bands, own_choice, selections
from ngrc.study.real.scan import RECURRENCES, Grid, Scan, grid
from ngrc.study.real.sources import Source

# Appendix "Additional Point-Forecasting Baselines": the lookback is the delay length of NGRC on the same series.
BUILDERS: dict[str, Callable[[int, Training], Forecaster]] = {
    "arima": lambda lookback, training: ARIMA((3, 1, 3), lookback=lookback),
    "gru": lambda lookback, training: GRU(lookback, training=training, progress=_alone(training)),
    "transformer": lambda lookback, training: Transformer(
        lookback, training=training, progress=_alone(training)
    ),
}
NETWORKS = ("gru", "transformer")
"""Models whose forecasts move with a seed."""
QUICK = ("arima",)
"""What a quick run can afford besides NGRC."""
FIRST_TRAINING = Training().seed
"""The paper's training seed; further trainings count on from it."""
# ResCP's whole grid takes half a second per seed on Exchange and 20 s on Solar; a training half a minute and a quarter
# of an hour. Five seeds are the paper's own number.
SEEDS = {"ozone": 5, "solar": 5, "beijing": 5, "exchange": 10}
TRAININGS = {"ozone": 1, "solar": 1, "beijing": 3, "exchange": 5}

Key: TypeAlias = tuple[str, str]
"""Dataset and model."""


@dataclass(frozen=True, slots=True)
class Point:
    """Point forecasts of one model on one dataset, and what they cost.

    Parameters
    ----------
    stream
        Calibration and test residuals, in the series' own units.
    rmse
        Test RMSE on the standardised scale.
    scale
        Standard deviation of the fit prefix, the unit of the printed widths.
    seconds
        Fit and forecast, when they were done.
    notes
        What the fit said of itself.
    kept
        Whether an earlier run's forecasts were read.
    """

    stream: Stream
    rmse: float
    scale: float
    seconds: float
    notes: tuple[str, ...] = ()
    kept: bool = False


@dataclass(frozen=True, slots=True)
class Pipeline:
    """A point model with ResCP around it, or the reason why there is none.

    Parameters
    ----------
    points
        One per training of a network, the paper's seed first; a single one of a model without a seed.
    band
        ResCP around the first, with the first seed and its own selection: what the seconds are of.
    scan
        ResCP over its whole grid with several seeds, which take the trainings in turn.
    missing
        Why there is nothing.
    """

    points: tuple[Point, ...]
    band: Band | None = None
    scan: Scan | None = None
    missing: str = ""

    @property
    def seconds(self) -> float | None:
        """Fit, forecast, ResCP tuning and intervals."""
        return None if not self.points or self.band is None else self.points[0].seconds + self.band.seconds


def _alone(training: Training) -> bool:
    """Whether a bar may be drawn: further trainings run side by side and would draw over each other."""
    return training.seed == FIRST_TRAINING


def seeds(settings: Settings, dataset: str) -> int:
    """How many seeds ResCP is run with."""
    return settings.replications(SEEDS[dataset], quick=QUICK_SEEDS)


def trainings(settings: Settings, dataset: str) -> int:
    """How many times a network is trained."""
    return settings.replications(TRAININGS[dataset], quick=QUICK_SEEDS)


def pipelines(sources: tuple[Source, ...], settings: Settings) -> dict[Key, Pipeline]:
    """Every model on every dataset; a model whose library is not installed is reported and left out."""
    points, missing = _points(sources, settings)
    fits = fitted(sources, [Case(source.key) for source in sources], jobs=settings.jobs)
    around = _around(points, fits, settings)
    scans = _scans(points, fits, settings)
    done = {key: Pipeline(points[key], around[key], scans[key]) for key in points}
    return done | {key: Pipeline((), missing=reason) for key, reason in missing.items()}


def _points(
    sources: tuple[Source, ...], settings: Settings
) -> tuple[dict[Key, tuple[Point, ...]], dict[Key, str]]:
    """Forecasts of every training, and why some are missing."""
    first: dict[Key, Point | str] = {}
    runs = fitted(sources, [Case(source.key) for source in sources], jobs=settings.jobs)
    # In this process, one after the other: their seconds are shown, and neighbours would stretch them.
    for source in sources:
        for name in BUILDERS:
            left_out = settings.quick and name not in QUICK
            first[source.key, name] = "left out of a quick run" if left_out else trained(source, name)
        run = runs[Case(source.key)][0]
        unit = run.scale.std
        first[source.key, "ngrc"] = Point(
            run.blocks.stream(run.residuals), run.rmse / unit, unit, run.model_seconds
        )
    missing = {key: point for key, point in first.items() if isinstance(point, str)}
    points: dict[Key, tuple[Point, ...]] = {
        key: (point,) for key, point in first.items() if isinstance(point, Point)
    }
    again = {
        ("training", source.key, name, number): partial(trained, source, name, number)
        for source in sources
        for name in NETWORKS
        if (source.key, name) in points
        for number in range(1, trainings(settings, source.key))
    }
    for (_, dataset, name, _), point in zip(
        again, remembered(again, name="further trainings", jobs=settings.jobs), strict=True
    ):
        assert isinstance(point, Point)  # its library was there for the first
        points[dataset, name] += (point,)
    return points, missing


def trained(source: Source, name: str, number: int = 0) -> Point | str:
    """Forecasts of a model by its training of this number, made now or by an earlier run; or why there are none."""
    values = source.series.values
    try:
        model = BUILDERS[name](PAPER[source.key].lags, Training(seed=FIRST_TRAINING + number))
        (blocks,) = FixedOrigin().splits(values.size, model.first_target, 1)
        scale = prefix_scale(values, blocks)
        forecasts = cached_predict(model, values, blocks.fit.stop, first=blocks.fit.start, scale=scale)
    except ImportError as error:
        return str(error)
    return Point(
        blocks.stream(values - forecasts.values),
        rmse(values[blocks.test], forecasts.values[blocks.test]) / scale.std,
        scale.std,
        forecasts.seconds,
        forecasts.notes,
        forecasts.from_cache,
    )


def _around(points: dict[Key, tuple[Point, ...]], fits: Fits, settings: Settings) -> dict[Key, Band]:
    """ResCP with its own selection around the first fit of every pipeline; around NGRC as the other targets have it."""
    own = {key: own_choice(Case(key[0]), settings.seed) for key in points if key[1] == "ngrc"}
    around = bands(own.values(), fits, jobs=settings.jobs)
    method = ResCP(sampler="stochastic", seed=settings.seed)
    calls = {
        ("pipeline", *key, method): partial(_layer, method, group[0].stream)
        for key, group in points.items()
        if key not in own
    }
    others = dict(zip(calls, remembered(calls, name="ResCP", jobs=settings.jobs), strict=True))
    return {key: around[own[key]] if key in own else others["pipeline", *key, method] for key in points}


def _scans(points: dict[Key, tuple[Point, ...]], fits: Fits, settings: Settings) -> dict[Key, Scan]:
    """ResCP's whole grid around every pipeline, all in one call so that the processes stay busy."""
    # What is selected around NGRC other targets have asked for as well.
    selected = selections(
        [
            own_choice(Case(dataset), settings.seed + number, recurrence=name)
            for dataset, model in points
            if model == "ngrc"
            for number in range(seeds(settings, dataset))
            for name in RECURRENCES
        ],
        fits,
        jobs=settings.jobs,
    )
    tuned = {(layer.case.dataset, "ngrc", layer.method): choice.method for layer, choice in selected.items()}
    calls = {}
    # The longest first, so that the processes end together.
    for key in sorted(points, key=lambda key: -points[key][0].stream.residuals.size):
        for number in range(seeds(settings, key[0])):
            # Seeds take the trainings in turn, so that the spread over them holds that of training too.
            point, seed = points[key][number % len(points[key])], settings.seed + number
            for name in RECURRENCES:
                method = ResCP(sampler="stochastic", recurrence=name, seed=seed)
                calls["scan", *key, name, seed] = partial(
                    grid, point.stream, point.scale, method, tuned.get((*key, method))
                )
    grids: dict[Key, dict[str, list[Grid]]] = {}
    computed = remembered(calls, name="ResCP over its grid", jobs=settings.jobs)
    for (_, dataset, model, recurrence, _), one in zip(calls, computed, strict=True):
        grids.setdefault((dataset, model), {}).setdefault(recurrence, []).append(one)
    return {
        key: Scan({name: tuple(grids[key][name]) for name in RECURRENCES}, len(points[key])) for key in points
    }


def _layer(method: ResCP, stream: Stream) -> Band:
    # Offsets do not depend on the forecast, so that a band around zero has the same scores.
    return evaluate(method, "rescp", stream, np.zeros(stream.steps), LEVEL)
