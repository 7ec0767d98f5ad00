"""The other columns of the Beijing files: means over sites, wind as a direction, rows beside the series'."""

import os
from pathlib import Path

import numpy as np
import pytest

from ngrc import datasets
from ngrc.datasets import weather
from ngrc.datasets.beijing import BEIJING, COMPASS, means_over_sites, read_columns
from ngrc.datasets.registry import DatasetError, find

from .test_originals import zipped

HEADER = '"No","year","month","day","hour","PM10","TEMP","wd","WSPM"'


def site(rows: list[str], first_hour: int = 0) -> bytes:
    """A site's file; a row is PM10, TEMP, wd, WSPM."""
    lines = [f"{k + 1},2013,3,1,{first_hour + k},{row}" for k, row in enumerate(rows)]
    return "\n".join([HEADER, *lines]).encode()


def test_every_column_is_averaged_over_its_own_sites() -> None:
    sites = [site(['1,2,"N",3', '5,NA,"E",1']), site(['3,4,"S",5', "NA,8,NA,NA"])]
    hours, means = means_over_sites(sites, ("PM10", "TEMP", "WSPM", "wd_sin", "wd_cos"))
    np.testing.assert_array_equal(hours, np.datetime64("2013-03-01T00") + np.arange(2))
    # Opposite winds cancel; where one site reports, its wind is the mean.
    np.testing.assert_array_equal(means, [[2.0, 3.0, 4.0, 0.0, 0.0], [5.0, 8.0, 1.0, 1.0, 0.0]])


def test_directions_run_clockwise_from_north() -> None:
    for turns, point in enumerate(("N", "E", "S", "W")):
        angle = np.pi / 2 * turns
        assert COMPASS["wd_sin"][point] == pytest.approx(np.sin(angle), abs=1e-12)
        assert COMPASS["wd_cos"][point] == pytest.approx(np.cos(angle), abs=1e-12)
    assert COMPASS["wd_sin"]["NNE"] == pytest.approx(np.sin(np.pi / 8), abs=1e-12)
    for sine, cosine in zip(COMPASS["wd_sin"].values(), COMPASS["wd_cos"].values(), strict=True):
        assert sine**2 + cosine**2 == pytest.approx(1.0, abs=1e-11)
    assert len(COMPASS["wd_sin"]) == 16


def test_a_point_that_is_none_is_a_damaged_file(tmp_path: Path) -> None:
    path = tmp_path / BEIJING.files[0]
    path.write_bytes(zipped({f"PRSA_Data_{k:02d}.csv": site(['1,2,"NORTH",3']) for k in range(12)}))
    with pytest.raises(DatasetError, match="is damaged"):
        read_columns(path, ("wd_sin",))


def archive(path: Path, temperatures: list[str]) -> Path:
    path.write_bytes(
        zipped({f"PRSA_Data_{k:02d}.csv": site([f'1,{t},"N",2' for t in temperatures]) for k in range(12)})
    )
    return path


def test_gaps_are_carried_forward_and_rows_stay(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ngrc.datasets.beijing.HOURS", 4)
    frame = datasets.beijing_channels(("WSPM", "TEMP"), archive(tmp_path / "a.zip", ["5", "NA", "NA", "7"]))
    assert frame.columns == ["time", "WSPM", "TEMP"]
    assert frame["TEMP"].to_list() == [5.0, 5.0, 5.0, 7.0]
    assert str(frame["time"][3]) == "2013-03-01 03:00:00"
    # A leading gap has nothing to carry, and a shorter column would stand beside the wrong hours.
    with pytest.raises(DatasetError, match="no TEMP in its first 2 hours"):
        datasets.beijing_channels("TEMP", archive(tmp_path / "b.zip", ["NA", "NA", "1", "7"]))


@pytest.mark.parametrize("names", [("TEMP", "temp"), (), ("TEMP", "TEMP"), ("PM10",)])
def test_unknown_and_repeated_names_are_refused(names: tuple[str, ...]) -> None:
    with pytest.raises(
        ValueError, match=r"names must be columns of the Beijing files, each once, got .*TEMP, PRES"
    ):
        datasets.beijing_channels(names)


@pytest.mark.paper
@pytest.mark.skipif(
    not Path(os.environ.get("NGRC_DATA", "nowhere")).is_dir(), reason="NGRC_DATA names no folder"
)
def test_the_real_columns_stand_beside_the_series() -> None:
    if find(BEIJING) is None:
        pytest.skip("the Beijing archive is not in NGRC_DATA")
    frame, series = datasets.beijing_channels(weather.COLUMNS), datasets.load("beijing")
    assert frame.height == len(series) == 35_064
    assert series.times is not None
    np.testing.assert_array_equal(frame["time"].to_numpy().astype("M8[h]"), series.times)
    assert not any(frame.null_count().row(0))
    limits = {"TEMP": (-20, 42), "PRES": (980, 1045), "WSPM": (0, 13), "wd_sin": (-1, 1), "O3": (0, 400)}
    for name, (low, high) in limits.items():
        assert low <= frame[name].to_numpy().min() < frame[name].to_numpy().max() <= high
