"""What is claimed of the chosen maps, counted over horizons."""

from collections.abc import Sequence

import polars as pl

from ngrc.study.harness.compare import holds
from ngrc.study.harness.record import Cell, Check
from ngrc.study.map.tables import WITHOUT
from ngrc.study.map.weather import READINGS, STAMPS
from ngrc.study.real.sources import Source

NAME = "map"
SCORES = ("rmse", "winkler_split", "winkler_adaptive")


def map_checks(data: Sequence[Source], table: pl.DataFrame) -> list[Check]:
    """Per dataset: RMSE at or below the marks, below the paper's map, below the last value."""
    checks = []
    for source in data:
        rows = table.filter(pl.col("dataset") == source.title)
        marked = rows.filter(pl.col("mark").is_not_null())
        claims = (
            ("RMSE at or below the mark", marked, pl.col("chosen_map") <= pl.col("mark")),
            ("RMSE below that of the paper's map", rows, pl.col("chosen_map") < pl.col("paper_map")),
            ("RMSE below that of the last value", rows, pl.col("chosen_map") < pl.col("last_value")),
        )
        for words, settings, rule in claims:
            where = ", ".join(str(horizon) for horizon in settings["horizon"])
            cell = Cell(NAME, "scores", f"{source.title}: {words} at H = {where}")
            checks.append(holds(cell, settings.filter(rule).height, settings.height))
    return checks


def weather_checks(table: pl.DataFrame) -> list[Check]:
    """Per reading, with the hours put right: every score below that without weather."""
    checks = []
    for words in READINGS.values():
        lower = sum(
            row[score] < plain[score]
            for row, plain in pairs(table, words, STAMPS["delayed"])
            for score in SCORES
        )
        cell = Cell(
            NAME, "weather", f"weather {words}: RMSE and both Winkler scores below those without weather"
        )
        checks.append(holds(cell, lower, len(SCORES) * table["horizon"].n_unique()))
    return checks


def pairs(table: pl.DataFrame, words: str, hours: str) -> list[tuple[dict[str, float], dict[str, float]]]:
    """The rows of one reading, each with the row of its horizon that has no weather."""
    own = table.filter((pl.col("weather") == words) & (pl.col("hours") == hours)).to_dicts()
    plain = {row["horizon"]: row for row in table.filter(pl.col("weather") == WITHOUT).to_dicts()}
    return [(row, plain[row["horizon"]]) for row in own]
