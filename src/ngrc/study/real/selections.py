"""What ResCP selects over seeds, and how often that is what the paper printed."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple, TypeAlias

import polars as pl

from ngrc.backtesting.results import Run
from ngrc.intervals import ResCP
from ngrc.intervals.rescp.method import Sampler
from ngrc.intervals.rescp.reservoir import Recurrence
from ngrc.intervals.rescp.tuning import HISTORY_SHARE
from ngrc.study.harness.target import Settings
from ngrc.study.real.cases import Case
from ngrc.study.real.printed.selected import SELECTED, Window
from ngrc.study.real.rescp import Layer, first_seeds, selections
from ngrc.study.real.sources import Source

Pair: TypeAlias = tuple[float, Window]
"""A temperature and a window."""
Picks: TypeAlias = Mapping[tuple[str, int], Sequence[Pair]]
"""What each seed selects, by dataset and horizon."""

# Twenty bound a share that never occurs below 14 % at 95 %. Solar takes 50 times as long per seed as Exchange.
SEEDS = {"exchange": 20}
OTHER_SEEDS = 5


class Reading(NamedTuple):
    """One reading of how the paper selected: the recurrence, the sampler, and where scoring begins."""

    recurrence: Recurrence = "code"
    sampler: Sampler = "stochastic"
    share: float = HISTORY_SHARE


AUTHORS = Reading()
"""As the authors' code does it and the paper's appendix says."""


def pairs_by_seed(
    keys: Iterable[tuple[str, int]],
    fits: dict[Case, tuple[Run, ...]],
    settings: Settings,
    reading: Reading = AUTHORS,
) -> dict[tuple[str, int], list[Pair]]:
    """The temperature and window that each seed selects, by dataset and horizon."""
    layers = {
        (dataset, horizon): [
            Layer(
                Case(dataset, horizon),
                ResCP(sampler=reading.sampler, recurrence=reading.recurrence, seed=seed),
            )
            for seed in first_seeds(settings, SEEDS.get(dataset, OTHER_SEEDS))
        ]
        for dataset, horizon in keys
    }
    everything = [layer for group in layers.values() for layer in group]
    choices = selections(everything, fits, jobs=settings.jobs, share=reading.share)
    return {key: [_pair(choices[layer].method) for layer in group] for key, group in layers.items()}


def _pair(method: ResCP) -> Pair:
    assert method.temperature is not None
    assert method.window is not None
    return method.temperature, method.window


def paper_pair(dataset: str, horizon: int) -> Pair:
    """What the paper selected."""
    selected = SELECTED[dataset, horizon]
    return selected.temperature.value, selected.window


def named(pair: Pair) -> str:
    """A pair in words.

    Examples
    --------
    >>> named((0.25, 100)), named((0.1, "all"))
    ('T = 0.25 with W = 100', 'T = 0.1 with W = all')
    """
    return f"T = {pair[0]:g} with W = {pair[1]}"


def selection_reason(dataset: str, horizon: int, pairs: Sequence[Pair]) -> str:
    """Why the first seed's selection is not the printed one: how many of the seeds select that."""
    paper = paper_pair(dataset, horizon)
    count = sum(pair == paper for pair in pairs)
    frequent, most = Counter(pairs).most_common(1)[0]
    told = f"the paper's {named(paper)} is selected in {count} of {len(pairs)} seeds, {named(frequent)} in {most}"
    if count:
        return f"{told}: the selection moves with the seed"
    # None of n: a share of 1 - 0.05^(1/n) or more would have shown itself with a probability of 95 %.
    bound = 1.0 - 0.05 ** (1.0 / len(pairs))
    return f"{told}: at 95 % confidence at most {100 * bound:.0f} % of seeds would, so that the seed hardly explains it"


def selection_table(sources: Iterable[Source], picks: Picks) -> pl.DataFrame:
    """How many seeds select each temperature and window, most frequent first."""
    titles = {source.key: source.title for source in sources}
    records: list[dict[str, Any]] = []
    for (dataset, horizon), pairs in picks.items():
        for pair, count in Counter(pairs).most_common():
            records.append(
                {"dataset": titles[dataset], "horizon": horizon}
                | {"temperature": pair[0], "window": str(pair[1]), "seeds": count, "of": len(pairs)}
                | {"the_paper's": "yes" if pair == paper_pair(dataset, horizon) else ""}
            )
    return pl.DataFrame(records)
