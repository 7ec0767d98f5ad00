"""Sentences on the automatic model, made from the numbers of the run."""

from collections.abc import Sequence

import polars as pl

from ngrc.study.auto.cells import ORIGIN, Plan, Scores
from ngrc.study.auto.checks import best_of_four
from ngrc.study.auto.tables import RIVALS
from ngrc.study.real.cases import HORIZONS
from ngrc.study.real.sources import Source


def auto_findings(data: Sequence[Source], table: pl.DataFrame, scores: Scores) -> list[str]:
    """Per dataset: beside the paper's forecasters, what walking forward changes, and what was chosen."""
    told = []
    for source in data:
        rows = table.filter(pl.col("dataset") == source.title).to_dicts()
        found = {horizon: scores[Plan(source.key, horizon, ORIGIN)] for horizon in HORIZONS}
        told += [
            f"{source.title}: {_beside(source, rows)}",
            f"{source.title}, chosen for the most part: {_chosen({h: s.shares[0].words for h, s in found.items()})}. "
            f"Searches tried {min(s.candidates for s in found.values())} to "
            f"{max(s.candidates for s in found.values())} candidates.",
        ]
    return told


def _beside(source: Source, rows: Sequence[dict[str, float]]) -> str:
    changes = _each(rows, "automatic", "paper_map")
    walked = _each(rows, "automatic_walk", "automatic")
    first = f"RMSE {rows[0]['automatic']:.4f} one step ahead"
    if not source.stand_in:
        model, paper = best_of_four(source.key)
        first += f", where the best of the paper's four, {RIVALS[model]}, has {paper.value:g}"
    return f"{first}; against the paper's map {changes}. Walking forward changes that by {walked}."


def _each(rows: Sequence[dict[str, float]], name: str, base: str) -> str:
    """A relative change per horizon, signed."""
    parts = [f"{100 * (row[name] / row[base] - 1):+.1f} % at H = {row['horizon']}" for row in rows]
    return f"{', '.join(parts[:-1])} and {parts[-1]}"


def _chosen(words: dict[int, str]) -> str:
    """What the heaviest member is at every horizon, said once where it is the same.

    Examples
    --------
    >>> _chosen({1: "last value", 3: "last value", 7: "level from 2 lags"})
    'last value (H = 1, 3); level from 2 lags (H = 7)'
    """
    by_words: dict[str, list[str]] = {}
    for horizon, text in words.items():
        by_words.setdefault(text, []).append(str(horizon))
    return "; ".join(f"{text} (H = {', '.join(where)})" for text, where in by_words.items())
