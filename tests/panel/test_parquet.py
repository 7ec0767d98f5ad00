"""Folders of Parquet files: the same rows as in memory, whole or not at all, and on from where a run stopped."""

import json
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from ngrc._progress import Progress, listening
from ngrc.panel import Scoring, Task, answer_parquet, forecast_parquet, forecasts
from ngrc.panel.parquet.shuffle import bucket_of, buckets_of
from tests.panel.panels import MODEL, QUICK, panel, shuffled

NAMES = [f"s{place}" for place in range(7)]


def rows() -> pl.DataFrame:
    bad = (pl.col("unique_id") == "s4") & (pl.col("ds") == 5)
    return panel(names=NAMES).with_columns(y=pl.when(bad).then(float("inf")).otherwise("y"))


def write(frame: pl.DataFrame, folder: Path, files: int) -> Path:
    folder.mkdir(parents=True)
    size = -(-frame.height // files)
    for place, part in enumerate(frame.iter_slices(size)):
        part.write_parquet(folder / f"{place}.parquet", row_group_size=50)
    return folder


def read(out: Path) -> pl.DataFrame:
    return pl.read_parquet(out / "*.parquet").sort("unique_id", "ds")


@pytest.fixture(scope="module")
def expected() -> Any:
    return forecasts(rows(), 2, **QUICK)


@pytest.fixture
def source(tmp_path: Path) -> Path:
    """Series scattered over three files."""
    return write(shuffled(rows()), tmp_path / "in", 3)


def test_scattered_series_are_gathered_and_forecast(source: Path, tmp_path: Path, expected: Any) -> None:
    told: list[Progress] = []
    with listening(told.append):
        manifest = forecast_parquet(source, tmp_path / "out", 2, partitions=3, **QUICK)
    assert (manifest.partitions, manifest.rows, manifest.series, manifest.failures) == (3, 12, 6, 1)
    assert manifest.shuffled
    assert read(tmp_path / "out").equals(expected.frame)
    assert pl.read_parquet(tmp_path / "out" / "_failures" / "*.parquet").equals(expected.failures)
    names = sorted(path.name for path in (tmp_path / "out").iterdir())
    assert names == ["_SUCCESS", "_failures", *(f"part-00000{number}.parquet" for number in range(3))]
    stages = [(event.stage, event.done, event.total) for event in told]
    assert stages == [(stage, done, 3) for stage in ("files", "partitions") for done in (1, 2, 3)]


def test_files_that_share_no_series_are_partitions_as_they_are(tmp_path: Path, expected: Any) -> None:
    folder = write(rows(), tmp_path / "in", 7)
    manifest = forecast_parquet(folder, tmp_path / "out", 2, **QUICK)
    assert (manifest.partitions, manifest.shuffled) == (7, False)
    assert read(tmp_path / "out").equals(expected.frame)


def test_a_touching_range_of_ids_is_shuffled(tmp_path: Path) -> None:
    folder = write(rows(), tmp_path / "in", 6)
    manifest = forecast_parquet(folder, tmp_path / "out", 2, **QUICK)
    assert (manifest.partitions, manifest.shuffled, manifest.series) == (1, True, 6)


def test_addresses_and_types(tmp_path: Path) -> None:
    days = pl.datetime_range(
        pl.datetime(2024, 1, 1), pl.datetime(2024, 2, 29), eager=True, time_zone="Europe/Berlin"
    )
    frame = panel(names=[3, 1, 2], times=days).with_columns(
        pl.col("unique_id").cast(pl.Int16), pl.col("y").cast(pl.Float32)
    )
    folder = write(frame, tmp_path / "in", 2)
    forecast_parquet(f"file://{folder}", f"file://{tmp_path / 'out'}", 2, partitions=2, **QUICK)
    answer = read(tmp_path / "out")
    assert answer.equals(forecasts(frame, 2, **QUICK).frame.sort("unique_id", "ds"))
    assert answer.schema["ds"] == days.dtype


def test_any_task_can_be_done(source: Path, tmp_path: Path) -> None:
    work = Scoring((1,), (0.9,), MODEL, ("split",))
    manifest = answer_parquet(source, tmp_path / "out", Task(work), partitions=2)
    assert (manifest.rows, manifest.failures) == (6, 1)
    assert pl.read_parquet(tmp_path / "out" / "*.parquet")["method"].to_list() == ["split"] * 6


class Stops:
    """An engine that breaks down after some items."""

    def __init__(self, after: int) -> None:
        self.left = after

    def map(self, function: Callable[[Any], Any], items: Sequence[Any]) -> Iterator[tuple[int, Any]]:
        for place, item in enumerate(items):
            if self.left == 0:
                raise KeyboardInterrupt
            self.left -= 1
            yield place, function(item)


@pytest.mark.parametrize("after", range(6))
def test_a_run_goes_on_where_it_was_stopped(source: Path, tmp_path: Path, expected: Any, after: int) -> None:
    """Of three slabs and three partitions nothing shows until all is done, and nothing is done twice."""
    out, told = tmp_path / "out", list[Progress]()
    with pytest.raises(KeyboardInterrupt):
        forecast_parquet(source, out, 2, partitions=3, engine=Stops(after), **QUICK)
    assert [path.name for path in out.iterdir()] == ["_ngrc"]
    with listening(told.append):
        forecast_parquet(source, out, 2, partitions=3, **QUICK)
    assert len(told) == 6 - after
    assert read(out).equals(expected.frame)


def test_a_run_that_is_done_is_not_done_again(source: Path, tmp_path: Path) -> None:
    first = forecast_parquet(source, tmp_path / "out", 2, **QUICK)
    assert forecast_parquet(source, tmp_path / "out", 2, engine=Stops(0), **QUICK) == first


def test_another_run_is_refused_or_replaces_the_first(source: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    forecast_parquet(source, out, 2, **QUICK)
    with pytest.raises(ValueError, match="holds another run"):
        forecast_parquet(source, out, 3, **QUICK)
    forecast_parquet(source, out, 3, overwrite=True, **QUICK)
    assert read(out).height == 18
    # The same task over files that have changed is another run too.
    extra = pl.DataFrame({"unique_id": ["z"], "ds": [0], "y": [1.0]})
    extra.write_parquet(source / "more.parquet")
    with pytest.raises(ValueError, match="files that have changed"):
        forecast_parquet(source, out, 3, **QUICK)


def test_files_of_somebody_else_are_never_removed(source: Path, tmp_path: Path) -> None:
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / "mine.txt").write_text("mine")
    for overwrite in (False, True):
        with pytest.raises(ValueError, match="holds"):
            forecast_parquet(source, tmp_path / "out", 2, overwrite=overwrite, **QUICK)
    assert (tmp_path / "out" / "mine.txt").read_text() == "mine"


def test_a_part_that_fails_to_be_written_leaves_nothing(tmp_path: Path) -> None:
    from ngrc.panel.parquet.storage import Storage

    storage = Storage.at(tmp_path)

    def fail(stream: Any) -> None:
        stream.write(b"half")
        raise OSError("disk full")

    with pytest.raises(OSError, match="disk full"):
        storage.write(storage.join("folder", "file"), fail)
    assert list((tmp_path / "folder").iterdir()) == []


WRONG: list[tuple[dict[str, Any], str]] = [
    ({"partitions": 0}, "partitions must be at least 1"),
    ({"partitions": 2, "shuffle": False}, "leave one of them out"),
    ({"target_col": "sales"}, "has no column 'sales', it has 'unique_id', 'ds', 'y'"),
    ({"engine": "sparc"}, "engine must be one of"),
]


@pytest.mark.parametrize(("options", "words"), WRONG)
def test_what_is_wrong_is_refused_before_anything_is_written(
    source: Path, tmp_path: Path, options: dict[str, Any], words: str
) -> None:
    with pytest.raises(ValueError, match=words):
        forecast_parquet(source, tmp_path / "out", 2, **{**QUICK, **options})
    assert not (tmp_path / "out").exists()


def test_folders_must_differ_and_hold_files(source: Path, tmp_path: Path) -> None:
    for out in (source, source / "out", tmp_path):
        with pytest.raises(ValueError, match="out must not lie in the source or hold it"):
            forecast_parquet(source, out, 2, **QUICK)
    (tmp_path / "empty").mkdir()
    with pytest.raises(ValueError, match="there is no Parquet file"):
        forecast_parquet(tmp_path / "empty", tmp_path / "out", 2, **QUICK)


def test_buckets_are_the_same_for_every_spelling_of_a_column() -> None:
    names = ["a", None, "b", "a", "c"]
    plain = buckets_of(pa.chunked_array([names]), 5)
    coded = buckets_of(pa.chunked_array([pa.array(names).dictionary_encode()]), 5)
    assert plain.tolist() == coded.tolist() == [bucket_of(name, 5) for name in names]
    numbers = buckets_of(pa.chunked_array([np.arange(1000, dtype=np.int32)]), 10)
    # 100 per bucket on average; 9 standard deviations of a binomial of 1000 trials with a chance of a tenth.
    assert np.all(np.abs(np.bincount(numbers, minlength=10) - 100) < 9 * np.sqrt(90))


def test_the_manifest_is_a_plain_file(source: Path, tmp_path: Path) -> None:
    forecast_parquet(source, tmp_path / "out", 2, **QUICK)
    told = json.loads((tmp_path / "out" / "_SUCCESS").read_text())
    assert told["manifest"] == {"partitions": 1, "rows": 12, "series": 6, "failures": 1, "shuffled": True}
    assert [Path(file).name for file, _, _ in told["plan"]["files"]] == [
        "0.parquet",
        "1.parquet",
        "2.parquet",
    ]
    assert pq.read_table(tmp_path / "out").num_rows == 12


def test_coded_text_comes_out_plain(tmp_path: Path, expected: Any) -> None:
    coded = shuffled(rows()).with_columns(pl.col("unique_id").cast(pl.Categorical))
    folder = write(coded, tmp_path / "in", 3)
    forecast_parquet(folder, tmp_path / "out", 2, partitions=20, **QUICK)
    assert read(tmp_path / "out").equals(expected.frame)


def test_row_groups_are_cut_into_pieces_that_a_task_can_hold() -> None:
    from ngrc.panel.parquet.plan import Footer, slabs

    footers = [
        Footer(name, 0, 0, sum(groups), groups, None, None)
        for name, groups in (("a", (1_000_000,) * 6), ("b", ()), ("c", (4_000_000, 10)))
    ]
    cuts = [(slab.number, slab.file, slab.first, slab.stop) for slab in slabs(footers)]
    assert cuts == [(0, "a", 0, 2), (1, "a", 2, 4), (2, "a", 4, 6), (3, "c", 0, 1), (4, "c", 1, 2)]
