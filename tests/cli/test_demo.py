"""`ngrc demo` leaves a table and a picture, and its rows are the backtest's."""

from pathlib import Path

import polars as pl
import pytest

from ngrc.cli import run
from ngrc.intervals import METHODS


@pytest.mark.slow
def test_demo_writes_table_and_figure(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    pytest.importorskip("matplotlib")
    out = tmp_path / "demo"
    assert run(["demo", "--out", str(out), "--seed", "2"]) == 0
    printed = capsys.readouterr().out
    table = pl.read_csv(out / "table.csv")
    assert table["method"].to_list() == list(METHODS)
    for row in table.iter_rows(named=True):
        assert f"{row['coverage']:.3f}" in printed
    # Frozen widths lose coverage after the noise rises; the adaptive ones keep most of it.
    by_method = dict(zip(table["method"], table["coverage"], strict=True))
    assert by_method["split"] < 0.8 < 0.9 < by_method["adaptive"]
    assert (out / "response.png").read_bytes().startswith(b"\x89PNG")
    assert "<svg" in (out / "response.svg").read_text()
    assert not list(out.glob(".*"))
