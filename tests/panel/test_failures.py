"""One bad series never stops the rest."""

from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pytest

from ngrc import as_series, look_ahead
from ngrc.panel import Answer, PanelWarning, backtests, forecast, forecasts
from tests.panel.panels import MODEL, QUICK, SIZE, panel, values

ROW = "row 6 of the series, counting from 1 in the order of time"


HERE = (pl.col("unique_id") == "b") & (pl.col("ds") == 5)
OTHERS = pl.col("unique_id") != "b"

BAD: list[tuple[pl.DataFrame, str]] = [
    (
        panel().with_columns(y=pl.when(HERE).then(float("inf")).otherwise("y")),
        f"{ROW}: inf is infinite",
    ),
    (
        panel().with_columns(ds=pl.when(HERE).then(4).otherwise("ds")),
        "repeats the time of the row before",
    ),
    (panel().filter((pl.col("unique_id") != "b") | (pl.col("ds") != 5)), "does not follow 4 by 1 as most rows do"),
    (panel().filter((pl.col("unique_id") != "b") | (pl.col("ds") < 9)), "too short"),
    (
        panel().with_columns(ds=pl.when(HERE).then(None).otherwise("ds")),
        "has no time",
    ),
    (panel().with_columns(y=pl.when(pl.col("unique_id") == "b").then(None).otherwise("y")), "values are missing"),
]  # fmt: skip


@pytest.mark.parametrize(("frame", "words"), BAD, ids=[words for _, words in BAD])
@pytest.mark.parametrize("library", ["pandas", "polars"])
def test_a_bad_series_is_reported_and_the_others_are_forecast(frame: Any, words: str, library: str) -> None:
    good = forecast(panel().filter(pl.col("unique_id") != "b"), 2, **QUICK)
    if library == "pandas":
        frame = frame.to_pandas()
    answer = forecasts(frame, 2, **QUICK)
    assert list(answer.failures.columns) == ["unique_id", "error"]
    assert answer.failures["unique_id"].to_list() == ["b"]
    assert words in answer.failures["error"].to_list()[0]
    for name in good.columns:
        assert answer.frame[name].to_list() == good[name].to_list()


def test_the_frame_alone_comes_with_a_warning() -> None:
    frame, _ = BAD[0]
    with pytest.warns(PanelWarning, match=r"1 series of the panel gave no answer: 'b': .* is infinite"):
        answer = forecast(frame, 2, **QUICK)
    assert answer.equals(forecasts(frame, 2, **QUICK).frame)


def test_nothing_but_failures_is_an_error_for_the_frame_alone() -> None:
    short = panel(size=5)
    with pytest.raises(ValueError, match=r"no series gave an answer: 'a': .*too short"):
        forecast(short, 2, **QUICK)
    answer = forecasts(short, 2, **QUICK)
    assert (answer.frame.shape, answer.failures.height) == ((0, 5), 3)
    assert answer.frame["ds"].dtype == pl.Int64


def test_many_failures_make_a_short_warning() -> None:
    frame = pl.concat([panel(names=list("uvwxyz"), size=5), panel()])
    with pytest.warns(PanelWarning, match=r"6 series .* and 3 more; ngrc\.panel\.forecasts lists them all"):
        forecast(frame, 2, **QUICK)


@pytest.mark.parametrize("missing", [None, float("nan")])
def test_rows_without_an_id_are_one_failure(missing: Any) -> None:
    frame = pd.DataFrame({"unique_id": ["a"] * SIZE + [missing] * 2, "ds": [*range(SIZE), 0, 1], "y": 1.0})
    frame.loc[: SIZE - 1, "y"] = values(0)
    answer = forecasts(frame, 1, **QUICK)
    assert answer.failures["error"].to_list() == ["2 rows without an id; give them one or drop them"]
    assert pd.isna(answer.failures["unique_id"][0])
    assert len(answer.frame) == 1


@pytest.mark.parametrize("missing", [None, float("nan")])
def test_numbers_that_are_no_ids_are_one_failure_in_polars(missing: Any) -> None:
    frame = pl.DataFrame({"unique_id": [missing, 1.5, 2.5], "ds": 0, "y": 1.0})
    answer = forecasts(frame, 1, **QUICK)
    assert [reason[:14] for reason in answer.failures["error"]] == ["the series is "] * 2 + ["1 row without "]
    assert str(answer.failures["unique_id"].to_list()) == f"[1.5, 2.5, {missing}]"


def test_text_among_the_numbers_is_the_failure_of_its_series() -> None:
    frame = panel().to_pandas().astype({"y": object})
    frame.loc[SIZE + 5, "y"] = "n/a"
    answer = forecasts(frame, 1, **QUICK)
    assert answer.failures["error"].to_list()[0].startswith(f"{ROW}: 'n/a' stands where a number belongs")
    assert answer.frame["unique_id"].to_list() == ["a", "c"]


def test_missing_values_are_carried_forward_and_leading_ones_dropped() -> None:
    gaps = np.where(np.arange(SIZE) % 7 == 0, np.nan, values(0))
    answer = forecast(panel(names=["a"]).with_columns(y=gaps), 1, **QUICK)
    alone = look_ahead(as_series(gaps), steps=1, **QUICK)
    assert answer["NGRC"][0] == alone.forecast[0]


def test_a_constant_series_has_intervals_of_no_width() -> None:
    answer = forecast(panel(names=["a"]).with_columns(y=pl.lit(3.0)), 1, **QUICK)
    assert answer.row(0)[2:] == (3.0, 3.0, 3.0)


def test_gaps_and_repeats_are_put_on_a_grid_where_asked() -> None:
    frame = pl.concat(
        [BAD[2][0], panel(names=["b"]).filter(pl.col("ds") == 7).with_columns(y=pl.col("y") + 1)]
    )
    answer = forecasts(frame, 1, resample=True, **QUICK)
    assert answer.failures.height == 0
    rows = frame.filter(pl.col("unique_id") == "b")
    series = as_series(rows.drop("unique_id"), time="ds", column="y", resample=True)
    alone = look_ahead(series, steps=1, **QUICK)
    assert answer.frame["NGRC"].to_list()[1] == alone.forecast[0]


def test_an_answer_prints_its_frame_and_tells_one_story() -> None:
    answer = forecasts(panel(), 1, **QUICK)
    assert isinstance(answer, Answer)
    assert "NGRC" in repr(answer)
    assert backtests(panel(size=5), model=MODEL).failures.height == 3
