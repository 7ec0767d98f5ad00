"""A backtest as text: what was run, and how every method scored, within sixty columns."""

from collections.abc import Sequence
from typing import Any

from ngrc._text import aligned, percent, rounded, shortened, text_table

# The values are those of `results.py`, which imports this file: their types cannot be named here.


def words(result: Any) -> str:
    """The lines that printing a backtest shows; the best Winkler score of each table of methods has a star."""
    series, first = result.series, result.runs[0]
    lines = [
        f"Backtest of {series.name}: {len(series):,} observations",
        *(_of_run(run) for run in result.runs[:3]),
    ]
    if len(result.runs) > 3:
        lines.append(f"... and {len(result.runs) - 3} runs more")
    several = len(result.runs) > 1, len({band.level for band in first.bands}) > 1
    pairs = [(run, band) for run in result.runs for band in run.bands]
    rows, more = shortened(_rows(pairs, *several), "result.table")
    headings = [*(["H", "window"] if several[0] else []), *(["level"] if several[1] else [])]
    lines += ["", text_table([*headings, "method", "coverage", "width", "Winkler"], rows)]
    return "\n".join([*lines, more] if more else lines)


def _of_run(run: Any) -> str:
    blocks = run.blocks
    refits = f"{run.refits} refits" if run.refits else "one fit"
    return (
        f"{type(run.model).__name__}, horizon {blocks.horizon}, {refits}, {blocks.test_rows:,} tested: RMSE "
        f"{rounded(run.rmse)}"
    )


def _rows(pairs: Sequence[tuple[Any, Any]], runs: bool, levels: bool) -> list[list[str]]:
    best: dict[tuple[int, int, float], float] = {}
    for run, band in pairs:
        key = run.window, run.blocks.horizon, band.level
        best[key] = min(best.get(key, band.winkler), band.winkler)
    widths = aligned([band.width for _, band in pairs])
    scores = aligned([band.winkler for _, band in pairs])
    return [
        [
            *([str(run.blocks.horizon), str(run.window)] if runs else []),
            *([f"{percent(band.level)} %"] if levels else []),
            band.method,
            f"{100 * band.coverage:.1f} %",
            width,
            score + ("*" if band.winkler == best[run.window, run.blocks.horizon, band.level] else " "),
        ]
        for (run, band), width, score in zip(pairs, widths, scores, strict=True)
    ]
