"""The tables: maps beside each other, steps from one to the other, weather beside none."""

from collections.abc import Mapping, Sequence
from typing import Any

import polars as pl

from ngrc.model import NGRC
from ngrc.study.map.cells import METHODS, Plan, Score
from ngrc.study.map.maps import MARKS, STEPS, TRIED, Arguments, maps_of
from ngrc.study.map.weather import READINGS, STAMPS, Reading
from ngrc.study.real.blocks import last_value
from ngrc.study.real.cases import HORIZONS
from ngrc.study.real.sources import Source

Scores = Mapping[Plan, Score]
WITHOUT = "none"
"""The weather's reading where there is none."""


def chosen_table(data: Sequence[Source], scores: Scores) -> pl.DataFrame:
    """One row per dataset and horizon: the paper's map, the one chosen by hand, the last value."""
    records = []
    for source in data:
        first, *_, last = maps_of(source.key)
        for horizon in HORIZONS:
            paper, hand = (scores[Plan(source.key, horizon, arguments)] for arguments in (first, last))
            records.append(
                {
                    "dataset": source.title,
                    "horizon": horizon,
                    "paper_map": paper.rmse,
                    "chosen_map": hand.rmse,
                    "last_value": last_value(source.key, source.series, horizon),
                    "mark": MARKS.get((source.key, horizon)),
                    "paper_columns": paper.columns,
                    "chosen_columns": hand.columns,
                    "chosen_penalty": hand.penalty,
                    **{f"paper_winkler_{name}": paper.winkler[name] for name in METHODS},
                    **{f"chosen_winkler_{name}": hand.winkler[name] for name in METHODS},
                }
            )
    return pl.DataFrame(records)


def step_table(data: Sequence[Source], scores: Scores) -> pl.DataFrame:
    """One row per step from the paper's map: RMSE at every horizon, and why the step was made."""
    records: list[dict[str, Any]] = []
    for source in data:
        steps = [("the paper's map", ""), *((step.title, step.reason) for step in STEPS[source.key])]
        for (title, reason), arguments in zip(steps, maps_of(source.key), strict=True):
            found = {horizon: scores[Plan(source.key, horizon, arguments)] for horizon in HORIZONS}
            records.append(
                {
                    "dataset": source.title,
                    "map": title,
                    **{f"rmse_{horizon}": score.rmse for horizon, score in found.items()},
                    "columns": found[HORIZONS[0]].columns,
                    "reason": reason,
                }
            )
    return pl.DataFrame(records)


def map_table(data: Sequence[Source]) -> pl.DataFrame:
    """The arguments of every chosen map as they are typed, and how many were looked at."""
    records = [
        {
            "dataset": source.title,
            "chosen_map": typed(maps_of(source.key)[-1]),
            "maps_seen": TRIED[source.key],
        }
        for source in data
    ]
    return pl.DataFrame(records)


def typed(arguments: Arguments) -> str:
    """A map as a call.

    Examples
    --------
    >>> typed((("lags", 3), ("degree", 1), ("periods", ())))
    'NGRC(lags=3, degree=1)'
    """
    # What is the default need not be typed: penalties are many.
    defaults = NGRC().get_params(deep=False)
    given = [f"{name}={value!r}" for name, value in arguments if value != defaults[name]]
    return f"NGRC({', '.join(given)})"


def weather_table(plans: Mapping[Reading, Plan], scores: Scores) -> pl.DataFrame:
    """One row per horizon and reading of the weather."""
    records = []
    for reading, plan in plans.items():
        score = scores[plan]
        records.append(
            {
                "horizon": reading.horizon,
                "weather": READINGS.get(reading.kind, WITHOUT),
                "hours": STAMPS.get(reading.stamps, ""),
                "rmse": score.rmse,
                **{f"winkler_{name}": score.winkler[name] for name in METHODS},
                "columns": score.columns,
            }
        )
    return pl.DataFrame(records)
