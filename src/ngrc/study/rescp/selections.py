"""How many seeds select the paper's temperature and window, by reading of its tuning."""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any, TypeAlias

import polars as pl

from ngrc.study.harness.target import Settings
from ngrc.study.real.cases import Case
from ngrc.study.real.recurrence import Fits
from ngrc.study.real.selections import AUTHORS, Pair, Reading, named, pairs_by_seed, paper_pair
from ngrc.study.real.sources import Source

READINGS = {
    "as the code": AUTHORS,
    "recurrence of the text": Reading(recurrence="paper"),
    "exact sampler": Reading(sampler="exact"),
    "scored on the last 20 %": Reading(share=0.8),
}
"""How the paper may have selected; the last two are tried where a selection takes a second, on Exchange."""
CHEAP = ("exchange",)

Key: TypeAlias = tuple[str, int]
Selected: TypeAlias = dict[str, Mapping[Key, Sequence[Pair]]]
"""What each seed selects, by reading."""


def selected_pairs(cases: dict[Key, Case], fits: Fits, settings: Settings) -> Selected:
    """What every reading selects, seed by seed."""
    selected: Selected = {}
    for title, reading in READINGS.items():
        everywhere = reading.sampler == AUTHORS.sampler and reading.share == AUTHORS.share
        keys = [key for key in cases if everywhere or key[0] in CHEAP]
        selected[title] = pairs_by_seed(keys, fits, settings, reading)
    return selected


def selection_sentence(data: Sequence[Source], selected: Selected) -> str:
    """Where the paper's choice is made by some seeds, and where by none, as the code does it."""
    title = next(iter(READINGS))
    some: list[str] = []
    none: list[str] = []
    own = {source.key: source.title for source in data if not source.stand_in}
    for (dataset, horizon), pairs in selected[title].items():
        # Another station's selections say nothing of the paper's.
        if dataset in own:
            count = sum(pair == paper_pair(dataset, horizon) for pair in pairs)
            (some if count else none).append(f"{own[dataset]} H = {horizon} ({count} of {len(pairs)})")
    parts = {"by some seeds on": some, "by none on": none}
    told = "; ".join(f"{words} {', '.join(places)}" for words, places in parts.items() if places)
    return f"The printed temperature and window are selected {told}."


def selection_table(data: Sequence[Source], selected: Selected) -> pl.DataFrame:
    """One row per reading, dataset and horizon."""
    titles = {source.key: source.title for source in data}
    records = []
    for reading, by_key in selected.items():
        for (dataset, horizon), pairs in by_key.items():
            paper = paper_pair(dataset, horizon)
            frequent, most = Counter(pairs).most_common(1)[0]
            record: dict[str, Any] = {"dataset": titles[dataset], "horizon": horizon, "reading": reading}
            record |= {"the_paper's": named(paper), "selected_in": sum(pair == paper for pair in pairs)}
            records.append(record | {"of": len(pairs), "most_select": named(frequent), "these": most})
    return pl.DataFrame(records)
