"""Sentences on the chosen maps and the weather, made from the numbers of the run."""

from collections.abc import Sequence
from itertools import pairwise

import polars as pl

from ngrc.study.map.checks import pairs
from ngrc.study.map.weather import READINGS, STAMPS
from ngrc.study.real.sources import Source


def map_findings(data: Sequence[Source], steps: pl.DataFrame, table: pl.DataFrame) -> list[str]:
    """Per dataset: how far the chosen map is below the paper's, and which step brought most at each horizon."""
    told = []
    for source in data:
        rows = table.filter(pl.col("dataset") == source.title).to_dicts()
        own = steps.filter(pl.col("dataset") == source.title).to_dicts()
        changes = listed(
            [f"{percent(row['chosen_map'], row['paper_map'])} at H = {row['horizon']}" for row in rows]
        )
        best = listed([f"{_largest(own, row['horizon'])} at H = {row['horizon']}" for row in rows])
        told.append(
            f"{source.title}: the RMSE of the chosen map, against that of the paper's, is {changes}. "
            f"The step that brought most is {best}."
        )
    return told


def _largest(steps: Sequence[dict[str, float]], horizon: int) -> str:
    """The title of the step after which the RMSE of a horizon fell most, in relative terms."""
    name = f"rmse_{horizon}"
    falls = [(after[name] / before[name], after["map"]) for before, after in pairwise(steps)]
    ratio, title = min(falls)
    return f'"{title}" ({percent(ratio, 1.0)})'


def weather_findings(table: pl.DataFrame, alignment: pl.DataFrame) -> list[str]:
    """What each reading of the weather changes, and how the hours of weather and PM10 agree."""
    told = [_hours(alignment)]
    for words in READINGS.values():
        for hours in STAMPS.values():
            parts = [
                f"RMSE {percent(row['rmse'], plain['rmse'])} and Winkler score (adaptive) "
                f"{percent(row['winkler_adaptive'], plain['winkler_adaptive'])} at H = {row['horizon']}"
                for row, plain in pairs(table, words, hours)
            ]
            told.append(f"Weather {words}, hours {hours}, against none: {'; '.join(parts)}.")
    return told


def _hours(alignment: pl.DataFrame) -> str:
    """Whether the lag of best agreement is the same throughout."""
    lags = alignment["lag"].to_list()
    runs = [place for place in range(len(lags)) if place == 0 or lags[place] != lags[place - 1]]
    if len(runs) == 1:
        return f"Hourly changes of dew point and PM10 agree most at lag {lags[0]} in all {len(lags)} years."
    parts = [f"{lags[place]} from {alignment['from'][place]}" for place in runs]
    waves = alignment.select("temperature_hour", "ozone_hour")
    first, last = waves.row(0), waves.row(len(lags) - 1)
    return (
        f"The weather's hours in the files move against those of PM10: changes of dew point and PM10 agree most at lag "
        f"{listed(parts)}. From the first year to the last the top of temperature's daily wave moves from "
        f"{first[0]:.1f} to {last[0]:.1f} h, that of ozone's from {first[1]:.1f} to {last[1]:.1f} h."
    )


def percent(value: float, base: float) -> str:
    """A relative change in words.

    Examples
    --------
    >>> percent(0.9, 1.0), percent(1.012, 1.0)
    ('10.0 % lower', '1.2 % higher')
    """
    change = 100.0 * (value / base - 1.0)
    return f"{abs(change):.1f} % {'higher' if change > 0 else 'lower'}"


def listed(parts: Sequence[str]) -> str:
    """Parts joined by commas and a last "and".

    Examples
    --------
    >>> listed(["a"]), listed(["a", "b", "c"])
    ('a', 'a, b and c')
    """
    return parts[0] if len(parts) == 1 else f"{', '.join(parts[:-1])} and {parts[-1]}"
