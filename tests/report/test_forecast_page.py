"""`ngrc forecast --plot FILE.html`: a page of coming values that opens by itself."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from ngrc import NGRC, look_ahead
from ngrc.cli import run
from ngrc.report.forecast_page import forecast_page
from tests.web.test_parts import Reader

from .conftest import NAME, Visitor, hourly
from .test_page import LIMIT, blocks

pytest.importorskip("plotly")
SHORT = ["--lags", "3", "--degree", "1", "--method", "split", "--horizon", "4", "--level", "80,95"]


@pytest.fixture
def table(tmp_path: Path) -> Path:
    rng = np.random.default_rng(0)
    rows = rng.normal(size=(160, 2)).cumsum(axis=0)
    lines = [
        f"2024-01-{1 + place // 24:02d} {place % 24:02d}:00,{one:.4f},{'' if place == 150 else f'{two:.4f}'}"
        for place, (one, two) in enumerate(rows)
    ]
    path = tmp_path / "load <b>.csv"
    path.write_text("\n".join(["time,first,second", *lines]))
    return path


def test_a_page_holds_the_numbers_that_are_printed(
    table: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    page = tmp_path / "load.HTML"
    words = ["forecast", str(table), "--target", "second", *SHORT, "--json"]
    assert run([*words, "--plot", str(page)]) == 0
    captured = capsys.readouterr()
    said = json.loads(captured.out)["steps"]
    assert f"drew: {page}" in captured.err
    html = page.read_text(encoding="utf-8")
    assert sorted(path.name for path in tmp_path.iterdir()) == [table.name, page.name]
    assert len(html.encode()) < LIMIT
    (fan,) = blocks(html)["charts-data"]["fans"]
    places = 10.0 ** -fan["digits"]
    assert fan["forecast"] == pytest.approx([step["forecast"] for step in said], abs=places)
    (band,) = (one for one in fan["bands"] if one["level"] == 0.95)
    assert band["upper"] == pytest.approx([step["intervals"]["0.95"]["upper"] for step in said], abs=places)
    assert fan["labels"] == [step["time"] for step in said]
    # What was carried forward is not shown as observed.
    assert fan["history"]["y"].index(None) == 150
    read = Reader(html)
    assert "b" not in [tag for tag, _ in read.tags]
    assert "load <b>" in read.words
    assert not any("src" in one for _, one in read.tags)


def test_without_plotly_one_line_names_the_extra_before_any_work(
    table: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def missing(module: str, extra: str, purpose: str) -> None:
        raise ImportError(f'{purpose} needs plotly, which is not installed; run: pip install "ngrc[{extra}]"')

    from ngrc.web import assets

    assets.plotly_script.cache_clear()
    monkeypatch.setattr(assets, "load", missing)
    monkeypatch.setattr("ngrc.cli.forecast.open_recording", lambda request: pytest.fail("work was done"))
    assert run(["forecast", str(table), "--plot", str(tmp_path / "page.html")]) == 2
    assert 'pip install "ngrc[report]"' in capsys.readouterr().err
    assert not (tmp_path / "page.html").exists()


def test_several_series_each_have_a_chart_that_draws_and_acts(
    table: Path, tmp_path: Path, visit: Visitor, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "two.html"
    words = ["forecast", str(table), "--target", "first,second", *SHORT]
    assert run([*words, "--plot", str(path)]) == 0
    capsys.readouterr()
    opened = visit(path)
    page = opened.page

    def names(chart: str) -> list[str]:
        found: list[str] = page.evaluate(
            f"document.getElementById('chart-{chart}').data.map(one => one.name)"
        )
        return found

    for chart in ("coming-1", "coming-2"):
        assert {"observed", "forecast", "95 %", "80 %"} <= set(names(chart))
    page.locator("input[data-chart=coming-2][name=level][value='0.95']").uncheck()
    assert "95 %" not in names("coming-2")
    assert "95 %" in names("coming-1")
    # The table follows what is ticked.
    heads = page.locator("details[data-of=coming-2] th").all_text_contents()
    assert heads == ["step", "time", "forecast", "lower 80 %", "upper 80 %"]
    before = page.evaluate("document.getElementById('chart-coming-1').layout.xaxis.range")
    page.locator("button[data-chart=coming-1][data-move=in]").click()
    assert page.evaluate("document.getElementById('chart-coming-1').layout.xaxis.range") != before
    page.get_by_label("Appearance").select_option("dark")
    assert opened.said == []
    assert opened.asked == [path.as_uri()]


def test_a_hostile_name_and_a_series_without_times() -> None:
    series = replace(hourly(260), times=None)
    outlook: Any = look_ahead(series, NGRC(lags=2, degree=1), steps=2, method="split", level=0.9)
    read = Reader(forecast_page(NAME, [series], [outlook]))
    assert not {"img", "b"} & {tag for tag, _ in read.tags}
    assert f"{NAME}: forecast" in read.words
    levels = [tag for tag, _ in read.tags if tag in {"h1", "h2", "h3"}]
    assert levels == ["h1", "h2"]
