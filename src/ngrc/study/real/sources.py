"""The four series of the analysis, and which of them are the paper's own."""

import os
from dataclasses import dataclass
from functools import lru_cache

from ngrc.datasets import DatasetError, load
from ngrc.series import Series
from ngrc.study.harness.target import Settings

TITLES = {
    "ozone": "LA ozone",
    "solar": "Solar",
    "beijing": "Beijing PM10",
    "exchange": "Exchange returns",
}
QUICK = ("exchange",)  # the shortest of the series that are public
STAND_IN = "the paper's LA_O3.RData is not public: this is EPA's Los Angeles North Main monitor in its place"


@dataclass(frozen=True, slots=True)
class Source:
    """One series of the analysis.

    Parameters
    ----------
    key
        The paper's dataset, which decides lags and periods.
    title
        For tables and figures; says so where the series is a stand-in.
    series
        The observations.
    stand_in
        Why its numbers cannot be compared with the printed ones; empty where they can.
    """

    key: str
    title: str
    series: Series
    stand_in: str = ""


def sources(settings: Settings) -> tuple[Source, ...]:
    """The paper's four datasets in its order, or the smallest alone for a quick run; ozone only where there is any."""
    folder = os.environ.get("NGRC_DATA")
    loaded = (_source(key, folder) for key in (QUICK if settings.quick else TITLES))
    return tuple(source for source in loaded if source is not None)


def available(settings: Settings) -> tuple[tuple[Source, ...], dict[str, str]]:
    """What of `sources` can be loaded, and why the others cannot, by key; for a target that can do without any."""
    found, missing = [], {}
    for key in QUICK if settings.quick else TITLES:
        try:
            source = _source(key, os.environ.get("NGRC_DATA"))
        except DatasetError as error:
            missing[key] = str(error)
            continue
        if source is None:
            missing[key] = "neither the paper's file nor a stand-in is found"
        else:
            found.append(source)
    return tuple(found), missing


def source_notes(loaded: tuple[Source, ...]) -> tuple[str, ...]:
    """What a reader must know of the data behind a page."""
    keys = {source.key for source in loaded}
    notes = [
        f"{source.title}: {source.stand_in}; its cells are shown and never counted."
        for source in loaded
        if source.stand_in
    ]
    missing = [title for key, title in TITLES.items() if key not in keys]
    if missing:
        notes.append(f"Not run: {', '.join(missing)}.")
    return tuple(notes)


@lru_cache(maxsize=8)
def _source(key: str, folder: str | None) -> Source | None:
    """Load one series; `folder` only makes another data folder another entry of the cache."""
    try:
        series = load(key)
    except DatasetError:
        # Its file is not public, so that it may be missing; a study without the other three would be none.
        if key != "ozone":
            raise
        return None
    if key == "ozone" and series.name != "ozone":
        return Source(key, f"{TITLES[key]} (EPA stand-in)", series, STAND_IN)
    return Source(key, TITLES[key], series)
