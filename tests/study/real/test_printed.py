"""The typed tables against each other: the paper prints many numbers twice."""

import pytest

from ngrc.study.harness.printed import Printed
from ngrc.study.real.cases import DETERMINISTIC, HORIZONS, METHOD_TITLES
from ngrc.study.real.printed import (
    features,
    horizons,
    main,
    models,
    seeds,
    windows,
)
from ngrc.study.real.printed.selected import SELECTED
from ngrc.study.real.printed.table import printed_table
from ngrc.study.real.sources import TITLES

MEASURES = ("coverage", "width", "winkler")


@pytest.mark.parametrize(
    ("table", "rows"),
    [
        (main.SCORES, 24),
        (main.DIAGNOSED, 4),
        (main.DECOMPOSED, 4),
        (main.SPLIT, 12),
        (horizons.SCORES, 60),
        (horizons.SECONDS, 20),
        (windows.SCORES, 24),
        (features.SCORES, 24),
        (seeds.SCORES, 12),
        (models.SCORES, 16),
        (SELECTED, 12),
    ],
)
def test_every_row_is_there(table: dict[tuple[str, ...], object], rows: int) -> None:
    assert len(table) == rows
    assert {key[0] for key in table} == set(TITLES)


@pytest.mark.parametrize("dataset", TITLES)
def test_one_step_numbers_agree_between_tables(dataset: str) -> None:
    for method in METHOD_TITLES:
        here = main.SCORES[dataset, method]
        if method != "asymmetric":
            other = horizons.SCORES[dataset, "1", method]
            assert [here[name] for name in MEASURES] == [other[name] for name in MEASURES]
        # The error is computed from unrounded coverage, so it may differ by half a unit of the coverage.
        assert here["error"].value == pytest.approx(100 * (here["coverage"].value - 0.95), abs=0.0501)
    quadratic = features.SCORES[dataset, "quadratic"]
    for method in ("bayes", "split"):
        for name in MEASURES:
            assert quadratic[f"{method}_{name}"] == main.SCORES[dataset, method][name]
    ngrc = models.SCORES[dataset, "ngrc"]
    assert [ngrc[name] for name in MEASURES] == [main.SCORES[dataset, "rescp"][name] for name in MEASURES]
    assert ngrc["rmse"] == quadratic["rmse"] == main.RMSE[dataset]
    assert main.DECOMPOSED[dataset,]["rho_q"] == main.DIAGNOSED[dataset,]["rho_q"]
    assert main.DIAGNOSED[dataset,]["tau_test"] == main.RMSE[dataset]
    assert main.DIAGNOSED[dataset,]["fit_rows"] == main.SPLIT[dataset, "1"]["fit"]


@pytest.mark.parametrize("dataset", TITLES)
@pytest.mark.parametrize("horizon", HORIZONS)
def test_seed_means_lie_in_their_range_which_holds_the_primary_seed(dataset: str, horizon: int) -> None:
    row = seeds.SCORES[dataset, str(horizon)]
    assert row["least"].value <= row["coverage"].value <= row["largest"].value
    primary = horizons.SCORES[dataset, str(horizon), "rescp"]["coverage"].value
    assert row["least"].value <= primary <= row["largest"].value


def test_windows_print_deviations_and_digits_are_kept() -> None:
    for row in windows.SCORES.values():
        assert all(paper.spread is not None and paper.unit == 0.001 for paper in row.values())
    assert windows.SCORES["beijing", "adaptive"]["coverage"] == Printed(0.945, 0.001, 0.0)
    assert main.SCORES["exchange", "adaptive"]["seconds"].unit == 0.001
    assert set(DETERMINISTIC) | {"rescp"} == set(METHOD_TITLES)


def test_a_wrong_number_of_cells_is_refused() -> None:
    with pytest.raises(ValueError, match="argument"):
        printed_table("solar 0.1 0.2", 1, ["one"])
