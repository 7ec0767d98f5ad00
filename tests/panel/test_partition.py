"""The one function that every engine runs: pure, typed before it runs, and blind to everything but its series."""

import pickle
from typing import Any

import dask.dataframe as dd
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from fugue import transform

from ngrc.panel import Forecasting, Layout, Rolling, Scoring, Task, forecasts, partition
from tests.panel.panels import MODEL, QUICK, SIZE, panel, shuffled

WORK = Forecasting(2, (0.8, 0.95), **QUICK)
TASK = Task(WORK)
KINDS: dict[str, Any] = {
    "pandas": lambda frame: frame.to_pandas(),
    "polars": lambda frame: frame,
    "arrow": lambda frame: frame.to_arrow(),
}
TASKS = [TASK, Task(Scoring((1,), (0.9,), MODEL, ("split",))), Task(Rolling(WORK, 2, 2), resample=True)]


def with_a_failure() -> pl.DataFrame:
    return panel().with_columns(
        y=pl.when((pl.col("unique_id") == "b") & (pl.col("ds") == 5)).then(float("inf")).otherwise("y")
    )


def polars_of(frame: Any) -> pl.DataFrame:
    if isinstance(frame, pd.DataFrame):
        return pl.from_pandas(frame)
    return frame if isinstance(frame, pl.DataFrame) else pl.DataFrame(pl.from_arrow(frame))


@pytest.mark.parametrize("task", TASKS, ids=lambda task: type(task.work).__name__)
@pytest.mark.parametrize("kind", KINDS)
def test_types_are_known_before_anything_runs(kind: str, task: Task) -> None:
    frame = with_a_failure()
    before: Any = partition(KINDS[kind](frame.head(0)), task)
    after: Any = partition(KINDS[kind](frame), task)
    assert isinstance(after, {"pandas": pd.DataFrame, "polars": pl.DataFrame, "arrow": pa.Table}[kind])
    empty = polars_of(after).filter(pl.lit(False))
    if kind == "pandas":
        assert [str(kind) for kind in before.dtypes] == [str(kind) for kind in after.dtypes]
    else:
        assert polars_of(before).schema == empty.schema
    names = ["unique_id", *(field.name for field in task.fields), "error"]
    assert empty.columns == names


@pytest.mark.parametrize("kind", KINDS)
def test_answers_and_failures_stand_in_one_frame(kind: str) -> None:
    frame = with_a_failure()
    both = polars_of(partition(KINDS[kind](frame), TASK))
    answer = forecasts(frame, 2, level=[80, 95], **QUICK)
    good = both.filter(pl.col("error").is_null()).drop("error")
    assert good.rows() == answer.frame.rows()
    bad = both.filter(pl.col("error").is_not_null())
    assert bad.select("unique_id", "error").rows() == answer.failures.rows()
    # pandas has one word for missing and for no number.
    blank = (
        bad.drop("unique_id", "error").fill_nan(None) if kind == "pandas" else bad.drop("unique_id", "error")
    )
    assert blank.null_count().row(0) == (1,) * blank.width


def test_other_series_and_the_order_of_rows_change_nothing() -> None:
    together = partition(shuffled(with_a_failure()), TASK).sort("unique_id", "ds")
    apart = [partition(with_a_failure().filter(pl.col("unique_id") == name), TASK) for name in "abc"]
    assert together.equals(pl.concat(apart))


def test_the_order_of_repeated_times_changes_nothing() -> None:
    repeats = panel(names=["a"]).filter(pl.col("ds") > 50).with_columns(y=pl.col("y") * 1.1)
    third = repeats.with_columns(y=pl.col("y") * 0.3)
    task = Task(WORK, resample=True)
    rows = [panel(names=["a"]), repeats, third]
    assert partition(pl.concat(rows), task).equals(partition(pl.concat(rows[::-1]), task))


@pytest.mark.parametrize("task", TASKS, ids=lambda task: type(task.work).__name__)
def test_a_task_is_a_value_that_can_be_shipped(task: Task) -> None:
    copy = pickle.loads(pickle.dumps(task))
    assert repr(copy) == repr(task)
    assert copy.fields == task.fields
    with pytest.raises(AttributeError):
        task.resample = False  # type: ignore[misc]


def test_a_partition_leaves_its_frame_alone() -> None:
    frame = with_a_failure().to_pandas()
    before = frame.copy()
    partition(frame, TASK)
    pd.testing.assert_frame_equal(frame, before)


def fugue_answer(frame: pd.DataFrame, task: Task) -> pd.DataFrame:
    answer: pd.DataFrame = partition(frame, task)
    return answer


@pytest.mark.parametrize("engine", [None, "dask"])
def test_fugue_maps_it_over_partitions_by_series(engine: str | None) -> None:
    if engine:
        pytest.importorskip("pyspark", reason="half a minute for Fugue on Dask: only in `make test-scale`")
    ends = "".join(f",`NGRC-{end}`:double" for end in ("lo-95", "lo-80", "hi-80", "hi-95"))
    schema = f"unique_id:str,ds:long,NGRC:double{ends},error:str"
    frame: Any = with_a_failure().to_pandas()
    source = dd.from_pandas(frame, npartitions=2, sort=False) if engine else frame
    result = transform(
        source,
        fugue_answer,
        schema=schema,
        partition={"by": "unique_id"},
        params={"task": TASK},
        engine=engine,
    )
    table = result.compute() if engine else result
    expected = partition(frame, TASK)
    for name in expected.columns:
        ours = table.sort_values(["unique_id", "ds"])[name].to_list()
        assert repr([_plain(value) for value in ours]) == repr(
            [_plain(value) for value in _sorted(expected)[name]]
        )


def _sorted(frame: pd.DataFrame) -> pd.DataFrame:
    return frame.sort_values(["unique_id", "ds"])


def _plain(value: Any) -> Any:
    return None if value is None or value is pd.NA or value != value else str(value)


def test_dask_maps_it_over_partitions() -> None:
    frame = with_a_failure().to_pandas()
    # Cut between series, as an index that is set and sorted by id cuts.
    source = dd.concat([dd.from_pandas(part, npartitions=1) for _, part in frame.groupby("unique_id")])
    meta = partition(frame.head(0), TASK)
    table = source.map_partitions(partition, TASK, meta=meta).compute(scheduler="synchronous")
    pd.testing.assert_frame_equal(
        _sorted(table).reset_index(drop=True), _sorted(partition(frame, TASK)).reset_index(drop=True),
        check_dtype=False,
    )  # fmt: skip


def test_layouts_name_each_column_once() -> None:
    with pytest.raises(ValueError, match="two parts to play"):
        Layout("a", "b", "a")
    assert Layout(exog=["x"]).exog == ("x",)  # type: ignore[arg-type]


def test_a_wide_panel_is_one_pass_over_arrays() -> None:
    names = [f"s{place}" for place in range(5)]
    frame = panel(names=names)
    answer = forecasts(frame, 1, **QUICK)
    assert answer.frame["unique_id"].to_list() == names
    assert np.all(np.isfinite(answer.frame["NGRC"].to_numpy()))
    assert answer.frame["ds"].to_list() == [SIZE] * 5
