"""A local Ray of two processes."""

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from ngrc.panel import forecast_parquet
from ngrc.panel.engines import as_engine
from tests.panel.panels import QUICK, panel, shuffled
from tests.panel.test_parquet import write

ray = pytest.importorskip("ray", reason="Ray is not installed: run `make test-scale`")
# What the libraries of Ray warn of is their own business.
pytestmark = pytest.mark.filterwarnings("default")


@pytest.fixture(scope="module")
def cluster() -> Iterator[Any]:
    """Two processes of this machine, which talk to nobody else and need no token in the user's home."""
    os.environ["RAY_AUTH_MODE"] = "disabled"
    ray.init(num_cpus=2, include_dashboard=False, log_to_driver=False, object_store_memory=100 * 2**20)
    yield ray
    ray.shutdown()


def test_ray_writes_the_same_bytes(cluster: Any, tmp_path: Path) -> None:
    source = write(shuffled(panel(names=list("abcdef"))), tmp_path / "in", 3)
    for engine in ("ray", "local"):
        forecast_parquet(source, tmp_path / engine, 2, engine=engine, partitions=3, **QUICK)
    names = sorted(path.name for path in (tmp_path / "local").glob("*.parquet"))
    assert sorted(path.name for path in (tmp_path / "ray").glob("*.parquet")) == names != []
    for name in names:
        assert (tmp_path / "ray" / name).read_bytes() == (tmp_path / "local" / name).read_bytes()


def test_every_item_comes_back_once(cluster: Any) -> None:
    results = list(as_engine("ray").map(abs, list(range(-20, 0))))
    assert sorted(results) == [(place, 20 - place) for place in range(20)]
    assert list(as_engine("ray").map(abs, [])) == []
