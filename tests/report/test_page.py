"""The page as a file: text escaped, nothing loaded, small enough, headings in order, every chart with its data."""

import json
import re
from dataclasses import replace
from datetime import datetime, timedelta
from itertools import pairwise
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import numpy as np
import pytest

from ngrc import NGRC, as_series, make_report
from ngrc.forecasters import SeasonalNaive
from ngrc.report import Report
from ngrc.report.charts import charts_of
from ngrc.report.page import SECTIONS, page_of
from ngrc.report.words import in_short
from ngrc.web.assets import plotly_script
from tests.web.test_parts import Reader

from .conftest import HORIZON, LEVELS, NAME, hourly

LIMIT = 6_000_000
"""Bytes of a page at most."""
CHARTS = (
    "coming", "tested", "trailing", "width", "winkler", "calibration",
    "histogram", "qq", "correlation", "blocks", "cycle",
)  # fmt: skip


@pytest.fixture(scope="module")
def read(report: Report) -> Reader:
    return Reader(report.html)


def blocks(page: str) -> dict[str, Any]:
    found = re.findall(r'<script type="application/json" id="([\w-]+)">(.*?)</script>', page, flags=re.DOTALL)
    return {name: json.loads(value) for name, value in found}


def test_a_hostile_name_is_a_name_everywhere(report: Report, read: Reader) -> None:
    tags = [tag for tag, _ in read.tags]
    # Seven scripts of ours and Plotly's, and two blocks of JSON.
    assert tags.count("script") == 10
    assert "img" not in tags
    assert "b" not in tags
    assert not any(name.startswith("on") for _, attributes in read.tags for name in attributes)
    assert f"{NAME}: forecast report" in read.words
    held = blocks(report.html)
    assert held["charts-data"]["name"] == NAME
    assert held["record"]["subject"]["name"] == NAME
    assert held["record"] == report.record.plain(curves=False)
    assert "ngrc report 'a <b>.csv'" in read.words


def test_nothing_is_loaded(report: Report, read: Reader) -> None:
    for tag, attributes in read.tags:
        for name in ("src", "srcset", "data", "action", "poster", "background"):
            assert attributes.get(name) is None, tag
        assert str(attributes.get("href", "#")).startswith("#"), tag
        assert tag not in {"link", "iframe", "object", "embed", "base", "form"}
    policies = [str(one["content"]) for _, one in read.tags if "http-equiv" in one]
    assert len(policies) == 1
    assert policies[0].startswith("default-src 'none'; script-src 'sha256-")


def test_headings_are_in_order_and_every_section_is_linked(read: Reader) -> None:
    levels = [int(tag[1]) for tag, _ in read.tags if re.fullmatch("h[1-6]", tag)]
    assert levels[0] == 1
    assert levels.count(1) == 1
    assert all(after <= before + 1 for before, after in pairwise(levels))
    linked = [
        attributes["href"]
        for tag, attributes in read.tags
        if tag == "a" and attributes.get("class") != "skip"
    ]
    assert linked == [f"#{name}" for name, _, _ in SECTIONS]
    names = [one["id"] for _, one in read.tags if "id" in one]
    assert len(names) == len(set(names))
    assert {name for name, _, _ in SECTIONS} <= set(names)


def test_every_chart_is_labelled_and_has_its_data_folded_below(read: Reader) -> None:
    charts = [one for _, one in read.tags if "chart" in (one.get("class") or "").split()]
    assert sorted(str(one["id"]) for one in charts) == sorted(f"chart-{name}" for name in CHARTS)
    captions = {one["id"] for tag, one in read.tags if tag == "figcaption"}
    for one in charts:
        assert one["role"] == "img"
        assert one["aria-label"]
        assert one["aria-describedby"] in captions
    tables = [one for tag, one in read.tags if tag == "details" and one.get("class") == "data"]
    assert len(tables) == len(CHARTS)
    # Boxes stand inside their labels; buttons say what they are the buttons of.
    assert all(one["aria-label"] for tag, one in read.tags if tag == "button")


def test_the_page_says_what_it_must(report: Report, read: Reader) -> None:
    record = report.record
    for part in (
        "In short", "x[t+1] = ", f"x[t+{HORIZON}] = ", f"Use {record.diagnosis.method} at 95 %",
        "seasonal naive, 24 steps", "2024-03-04T11:00", "Two <b>filled</b>.",
        "numpy " + np.__version__, "polars ", "Python ",
        record.diagnosis.evidence, "NGRC(lags=3, degree=1",
    ):  # fmt: skip
        assert part in read.words, part
    assert len(re.findall(r'<tr class="best">', report.html)) == 1 + sum(row.best for row in record.intervals)
    # Not by colour alone.
    assert len(re.findall(r'<tr class="best">.*?<td class="s">best</td>', report.html)) == 1 + len(LEVELS)


def test_a_page_of_many_methods_over_a_long_test_stays_below_the_limit(report: Report) -> None:
    """Seventeen methods at five levels over 300,000 outcomes with long decimals and times to the second."""
    count, record = 300_000, report.record
    rng = np.random.default_rng(0)
    values = 1e5 * rng.standard_normal(count + 1000)
    times = np.datetime64("2024-01-01T00:00:01", "s") + np.arange(values.size + HORIZON)
    row = replace(
        record.intervals[0],
        lower=values[1000:] - 1e4,
        upper=values[1000:] + 1e4 * rng.random(count),
        width=1.5e4,
        trailing=np.where(np.arange(count) < 100, np.nan, rng.random(count)),
    )
    rows = tuple(
        replace(row, method=f"method {place}", level=level)
        for level in (0.5, 0.8, 0.9, 0.95, 0.99)
        for place in range(17)
    )
    long = replace(
        record,
        clock=replace(record.clock, count=values.size, times=times),
        values=values,
        missing=None,
        test_start=1000,
        outcomes=values[1000:],
        forecasts=values[1000:],
        intervals=rows,
        window=100,
        shown="method 0",
        subject=replace(record.subject, levels=(0.5, 0.8, 0.9, 0.95, 0.99), level=0.99),
    )
    page = page_of(replace(long, coming=None))
    assert len(page.encode()) < LIMIT
    data = charts_of(long)
    assert data["tested"]["stretch"] > 100
    assert "values the smallest and the largest are drawn, never an average" in page
    # The extremes of the whole block are still there.
    unit = 10.0 ** data["tested"]["digits"]
    assert max(data["tested"]["outcome"]) / unit == pytest.approx(values[1000:].max(), abs=1.0 / unit)
    assert len(data["fans"][0]["history"]["x"]) < 5000


def test_the_usual_page_is_not_thinned_and_stays_below_the_limit(report: Report) -> None:
    assert len(report.html.encode()) < LIMIT
    assert len(report.html.encode()) - len(plotly_script().encode()) < 600_000
    assert charts_of(report.record)["tested"]["stretch"] == 1
    assert "thinned" not in report.html.replace(plotly_script(), "")


def test_drawn_numbers_are_those_of_the_record(report: Report) -> None:
    record, tested = report.record, charts_of(report.record)["tested"]
    unit = 10.0 ** tested["digits"]
    np.testing.assert_allclose(np.array(tested["outcome"]) / unit, record.outcomes, atol=0.51 / unit)
    for band, row in zip(tested["bands"], record.intervals, strict=True):
        assert (band["method"], band["level"]) == (row.method, row.level)
        lower = (np.array(tested["forecast"]) + np.array(band["lower"])) / unit
        np.testing.assert_allclose(lower, row.lower, atol=1.01 / unit)
        # Fine enough for a hundredth of the narrowest interval to be seen.
        assert 1.0 / unit <= 0.01 * row.width


def test_a_trend_does_not_coarsen_narrow_bands(report: Report) -> None:
    record = replace(report.record, values=report.record.values + 1e6 * np.arange(report.record.values.size))
    narrowest = min(row.width for row in record.intervals)
    assert 10.0 ** -charts_of(record)["tested"]["digits"] <= 0.01 * narrowest
    # And a spike must not either.
    spoilt = np.append(record.values[:-1] * 0.0, 1e12) + report.record.values
    assert (
        charts_of(replace(record, values=spoilt))["tested"]["digits"]
        == charts_of(report.record)["tested"]["digits"]
    )


def test_series_without_times_and_without_a_cycle(tmp_path: Path) -> None:
    report = make_report(hourly().values[:300], NGRC(lags=2, degree=1), methods=["split"], level=0.9)
    data = charts_of(report.record)
    assert data["axis"] == "position"
    assert data["fans"][0]["x"] == (300,)
    assert report.record.residuals.cycle is None
    assert 'id="chart-cycle"' not in report.html
    assert report.record.subject.spacing is None
    assert report.save(tmp_path / "page.HTM").read_text(encoding="utf-8") == report.html
    with pytest.raises(ValueError, match=r"a report is an HTML page, got 'page.csv'; name it .html"):
        report.save(tmp_path / "page.csv")


def test_the_same_record_gives_the_same_page(report: Report) -> None:
    assert page_of(report.record) == report.html


SIMPLE = NGRC(lags=2, degree=1)
WAVE = np.sin(np.arange(400) / 5) + np.random.default_rng(0).normal(0, 0.1, 400)


def test_a_constant_series_has_a_page_without_a_shape() -> None:
    record = make_report(np.full(200, 3.0), SIMPLE, methods=["split"]).record
    assert record.residuals.scale == 0.0
    assert set(record.residuals.correlation) == {0.0}
    assert record.row("split", 0.95).width == 0.0
    assert np.isnan(record.points[0].mase)


def test_intervals_without_a_bound_leave_gaps_and_say_so() -> None:
    report = make_report(WAVE[:30], SIMPLE, methods=["split"], horizon=2, level=[0.8, 0.99])
    row = report.record.row("split", 0.99)
    assert row.infinite == row.lower.size
    assert not row.best
    assert "without any bound" in in_short(report.record)[0]
    data = charts_of(report.record)
    (band,) = (one for one in data["tested"]["bands"] if (one["method"], one["level"]) == ("split", 0.99))
    assert set(band["lower"]) == {None}
    assert f"{row.infinite} without a bound" in report.html
    # The widest interval of the record sorts behind all others.
    assert 'data-value="Infinity"' in report.html


def test_times_with_a_zone_are_on_its_clock() -> None:
    import polars as pl

    start = datetime(2024, 3, 25, tzinfo=ZoneInfo("Europe/Berlin"))
    frame = pl.DataFrame({"when": pl.datetime_range(start, start + timedelta(hours=398), "1h", eager=True)})
    frame = frame.with_columns(pl.Series("load", WAVE[: frame.height]))
    report = make_report(as_series(frame, time="when"), SIMPLE, methods=["split"], horizon=2)
    (coming,) = charts_of(report.record)["fans"]
    # Summer time began on the way; an axis has the hours of the wall.
    assert report.record.coming is not None
    assert report.record.coming.times[0].endswith("+02:00")
    assert coming["x"][0] == report.record.coming.times[0].removesuffix("+02:00")
    assert coming["history"]["x"][0] == "2024-03-25T00:00"


def test_columns_known_ahead_that_end_with_the_series_leave_a_page_of_the_test() -> None:
    import polars as pl

    weather = pl.DataFrame({"wind": np.random.default_rng(1).normal(size=400)})
    model = NGRC(lags=3, degree=1, known=("wind",))
    report = make_report(WAVE, model, exog=weather, known=["wind"], methods=["split"], horizon=2)
    assert report.record.coming is None
    assert "must reach 2 rows beyond the series" in report.record.coming_why
    read = Reader(report.html)
    assert "The coming values are not on this page: the known input 'wind' must reach" in read.words
    assert "#coming" not in [one.get("href") for _, one in read.tags]
    assert 'id="chart-coming"' not in report.html


def test_any_forecaster_has_a_page() -> None:
    report = make_report(WAVE, SeasonalNaive(31), methods=["split"], horizon=2)
    assert report.record.coming is not None
    assert report.record.model.equations == ()
    assert "as much as the best naive forecast" in in_short(report.record)[1]


def test_a_method_that_failed_is_told_with_the_one_that_did_not(report: Report) -> None:
    record = report.record
    shown = record.row(record.shown, 0.95)
    other = next(row for row in record.intervals if row.level == 0.95 and row is not shown)
    rows = tuple(
        replace(row, coverage=0.6, best=False) if row is shown else replace(row, best=row is other)
        for row in record.intervals
        if row.level == 0.95
    )
    said = "\n".join(in_short(replace(record, intervals=rows)))
    assert "further from 95 % than chance explains" in said
    assert f"The best score in it has {other.method}, which held {100 * other.coverage:.1f} %." in said
    assert "than chance explains" not in "\n".join(
        in_short(replace(record, intervals=(replace(shown, coverage=0.95),)))
    )
