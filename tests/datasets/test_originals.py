import gzip
import io
import os
import zipfile
from pathlib import Path

import numpy as np
import polars as pl
import pytest

from ngrc import datasets
from ngrc._types import FloatArray
from ngrc.datasets.beijing import BEIJING, mean_over_sites, read_beijing, site_files
from ngrc.datasets.exchange import EXCHANGE, load_exchange, log_returns
from ngrc.datasets.matrix import read_matrix
from ngrc.datasets.registry import DatasetError, find
from ngrc.datasets.solar import SOLAR
from ngrc.series import as_series

real = pytest.mark.skipif(
    not Path(os.environ.get("NGRC_DATA", "nowhere")).is_dir(),
    reason="NGRC_DATA names no folder with the original files",
)


def write_matrix(path: Path, matrix: FloatArray) -> Path:
    buffer = io.StringIO()
    pl.DataFrame(matrix).write_csv(buffer, include_header=False)
    path.write_bytes(gzip.compress(buffer.getvalue().encode(), 1))
    return path


def site(values: list[str], first_hour: int = 0) -> bytes:
    rows = [f'{k + 1},2013,3,1,{first_hour + k},7,{value},"NNW"' for k, value in enumerate(values)]
    return "\n".join(['"No","year","month","day","hour","PM2.5","PM10","wd"', *rows]).encode()


def zipped(files: dict[str, bytes]) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return buffer.getvalue()


def test_exchange_is_log_returns_of_the_first_column(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng(3)
    levels = np.exp(rng.standard_normal((7588, 8)) / 10)
    write_matrix(tmp_path / "exchange_rate.txt.gz", levels)
    monkeypatch.setenv("NGRC_DATA", str(tmp_path))
    series = datasets.load("exchange")
    expected = [100 * np.log(levels[t, 0] / levels[t - 1, 0]) for t in range(1, 7588)]
    np.testing.assert_allclose(series.values, expected, rtol=1e-9, atol=1e-12)
    assert (series.name, series.times, len(series)) == ("exchange", None, 7587)
    with pytest.raises(ValueError, match="above zero"):
        log_returns(np.array([1.0, 0.0]))


def test_matrix_files_must_be_whole(tmp_path: Path) -> None:
    matrix = np.arange(12.0).reshape(4, 3)
    path = write_matrix(tmp_path / "m.txt.gz", matrix)
    np.testing.assert_array_equal(read_matrix(path, 4, 3), matrix)
    for rows, columns, message in (
        (5, 3, "has 4 rows where 5"),
        (4, 2, "not a matrix of 2"),
        (4, 4, "not a matrix of 4|no number"),
    ):
        with pytest.raises(DatasetError, match=message):
            read_matrix(path, rows, columns)
    (tmp_path / "cut.gz").write_bytes(path.read_bytes()[:-9])
    with pytest.raises(DatasetError, match="not a matrix"):
        read_matrix(tmp_path / "cut.gz", 4, 3)
    (tmp_path / "text.txt").write_text("1,2,x\n")
    with pytest.raises(DatasetError, match="not a matrix"):
        read_matrix(tmp_path / "text.txt", 1, 3)
    (tmp_path / "bomb.gz").write_bytes(gzip.compress(b"1,2,3\n" * 100_000))
    with pytest.raises(DatasetError, match=r"it unpacks to more than 312 bytes"):
        read_matrix(tmp_path / "bomb.gz", 4, 3)
    with pytest.raises(DatasetError, match="7588"):
        load_exchange(write_matrix(tmp_path / "short.gz", np.ones((3, 8))))


def test_beijing_averages_the_sites_that_report() -> None:
    hours, values = mean_over_sites(
        [site(["4", "NA", "9", "NA"]), site(["8", "6", "NA"]), site(["NA", "2"], 2)]
    )
    np.testing.assert_array_equal(hours, np.datetime64("2013-03-01T00") + np.arange(4))
    np.testing.assert_array_equal(values, [6.0, 6.0, 9.0, 2.0])
    _, gap = mean_over_sites([site(["4", "NA", "9"]), site(["NA", "NA", "NA"])])
    assert as_series(gap).filled == 1


def test_beijing_archives_may_lie_in_archives() -> None:
    files = {f"PRSA/PRSA_Data_{name}_20130301-20170228.csv": name.encode() for name in ("B", "A")}
    inner = zipped({**files, "__MACOSX/._PRSA_Data_A.csv": b"x"})
    assert list(site_files(inner)) == [b"A", b"B"]
    assert list(site_files(zipped({"PRSA2017_Data.zip": inner, "data.csv": b"x", "test.csv": b"y"}))) == [
        b"A",
        b"B",
    ]


def test_beijing_must_be_whole(tmp_path: Path) -> None:
    path = tmp_path / BEIJING.files[0]
    path.write_bytes(b"no archive")
    with pytest.raises(DatasetError, match="is damaged"):
        read_beijing(path)
    path.write_bytes(zipped({"PRSA_Data_A.csv": site(["1"])}))
    with pytest.raises(DatasetError, match="1 site files where 12"):
        read_beijing(path)
    path.write_bytes(zipped({f"PRSA_Data_{k:02d}.csv": site(["1", "2"]) for k in range(12)}))
    with pytest.raises(DatasetError, match="spans 2 hours where 35064"):
        read_beijing(path)
    path.write_bytes(zipped({f"PRSA_Data_{k:02d}.csv": b"a,b\n1,2\n" for k in range(12)}))
    with pytest.raises(DatasetError, match="is damaged"):
        read_beijing(path)


def test_unknown_names_are_answered_with_the_known() -> None:
    with pytest.raises(
        ValueError, match=r"no dataset 'exchang'; there are exchange, .*did you mean 'exchange'"
    ):
        datasets.load("exchang")
    assert set(datasets.names()) == {"exchange", "solar", "beijing", "ozone", "ozone-epa"}


def available(name: str) -> bool:
    return find({"exchange": EXCHANGE, "solar": SOLAR, "beijing": BEIJING}[name]) is not None


@real
@pytest.mark.paper
def test_the_real_exchange_file() -> None:
    if not available("exchange"):
        pytest.skip("exchange_rate.txt.gz is not in NGRC_DATA")
    series = datasets.load("exchange")
    assert len(series) == 7587
    np.testing.assert_allclose(series.values[0], 100 * np.log(0.7818 / 0.7855), rtol=1e-12)
    # The isolated pair that looks like an error in the source.
    np.testing.assert_allclose(series.values[6619:6621], [15.1, -15.0], atol=0.05)


@real
@pytest.mark.paper
def test_the_real_solar_file() -> None:
    if not available("solar"):
        pytest.skip("solar_AL.txt.gz is not in NGRC_DATA")
    series = datasets.load("solar")
    assert len(series) == 52560
    assert round(float(series.values.max()), 5) == 30.68175
    assert series.times is not None
    assert series.times[-1] == np.datetime64("2006-12-31T23:50")


@real
@pytest.mark.paper
def test_the_real_beijing_archive() -> None:
    if not available("beijing"):
        pytest.skip("the PRSA archive is not in NGRC_DATA")
    series = datasets.load("beijing")
    assert (len(series), series.filled, series.dropped) == (35064, 83, 0)
    assert series.times is not None
    assert series.times[0] == np.datetime64("2013-03-01T00")
    assert series.times[-1] == np.datetime64("2017-02-28T23")
