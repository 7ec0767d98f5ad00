"""Several processes: the same bits, and progress told of every series."""

import polars as pl
import pytest

from ngrc._progress import Progress, listening
from ngrc.panel import forecasts
from ngrc.panel.engines import Local, Processes, as_engine
from ngrc.panel.frames import read_panel
from ngrc.panel.layout import Layout
from tests.panel.panels import QUICK, SIZE, panel

NAMES = [f"s{place}" for place in range(9)]


def frame() -> pl.DataFrame:
    bad = (pl.col("unique_id") == "s4") & (pl.col("ds") == 5)
    return panel(names=NAMES).with_columns(y=pl.when(bad).then(float("inf")).otherwise("y"))


def test_processes_change_nothing_and_tell_of_every_series() -> None:
    answers, heard = [], []
    for jobs in (1, 2):
        told: list[Progress] = []
        with listening(told.append):
            answers.append(forecasts(frame(), 2, jobs=jobs, **QUICK))
        heard.append([(event.stage, event.done, event.total) for event in told])
    assert answers[0].frame.equals(answers[1].frame)
    assert answers[0].failures.equals(answers[1].failures)
    assert answers[0].failures["unique_id"].to_list() == ["s4"]
    assert heard[0] == heard[1] == [("series", done, 9) for done in range(1, 10)]


@pytest.mark.parametrize("rows", [1, SIZE, 2 * SIZE, 2 * SIZE + 1, 100 * SIZE])
def test_chunks_hold_every_series_once_and_whole(rows: int) -> None:
    _, whole, _ = read_panel(frame(), Layout())
    chunks = list(whole.chunks(rows))
    assert sum(len(chunk) for chunk in chunks) == 9
    assert len(chunks[0]) == max(min(rows // SIZE, 9), 1)
    joined = [value for chunk in chunks for value in chunk.observed.values.tolist()]
    assert joined == frame()["y"].to_list()


def test_engines_by_name_and_what_is_none() -> None:
    assert as_engine() == Local()
    assert as_engine(jobs=3) == as_engine("joblib", 3) == Processes(3)
    assert as_engine(Local()) == Local()
    for wrong in ("sparc", 3):
        with pytest.raises(ValueError, match="engine must be one of local, joblib, dask, ray, spark"):
            as_engine(wrong)
