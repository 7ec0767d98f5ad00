"""The pages on many series run from top to bottom."""

import re
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from distributed import LocalCluster

ROOT = Path(__file__).parents[2]


def blocks(name: str) -> list[str]:
    return re.findall(r"```python\n(.*?)```", (ROOT / "docs" / name).read_text(), flags=re.DOTALL)


def test_the_page_of_many_series() -> None:
    said: list[Any] = []
    names: dict[str, Any] = {"print": said.append}
    for block in blocks("panel.md"):
        exec(block, names)
    assert names["coming"].height == 3 * 12
    assert names["answer"].failures["unique_id"].to_list() == ["new"]
    assert names["scores"].height == 6
    assert not names["planned"]["NGRC"].equals(names["coming"]["NGRC"])
    assert said[-2].columns == ["unique_id", "cutoff", "metric", "NGRC"]
    assert (said[-1].ids, said[-1].time, said[-1].value) == (("site",), "when", "load")


@pytest.mark.filterwarnings("default")
def test_the_page_of_many_machines() -> None:
    """The block on Spark runs in `make test-scale`, where Spark is."""
    said: list[Any] = []
    with LocalCluster(n_workers=1, threads_per_worker=1, processes=False, dashboard_address=None) as cluster:
        names: dict[str, Any] = {"print": said.append, "scheduler": cluster}
        for block in blocks("scale.md"):
            if "pyspark" in block and not _spark():
                continue
            exec(block, names)
    assert (said[0].series, said[0].rows, said[0].failures) == (8, 56, 0)
    folder = names["folder"]
    order = ["unique_id", "ds"]
    here, dask = (
        pl.read_parquet(folder / name / "*.parquet").sort(order) for name in ("forecasts", "by dask")
    )
    assert here.equals(dask)
    assert names["by_fugue"].shape == names["answer"].shape == (56, 6)
    if "session" in names:
        names["session"].stop()
        assert here.equals(pl.read_parquet(folder / "by spark" / "*.parquet").sort(order))


def _spark() -> bool:
    from importlib.util import find_spec

    return find_spec("pyspark") is not None
