"""Scores without the spikes, by hand."""

import numpy as np
import polars as pl
import pytest

from ngrc.backtesting.results import Run
from ngrc.study.real.cases import DETERMINISTIC, LEVEL, METHOD_TITLES, Case, fit, scores
from ngrc.study.real.targets.main.spikes import scores_without, spike_days, spike_note, spike_table

from .conftest import SPIKES, made_up


@pytest.fixture(scope="module")
def run() -> Run:
    return fit(Case("exchange"), made_up())[0]


def test_days_are_spikes_of_the_test_block_only(run: Run) -> None:
    series = made_up()
    assert spike_days(series, run) == list(SPIKES)
    series.values[100] = 60.0
    assert 100 not in spike_days(series, run)


@pytest.mark.parametrize("method", DETERMINISTIC)
def test_without_no_day_is_the_band_itself(run: Run, method: str) -> None:
    band = run.band(method, LEVEL)
    assert scores_without(made_up(), run, band, ()) == pytest.approx(scores(run, band))


def test_without_days_is_a_mean_over_the_others(run: Run) -> None:
    series, band = made_up(), run.band("split", LEVEL)
    hits, widths, penalties = [], [], []
    for place, day in enumerate(range(run.blocks.test.start, run.blocks.test.stop)):
        if day in SPIKES:
            continue
        y, low, high = series.values[day], band.lower[place], band.upper[place]
        hits.append(low <= y <= high)
        widths.append((high - low) / run.scale[1])
        penalties.append(2 / 0.05 * max(low - y, y - high, 0.0) / run.scale[1])
    expected = np.mean(hits), np.mean(widths), np.mean(widths) + np.mean(penalties)
    assert scores_without(series, run, band, SPIKES) == pytest.approx(expected)


def test_table_and_note_are_of_the_same_numbers(run: Run) -> None:
    series = made_up()
    seeded = [run.band("split", LEVEL), run.band("adaptive", LEVEL)]
    table = spike_table(series, run, seeded, SPIKES)
    assert table["method"].to_list() == list(METHOD_TITLES.values())
    last = table.row(-1, named=True)
    pair = [scores_without(series, run, band, SPIKES).winkler for band in seeded]
    assert last["winkler_without_spikes"] == pytest.approx(np.mean(pair))
    assert (table["winkler_change"] < 0).all()
    note = spike_note(series, table, SPIKES)
    assert f"{min(table['winkler_without_spikes'].to_list()):.3f}" in note
    assert "800 (+40), 801 (-40)" in note
    assert "no isolated spikes" in spike_note(series, table, ())


def test_the_note_follows_the_table(run: Run) -> None:
    series = made_up()
    table = spike_table(series, run, [run.band("split", LEVEL)], SPIKES)
    ours = [1.0 if title == METHOD_TITLES["weighted"] else 2.0 for title in table["method"]]
    stays = table.with_columns(winkler=pl.Series(ours), winkler_without_spikes=pl.Series(ours))
    assert "Time-weighted CP, the best with them, stays the best" in spike_note(series, stays, SPIKES)
    moved = stays.with_columns(winkler_without_spikes=pl.Series([0.5, *ours[1:]]))
    assert "is no longer the best (Bayesian ridge with 0.500)" in spike_note(series, moved, SPIKES)
