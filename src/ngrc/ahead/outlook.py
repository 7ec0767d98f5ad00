"""What a look ahead returns."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from ngrc._frames import Frame, columns_like, is_pandas
from ngrc._types import AnyArray, FloatArray
from ngrc.ahead.paths import Paths
from ngrc.ahead.steps import Prediction
from ngrc.series import Series
from ngrc.series.outward import time_column


@dataclass(frozen=True, slots=True)
class Outlook:
    """Forecasts of the steps after the last observation, with intervals, all in the series' units.

    `selected` holds, for every step, what was chosen: the ridge penalty and the method's parameters, and of a step with
    too few residuals of its own the nearer one whose it borrows, `residuals_of_step`. `refits` is the number of fits
    after the first. `times` are plain numpy times, in UTC where the series has a zone; the table has them as the series
    came.
    """

    level: float
    method: str
    times: AnyArray | None = field(repr=False)
    forecast: FloatArray
    lower: FloatArray
    upper: FloatArray
    selected: tuple[Mapping[str, Any], ...] = field(repr=False)
    guarantee: str = field(repr=False)
    table: Frame = field(repr=False)
    """One row per step: step, time (where the series has times), forecast, lower, upper."""
    refits: int = 0
    model: Any = field(default=None, repr=False)
    """The fitted model of the last end, which made the forecasts."""


def outlook_of(
    source: Any,
    series: Series,
    times: AnyArray | None,
    predictions: Sequence[Prediction],
    level: float,
    paths: Paths,
) -> Outlook:
    """The outlook of one series, its table in the library that the source came in."""
    ends = np.array([(step.forecast, step.lower, step.upper) for step in predictions])
    columns: dict[str, Any] = {"step": np.arange(1, len(predictions) + 1)}
    if times is not None:
        columns["time"] = time_column(times, series.style, is_pandas(source))
    columns |= {"forecast": ends[:, 0], "lower": ends[:, 1], "upper": ends[:, 2]}
    return Outlook(
        level=level,
        method=predictions[0].tuned.name,
        times=times,
        forecast=ends[:, 0],
        lower=ends[:, 1],
        upper=ends[:, 2],
        selected=tuple(step.selected for step in predictions),
        guarantee=predictions[0].tuned.guarantee,
        table=columns_like(source, columns),
        refits=paths.refits,
        model=paths.model,
    )
