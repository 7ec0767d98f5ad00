"""Four point forecasters under one ResCP layer, each from its fit to its intervals."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

import numpy as np

from ngrc.backtesting.results import Band
from ngrc.backtesting.scoring import evaluate
from ngrc.backtesting.window import prefix_scale
from ngrc.forecasters import ARIMA, GRU, Forecaster, Transformer, cached_predict
from ngrc.intervals import ResCP
from ngrc.intervals.base import Stream
from ngrc.metrics import rmse
from ngrc.presets import PAPER
from ngrc.splits import FixedOrigin
from ngrc.study.harness.target import Settings
from ngrc.study.real.cases import LEVEL, Case, Scores, fitted
from ngrc.study.real.parallel import remembered
from ngrc.study.real.sources import Source

# Appendix "Additional Point-Forecasting Baselines": the lookback is the delay length of NGRC on the same series.
BUILDERS: dict[str, Callable[[int], Forecaster]] = {
    "arima": lambda lookback: ARIMA((3, 1, 3), lookback=lookback),
    "gru": lambda lookback: GRU(lookback, progress=True),
    "transformer": lambda lookback: Transformer(lookback, progress=True),
}
QUICK = ("arima",)
"""What a quick run can afford besides NGRC."""


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
    """A point model with ResCP around it, or the reason why there is none."""

    point: Point | None
    band: Band | None = None
    missing: str = ""

    @property
    def scores(self) -> Scores | None:
        """Scores in the paper's units."""
        if self.point is None or self.band is None:
            return None
        return Scores.of(self.band, self.point.scale)

    @property
    def seconds(self) -> float | None:
        """Fit, forecast, ResCP tuning and intervals."""
        return None if self.point is None or self.band is None else self.point.seconds + self.band.seconds


def pipelines(sources: tuple[Source, ...], settings: Settings) -> dict[tuple[str, str], Pipeline]:
    """Every model on every dataset; a model whose library is not installed is reported and left out."""
    points: dict[tuple[str, str], Point | str] = {}
    runs = fitted(sources, [Case(source.key) for source in sources], jobs=settings.jobs)
    # In this process, one after the other: their seconds are shown, and neighbours would stretch them.
    for source in sources:
        for name in BUILDERS:
            points[source.key, name] = _trained(source, name, settings)
        run = runs[Case(source.key)][0]
        unit = run.scale.std
        points[source.key, "ngrc"] = Point(
            run.blocks.stream(run.residuals), run.rmse / unit, unit, run.model_seconds
        )
    method = ResCP(sampler="stochastic", seed=settings.seed)
    calls = {
        ("pipeline", *key, method): partial(_layer, method, point.stream)
        for key, point in points.items()
        if isinstance(point, Point)
    }
    bands = dict(zip(calls, remembered(calls, name="ResCP", jobs=settings.jobs), strict=True))
    return {
        key: Pipeline(point, bands["pipeline", *key, method])
        if isinstance(point, Point)
        else Pipeline(None, None, point)
        for key, point in points.items()
    }


def _trained(source: Source, name: str, settings: Settings) -> Point | str:
    """Forecasts of a model, trained now or by an earlier run; or why there are none."""
    if settings.quick and name not in QUICK:
        return "left out of a quick run"
    values = source.series.values
    try:
        model = BUILDERS[name](PAPER[source.key].lags)
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


def _layer(method: ResCP, stream: Stream) -> Band:
    # Offsets do not depend on the forecast, so that a band around zero has the same scores.
    return evaluate(method, "rescp", stream, np.zeros(stream.steps), LEVEL)
