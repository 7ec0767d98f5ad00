"""Both recurrences beside the print: distances, their sentences, and the Volterra system's rows among them."""

from dataclasses import replace

import polars as pl
import pytest

from ngrc.study.harness.estimate import Estimate
from ngrc.study.harness.target import Settings
from ngrc.study.real.printed.seeds import SCORES
from ngrc.study.real.selections import Pair
from ngrc.study.rescp.distances import Results, real_records, recurrence_sentences, root_mean_squares
from ngrc.study.rescp.selections import READINGS, selection_sentence
from ngrc.study.rescp.volterra import volterra_records

from .real.test_compare import OTHER, OURS


def doctored(code: float, text: float) -> pl.DataFrame:
    """Distances of ours from the print by so many printed errors, ours having none."""
    results: Results = {}
    for horizon in (1, 3, 7):
        for recurrence, away in (("code", code), ("paper", text)):
            for key in ("solar", "ozone"):
                row = SCORES[key, str(horizon)]
                results[key, horizon, recurrence] = {  # type: ignore[index]
                    name: Estimate(row[name].value + away * float(row[name].spread or 0.0) / 5**0.5, 0.0, 10)
                    for name in ("coverage", "width", "winkler")
                }
    return pl.DataFrame(real_records((OURS, OTHER), results), infer_schema_length=None)


def test_distances_and_their_root_mean_square() -> None:
    table = doctored(1.0, -4.0)
    own = table.filter(pl.col("dataset") == "Solar")
    # Half a printed unit, a thousandth here, is free; printed deviations are 0.001, 0.012 and 0.008.
    free = [0.0005 / (deviation / 5**0.5) for deviation in (0.001, 0.012, 0.008)]
    expected = [(max(1.0 - unit, 0.0), -(4.0 - unit)) for unit in free]
    assert own["width_distance"].to_list() == pytest.approx([far for pair in expected for far in pair])
    assert table.filter(pl.col("dataset") != "Solar")["width_distance"].to_list() == [None] * 6
    squares = root_mean_squares(table)
    assert squares["dataset"].to_list() == ["Solar", "Solar", "all", "all"]
    code, text = squares["root_mean_square"].to_list()[:2]
    assert code < 1.0 < text < 4.0
    assert squares["root_mean_square"].to_list()[2:] == [code, text]
    assert squares["beyond"].to_list()[0] == 0 < squares["beyond"].to_list()[1]
    first, second = recurrence_sentences(table)
    assert "Over 9 printed means" in first
    assert f"{code:.1f} with that of the code (0 beyond 3) and {text:.1f} with that of the text" in first
    assert second.endswith(f"that of the code on Solar ({code:.1f} against {text:.1f}).")
    assert "that of the text on Solar" in recurrence_sentences(doctored(5.0, 2.0))[1]


def test_selections_name_where_none_selects_it() -> None:
    title = next(iter(READINGS))
    picks: dict[tuple[str, int], list[Pair]] = {
        ("exchange", 1): [(0.15, 1500), (0.15, "all")],
        ("exchange", 3): [(0.15, "all")] * 2,
    }
    data = [replace(OURS, key="exchange", title="Exchange"), OTHER]
    told = selection_sentence(data, {title: picks | {(OTHER.key, 1): [(0.15, "all")]}})
    assert "by some seeds on Exchange H = 1 (1 of 2)" in told
    assert "by none on Exchange H = 3 (0 of 2)" in told
    assert "by none" not in selection_sentence(data, {title: {("exchange", 1): picks["exchange", 1]}})


def test_the_volterra_system_stands_in_the_same_table() -> None:
    records = volterra_records(Settings(reps=3, seed=1))
    table = pl.DataFrame([*doctored(1.0, 1.0).to_dicts(), *records], infer_schema_length=None)
    rows = table.filter(pl.col("dataset") == "Volterra")
    assert rows["recurrence"].to_list() == ["code", "paper"] * 4
    assert rows["case"].n_unique() == 4
    assert rows["winkler_distance"].null_count() == 8
    # tab:sim_volterra_response, ResCP with all history: 0.911 and 0.583 before the change, 0.815 and 1.127 after it.
    assert rows["coverage_paper"].to_list()[:4] == [0.911, 0.911, 0.815, 0.815]
    assert rows["width_paper"].to_list()[:4] == [0.583, 0.583, 1.127, 1.127]
    first = rows.row(0, named=True)
    error = (first["width_se"] ** 2 + 0.002**2) ** 0.5
    assert first["width_distance"] == pytest.approx(max(abs(first["width"] - 0.583) - 0.0005, 0) / error)
    squares = root_mean_squares(table)
    assert squares.filter(pl.col("dataset") == "Volterra")["numbers"].to_list() == [8, 8]
    assert "Volterra" in recurrence_sentences(table)[1]
