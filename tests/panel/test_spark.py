"""A local Spark: the same files, and the same function over its own groups of rows."""

import os
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pandas as pd
import polars as pl
import pytest

from ngrc.panel import Forecasting, Task, forecast_parquet, forecasts, partition
from tests.panel.panels import QUICK, panel, shuffled
from tests.panel.test_parquet import write

sql = pytest.importorskip("pyspark.sql", reason="Spark is not installed: run `make test-scale`")
if shutil.which("java") is None and "JAVA_HOME" not in os.environ:
    pytest.skip("Spark needs a Java runtime, and there is none", allow_module_level=True)

# What the libraries of Spark warn of is their own business.
pytestmark = pytest.mark.filterwarnings("default")
NAMES = [f"s{place}" for place in range(6)]


@pytest.fixture(scope="module")
def session() -> Iterator[Any]:
    """Two threads of one machine."""
    builder = sql.SparkSession.builder.master("local[2]").appName("panel")
    settings = {
        "spark.ui.enabled": "false",
        "spark.sql.shuffle.partitions": "2",
        "spark.driver.host": "127.0.0.1",
    }
    for name, value in settings.items():
        builder = builder.config(name, value)
    running = builder.getOrCreate()
    running.sparkContext.setLogLevel("ERROR")
    yield running
    running.stop()


def rows() -> pl.DataFrame:
    bad = (pl.col("unique_id") == "s4") & (pl.col("ds") == 5)
    return panel(names=NAMES).with_columns(y=pl.when(bad).then(float("inf")).otherwise("y"))


@pytest.mark.parametrize("named", [True, False])
def test_spark_writes_the_same_bytes(session: Any, tmp_path: Path, named: bool) -> None:
    source = write(shuffled(rows()), tmp_path / "in", 3)
    options: dict[str, Any] = {"partitions": 3, "level": [80, 95], **QUICK}
    forecast_parquet(source, tmp_path / "spark", 2, engine="spark" if named else session, **options)
    forecast_parquet(source, tmp_path / "here", 2, **options)
    here = sorted(path.relative_to(tmp_path / "here") for path in (tmp_path / "here").rglob("*.parquet"))
    assert len(here) == 4
    for name in here:
        assert (tmp_path / "spark" / name).read_bytes() == (tmp_path / "here" / name).read_bytes()
    # Spark reads the folder as it reads its own.
    assert session.read.parquet(str(tmp_path / "spark")).count() == 10


def test_spark_runs_the_partition_function_over_its_own_groups(session: Any) -> None:
    task = Task(Forecasting(2, (0.9,), **QUICK))
    frame = shuffled(rows()).to_pandas()

    def answered(group: pd.DataFrame) -> pd.DataFrame:
        answer: pd.DataFrame = partition(group, task)
        return answer

    schema = "unique_id string, ds long, NGRC double, `NGRC-lo-90` double, `NGRC-hi-90` double, error string"
    table = session.createDataFrame(frame).groupBy("unique_id").applyInPandas(answered, schema).toPandas()
    expected = forecasts(rows(), 2, level=90, **QUICK)
    good = table[table["error"].isna()].sort_values(["unique_id", "ds"]).drop(columns="error")
    assert [tuple(row) for row in good.itertuples(index=False)] == expected.frame.rows()
    assert table[table["error"].notna()]["unique_id"].to_list() == ["s4"]
