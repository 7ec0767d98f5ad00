"""A file of several series: each is forecast by itself, and one that cannot be is told of."""

import json
from pathlib import Path

import numpy as np
import polars as pl
import pytest

from ngrc import NGRC, cli, look_ahead

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


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["forecast", "--plot", "x.png"], "--plot is for one"),
        (["forecast", "--quantiles", "0.1"], "--quantiles is for one"),
        (["forecast", "--target", "sales,day"], "takes one --target"),
    ],
)
def test_what_is_for_one_series_is_one_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], words: list[str], message: str
) -> None:
    command, *options = words
    assert cli.run([command, write(tmp_path / "shops.csv"), *FIT, *options]) == 2
    assert message in capsys.readouterr().err
