"""The part on accuracy, from rows of our own making: ratios by hand, losses found, damage refused."""

import json
from dataclasses import replace
from pathlib import Path

import pytest
from accuracy.interval_cases import OURS_BANDED, PEER
from accuracy.methods import OURS
from accuracy.page import table_of_cases
from accuracy.scores import Row
from results_page.beside import beside
from results_page.rows import Rows, read_rows

from accuracy import cache

BASE = Row(
    "long", "solar", "solar/0", 1, "all", OURS, 10, rmse=1.0, mase=1.0, winkler=1.0, coverage=0.9, seconds=0.1
)


def rows() -> list[Row]:
    """Ours at 1 on two series, LightGBM at 2 and 4, AutoETS at half over the spread origins of one."""
    second = replace(BASE, series="solar/1")
    peers = [replace(BASE, method="lightgbm", rmse=2.0), replace(second, method="lightgbm", rmse=4.0)]
    spread = replace(BASE, origins="spread")
    naive = [
        replace(one, method=name, rmse=0.8) for one in (BASE, second) for name in ("naive", "seasonal naive")
    ]
    return [BASE, second, *peers, spread, replace(spread, method="AutoETS", rmse=0.5), *naive]


def short() -> list[Row]:
    """Ours beside naive on three short series, of which naive has one exactly."""
    one = replace(BASE, kind="short", group="yearly", horizon=6, origins="20")
    own = [replace(one, series=name, mase=mase) for name, mase in (("a", 1.0), ("b", 2.0), ("c", 0.5))]
    errors = {"a": 2.0, "b": 1.0, "c": 0.0}
    return [*own, *(replace(row, method="naive", mase=errors[row.series]) for row in own)]


def banded() -> list[Row]:
    """Intervals of ours behind the peer's on one series, and one series that only ours has."""
    one = replace(BASE, kind="interval", method=OURS_BANDED)
    other = replace(one, method=PEER, winkler=0.8, coverage=0.95)
    return [one, other, replace(one, series="solar/1", coverage=0.1)]


def text(given: list[Row], whole: bool = True) -> str:
    return "\n".join(beside(Rows(tuple(given), whole)))


def test_ratios_are_geometric_means_over_common_cases_with_their_number() -> None:
    page = text(rows())
    # 1/2 and 1/4: the square root of 1/8.
    assert "| lightgbm | 0.354 | 2 of 2 |  |  |" in page
    assert "| AutoETS | 2.000 | 0 of 1 |  |  |" in page
    assert (
        "Rows of ours cover 2 of 125 long series (forecasts), 0 of 125 (intervals), and 0 of 118 short ones."
        in page
    )
    assert "Not run: ridge, skforecast, AutoTheta, MSTL." in page
    assert "They come from one run" in page
    assert "these are the rows that runs kept" in text(rows(), whole=False)


def test_where_ours_is_behind_is_listed_the_furthest_first() -> None:
    lost = text([*rows(), *short(), *banded()]).split("### Where it is behind")[1]
    first, second = (
        lost.index("| RMSE | AutoETS | solar plants | one step | 2.000 | 0 of 1 |"),
        lost.index("| Winkler | lightgbm-cqr | solar plants | one step | 1.250 | 0 of 1 |"),
    )
    assert first < second
    assert "lightgbm |" not in lost
    assert "worse than the better of naive and seasonal naive: 2 of 2" in lost
    assert "| `solar/0` | 1 | 1.250 |" in lost


def test_a_series_that_a_peer_has_exactly_is_in_the_means_alone_and_named() -> None:
    page = text(short())
    # 1/2 and 2: one in geometric mean; the means are over all three.
    assert "| naive | 1.000 | 1 of 2 | 1.17 | 1.00 |" in page
    assert "`c`, exact: naive (our MASE 0.5)" in page


def test_coverage_is_that_of_the_cases_both_have() -> None:
    assert "| solar plants | one step | 1.250 | 0 of 1 | 0.900 | 0.950 |" in text(banded())


def test_rows_of_a_finished_run_are_taken_before_kept_ones(tmp_path: Path) -> None:
    assert read_rows(tmp_path) == Rows((), whole=False)
    cache.keep(tmp_path / "cache", "long", "solar/0", OURS, [BASE])
    kept = read_rows(tmp_path)
    assert (repr(kept.rows), kept.whole) == (repr((BASE,)), False)
    (tmp_path / "cases.csv").write_text(table_of_cases(rows()))
    found = read_rows(tmp_path)
    assert found.whole
    assert sorted(map(repr, found.rows)) == sorted(map(repr, rows()))


def test_rows_of_several_protocols_are_not_compared(tmp_path: Path) -> None:
    for series in ("a", "b"):
        cache.keep(tmp_path / "cache", "long", series, OURS, [BASE])
    path = cache.place(tmp_path / "cache", "long", "b", OURS)
    path.write_text(json.dumps(json.loads(path.read_text()) | {"protocol": "another"}))
    with pytest.raises(ValueError, match="rows of several protocols or versions of packages"):
        read_rows(tmp_path)


@pytest.mark.parametrize("content", ["", "[]", '{"rows": []}', '{"rows": [{"kind": 1}], "protocol": "a"}'])
def test_kept_rows_that_cannot_be_read_are_one_line(content: str, tmp_path: Path) -> None:
    (tmp_path / "cache").mkdir()
    (tmp_path / "cache" / "long-a-b.json").write_text(content)
    with pytest.raises(ValueError, match=r"long-a-b\.json cannot be read \(.*run `make accuracy` again"):
        read_rows(tmp_path)


def test_a_damaged_csv_is_one_line(tmp_path: Path) -> None:
    (tmp_path / "cases.csv").write_text(table_of_cases(rows()).replace("0.9", "many"))
    with pytest.raises(ValueError, match=r"cases\.csv cannot be read \(.*many.*run `make accuracy` again"):
        read_rows(tmp_path)
