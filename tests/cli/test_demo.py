"""`ngrc demo` leaves a table and a picture, and its rows are the backtest's."""

import errno
import os
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import polars as pl
import pytest

from ngrc._atomic import write_bytes
from ngrc.cli import run
from ngrc.intervals.defaults import COMPARED
from ngrc.study.harness.marker import MARKER, owned
from ngrc.study.volterra import demonstration
from ngrc.study.volterra.demonstration import FILES, PAGE, demonstrate, write


@pytest.mark.slow
def test_demo_writes_table_and_figure(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    pytest.importorskip("matplotlib")
    out = tmp_path / "demo"
    assert run(["demo", "--out", str(out), "--seed", "2"]) == 0
    printed = capsys.readouterr().out
    table = pl.read_csv(out / "table.csv")
    assert table["method"].to_list() == list(COMPARED)
    for row in table.iter_rows(named=True):
        assert f"{row['coverage']:.3f}" in printed
    # Frozen widths lose coverage after the noise rises; the adaptive ones keep most of it.
    by_method = dict(zip(table["method"], table["coverage"], strict=True))
    assert by_method["split"] < 0.8 < 0.9 < by_method["adaptive"]
    assert (out / "response.png").read_bytes().startswith(b"\x89PNG")
    assert "<svg" in (out / "response.svg").read_text()
    assert [path.name for path in out.glob(".*")] == [MARKER]
    # It ends with a page of the same run.
    page = (out / PAGE).read_text(encoding="utf-8")
    assert printed.splitlines()[-1].startswith(f"wrote {out / PAGE}")
    assert "Volterra system: forecast report" in page
    assert f'<td class="n" data-value="{by_method["split"]}">{by_method["split"]:.3f}</td>' in page
    assert f"ngrc demo --out {out} --seed 2" in page


made = cache(demonstrate)
"""One demonstration per seed for all tests."""


@pytest.fixture
def _no_work(monkeypatch: pytest.MonkeyPatch) -> None:
    def work(*arguments: Any) -> None:
        raise AssertionError("work was done before --out was checked")

    monkeypatch.setattr("ngrc.cli.demo.demonstrate", work)


@pytest.mark.usefixtures("_no_work")
@pytest.mark.parametrize("name", [*FILES, PAGE])
def test_a_users_file_of_that_name_is_refused_before_any_work(
    name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / name).write_text("precious")
    assert run(["demo", "--out", str(tmp_path)]) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err.count("\n") == 1
    assert f"holds {name}, which" in captured.err
    assert (tmp_path / name).read_text() == "precious"
    assert [path.name for path in tmp_path.iterdir()] == [name]


@pytest.mark.usefixtures("_no_work")
def test_places_that_cannot_be_written_are_refused_before_any_work(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "file").write_text("")
    assert run(["demo", "--out", str(tmp_path / "file" / "deep")]) == 2
    assert "is not a folder" in capsys.readouterr().err


@pytest.fixture
def _quick_pictures(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ngrc.plot.style.encode", lambda figure, kind: kind.encode() + os.urandom(8))


@pytest.mark.usefixtures("_quick_pictures")
def test_our_own_files_are_replaced_beside_a_users_others(tmp_path: Path) -> None:
    (tmp_path / "mine.csv").write_text("precious")
    for seed in (0, 1, 0):
        assert write(made(seed), tmp_path) == [tmp_path / name for name in FILES]
        assert pl.read_csv(tmp_path / "table.csv").equals(made(seed).result.table)
        assert {name: len(hashes) for name, hashes in owned(tmp_path).items()} == dict.fromkeys(FILES, 1)
    assert (tmp_path / "mine.csv").read_text() == "precious"
    (tmp_path / "table.csv").write_text("my remarks")
    with pytest.raises(ValueError, match=r"holds table.csv, which .* changed since"):
        write(made(1), tmp_path)
    assert (tmp_path / "table.csv").read_text() == "my remarks"


def _failing(step: int) -> Callable[..., None]:
    calls = iter(range(10))

    def writer(path: Path, content: bytes, *, follow: bool) -> None:
        if next(calls) == step:
            raise OSError(errno.ENOSPC, "No space left on device")
        write_bytes(path, content, follow=follow)

    return writer


@pytest.mark.usefixtures("_quick_pictures")
def test_the_page_is_ours_too(tmp_path: Path) -> None:
    assert write(made(0), tmp_path, "one") == [tmp_path / name for name in (*FILES, PAGE)]
    assert (tmp_path / PAGE).read_text() == "one"
    write(made(0), tmp_path, "two")
    assert (tmp_path / PAGE).read_text() == "two"
    # A run without a page leaves the older one, which is still known as ours.
    write(made(0), tmp_path)
    assert PAGE in owned(tmp_path)
    (tmp_path / PAGE).write_text("my remarks")
    with pytest.raises(ValueError, match=r"holds report.html, which .* changed since"):
        write(made(0), tmp_path, "three")


@pytest.mark.usefixtures("_quick_pictures")
@pytest.mark.parametrize("step", range(5))
def test_after_an_end_at_any_step_all_files_are_still_ours(
    step: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(made(0), tmp_path)
    with monkeypatch.context() as patch:
        patch.setattr(demonstration, "write_bytes", _failing(step))
        with pytest.raises(OSError, match="No space"):
            write(made(1), tmp_path)
    tables = [made(seed).result.table for seed in (0, 1)]
    assert any(pl.read_csv(tmp_path / "table.csv").equals(table) for table in tables)
    write(made(1), tmp_path)
    assert sorted(path.name for path in tmp_path.iterdir()) == sorted([MARKER, *FILES])


@pytest.mark.usefixtures("_no_work")
def test_a_marker_that_is_a_link_is_refused_before_any_work(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    victim = tmp_path / "victim.json"
    victim.write_text('{"files": {}}')
    (tmp_path / MARKER).symlink_to(victim)
    assert run(["demo", "--out", str(tmp_path)]) == 2
    assert f"{MARKER} is a link" in capsys.readouterr().err
    with pytest.raises(ValueError, match="is a link"):
        write(made(0), tmp_path)
    assert victim.read_text() == '{"files": {}}'
