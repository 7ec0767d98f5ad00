"""A real cluster of two worker processes, one of which is killed in the middle."""

import os
import signal
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from distributed import Client, LocalCluster

from ngrc.panel import forecast_parquet, forecasts
from tests.panel.panels import MODEL, panel
from tests.panel.test_parquet import read, write
from tests.waiting import wait_until

NAMES = [f"s{place}" for place in range(20)]
PARTITIONS = 10
OPTIONS: dict[str, Any] = {"model": MODEL, "method": "adaptive"}


@pytest.fixture(scope="module")
def client() -> Iterator[Client]:
    options: dict[str, Any] = {
        "n_workers": 2,
        "threads_per_worker": 1,
        "processes": True,
        "dashboard_address": None,
    }
    with LocalCluster(**options) as cluster, Client(cluster) as client:
        yield client


def held(done: str, gate: str) -> Callable[[], None]:
    """For a worker: once a partition is done, begin no other before there is the file `gate`."""

    def hold() -> None:
        import time
        from pathlib import Path

        from ngrc.panel.engines.dask import _Call

        made = _Call.made

        def wait_and_make(self: _Call) -> Any:
            while any(Path(done).glob("*.json")) and not Path(gate).exists():
                time.sleep(0.01)
            return made(self)

        _Call.made = wait_and_make  # type: ignore[method-assign]

    return hold


@pytest.mark.filterwarnings("default")
def test_a_killed_worker_changes_nothing(client: Client, tmp_path: Path) -> None:
    frame = panel(names=NAMES)
    source = write(frame.sample(fraction=1.0, shuffle=True, seed=1), tmp_path / "in", 4)
    pids = client.run(os.getpid)
    done, gate = tmp_path / "out" / "_ngrc" / "done", tmp_path / "gate"
    client.run(held(str(done), str(gate)))
    with ThreadPoolExecutor(1) as pool:
        run = pool.submit(
            forecast_parquet, source, tmp_path / "out", 4, engine=client, partitions=PARTITIONS, **OPTIONS
        )
        wait_until(lambda: run.done() or any(done.glob("*.json")))
        victim = next(address for address, tasks in client.processing().items() if tasks)
        finished = len(list(done.glob("*.json")))
        os.kill(pids[victim], signal.SIGKILL)
        gate.touch()
        manifest = run.result(timeout=300)
    # Each of the two workers may have ended one before it saw that there was one.
    assert 1 <= finished <= 2
    assert manifest.series == len(NAMES)
    assert read(tmp_path / "out").equals(forecasts(frame, 4, **OPTIONS).frame.sort("unique_id", "ds"))
    # The nanny has put another process in its place.
    assert pids[victim] not in client.run(os.getpid).values()


@pytest.mark.filterwarnings("default")
def test_the_open_client_is_taken_by_name(client: Client, tmp_path: Path) -> None:
    source = write(panel(names=NAMES[:3]), tmp_path / "in", 3)
    forecast_parquet(source, tmp_path / "dask", 2, engine="dask", **OPTIONS)
    forecast_parquet(source, tmp_path / "here", 2, **OPTIONS)
    for name in ("part-000000.parquet", "part-000001.parquet", "part-000002.parquet"):
        assert pl.read_parquet(tmp_path / "dask" / name).equals(pl.read_parquet(tmp_path / "here" / name))
        assert (tmp_path / "dask" / name).read_bytes() == (tmp_path / "here" / name).read_bytes()
