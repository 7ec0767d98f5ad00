"""A file of several series: each is forecast by itself, and one that cannot be is told of."""

import json
from pathlib import Path

import numpy as np
import polars as pl
import pytest

from ngrc import NGRC, backtest, cli, look_ahead
from ngrc.backtesting.accuracy import accuracies

RNG = np.random.default_rng(0)
DAYS = pl.date_range(pl.date(2024, 1, 1), pl.date(2024, 5, 9), eager=True)
SHOPS = {name: 20 + 5 * np.sin(np.arange(130) * 2 * np.pi / 7) + RNG.normal(0, 1, 130) for name in "ab"}
FIT = ("--lags", "7", "--horizon", "3", "--method", "split")


def write(path: Path, *, short: bool = False) -> str:
    frames = [
        pl.DataFrame({"shop": [name] * 130, "day": DAYS, "sales": sales}) for name, sales in SHOPS.items()
    ]
    if short:
        frames.append(pl.DataFrame({"shop": ["c"] * 2, "day": DAYS[:2], "sales": [1.0, 2.0]}))
    pl.concat(frames).sort("day", "shop").write_csv(path)
    return str(path)


def test_each_series_has_its_own_forecast(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.run(["forecast", write(tmp_path / "shops.csv"), *FIT, "--level", "80,95"]) == 0
    printed = capsys.readouterr()
    table = pl.read_csv(printed.out.encode(), try_parse_dates=True)
    assert table.columns == [
        "unique_id",
        "ds",
        "NGRC",
        "NGRC-lo-95",
        "NGRC-lo-80",
        "NGRC-hi-80",
        "NGRC-hi-95",
    ]
    alone = look_ahead(SHOPS["b"], NGRC(lags=7), steps=3, method="split", level=0.8)
    ours = table.filter(pl.col("unique_id") == "b")
    np.testing.assert_allclose(ours["NGRC"], alone.forecast, rtol=1e-12)
    np.testing.assert_allclose(ours["NGRC-hi-80"], alone.upper, rtol=1e-12)
    assert "2 series by 'shop'" in printed.err


def test_a_bad_series_does_not_stop_the_rest(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    shops = write(tmp_path / "shops.csv", short=True)
    assert cli.run(["forecast", shops, *FIT, "--json"]) == 1
    printed = capsys.readouterr()
    report = json.loads(printed.out)
    assert len(report["rows"]) == 6
    assert [row["unique_id"] for row in report["failures"]] == ["c"]
    assert "ngrc: failed: c: " in printed.err


def test_compare_scores_every_series(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "scores.csv"
    shops = write(tmp_path / "shops.csv")
    words = ["--lags", "7", "--method", "split,adaptive", "--out", str(out), "-q"]
    assert cli.run(["compare", shops, *words]) == 0
    table = pl.read_csv(out)
    assert table.height == 4
    assert set(table["method"]) == {"split", "adaptive"}
    alone = backtest(SHOPS["a"], NGRC(lags=7), methods=["split"])
    mine = table.filter((pl.col("unique_id") == "a") & (pl.col("method") == "split")).row(0, named=True)
    assert mine["winkler"] == pytest.approx(alone.table["winkler"][0], rel=1e-9)
    assert mine["mase"] == pytest.approx(accuracies(alone, alone.run()).rows[0].mase, rel=1e-9)


@pytest.mark.parametrize("ending", ["json", "csv", "parquet"])
def test_scores_that_do_not_exist_are_missing(tmp_path: Path, ending: str) -> None:
    """Of a constant series MASE divides by zero."""
    shops = pl.concat([pl.read_csv(write(tmp_path / "shops.csv")), pl.DataFrame(
        {"shop": ["flat"] * 130, "day": DAYS.cast(pl.String), "sales": [5.0] * 130})])  # fmt: skip
    shops.write_csv(tmp_path / "flat.csv")
    out = tmp_path / f"scores.{ending}"
    words = ["--lags", "2", "--method", "split", "--out", str(out), "-q"]
    assert cli.run(["compare", str(tmp_path / "flat.csv"), *words]) == 0
    if ending == "json":
        (row,) = (row for row in json.loads(out.read_text())["rows"] if row["unique_id"] == "flat")
        assert row["mase"] is None


def test_times_go_out_as_they_came(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    days = DAYS.dt.to_string("%d.%m.%Y").to_list()
    lines = [
        f"{name};{day};{value:.2f}".replace(".", ",", 3).replace(",", ".", 2)
        for name, sales in SHOPS.items()
        for day, value in zip(days, sales, strict=True)
    ]
    path = tmp_path / "filialen.csv"
    path.write_text("Filiale;Tag;Umsatz\n" + "\n".join(lines) + "\n")
    assert cli.run(["forecast", str(path), *FIT]) == 0
    assert [line.split(",")[1] for line in capsys.readouterr().out.splitlines()[1:4]] == [
        "10.05.2024",
        "11.05.2024",
        "12.05.2024",
    ]
    out = tmp_path / "coming.parquet"
    assert cli.run(["forecast", str(path), *FIT, "--out", str(out), "-q"]) == 0
    assert pl.read_parquet(out)["ds"].dtype.is_temporal()


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["forecast", "--plot", "x.png"], "--plot is for one"),
        (["forecast", "--quantiles", "0.1"], "--quantiles is for one"),
        (["forecast", "--target", "sales,day"], "takes one --target"),
    ],
)
def test_what_is_for_one_series_is_one_line(
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    words: list[str],
    message: str,
) -> None:
    # Where a picture could be written: the source tree may be read-only.
    monkeypatch.chdir(tmp_path)
    command, *options = words
    assert cli.run([command, write(tmp_path / "shops.csv"), *FIT, *options]) == 2
    assert message in capsys.readouterr().err


def test_scores_of_many_series_fit_a_terminal(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("sys.stdout.isatty", lambda: True)
    monkeypatch.setenv("COLUMNS", "80")
    assert cli.run(["compare", write(tmp_path / "shops.csv"), "--lags", "7", "--method", "split"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert max(map(len, lines)) <= 80
    assert "winkler" in lines[1]
