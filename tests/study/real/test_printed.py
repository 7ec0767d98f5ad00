"""The typed tables against each other: the paper prints many numbers twice."""

import pytest

from ngrc.study.printed import Printed
from ngrc.study.real import (
    features_printed,
    horizons_printed,
    main_printed,
    models_printed,
    seeds_printed,
    windows_printed,
)
from ngrc.study.real.cases import DETERMINISTIC, HORIZONS, METHOD_TITLES
from ngrc.study.real.printed_table import printed_table
from ngrc.study.real.selected_printed import SELECTED
from ngrc.study.real.sources import TITLES

MEASURES = ("coverage", "width", "winkler")


@pytest.mark.parametrize(
    ("table", "rows"),
    [
        (main_printed.SCORES, 24),
        (main_printed.DIAGNOSED, 4),
        (main_printed.DECOMPOSED, 4),
        (main_printed.SPLIT, 12),
        (horizons_printed.SCORES, 60),
        (horizons_printed.SECONDS, 20),
        (windows_printed.SCORES, 24),
        (features_printed.SCORES, 24),
        (seeds_printed.SCORES, 12),
        (models_printed.SCORES, 16),
        (SELECTED, 12),
    ],
)
def test_every_row_is_there(table: dict[tuple[str, ...], object], rows: int) -> None:
    assert len(table) == rows
    assert {key[0] for key in table} == set(TITLES)


@pytest.mark.parametrize("dataset", TITLES)
def test_one_step_numbers_agree_between_tables(dataset: str) -> None:
    for method in METHOD_TITLES:
        main = main_printed.SCORES[dataset, method]
        if method != "asymmetric":
            other = horizons_printed.SCORES[dataset, "1", method]
            assert [main[name] for name in MEASURES] == [other[name] for name in MEASURES]
        # The error is computed from unrounded coverage, so it may differ by half a unit of the coverage.
        assert main["error"].value == pytest.approx(100 * (main["coverage"].value - 0.95), abs=0.0501)
    quadratic = features_printed.SCORES[dataset, "quadratic"]
    for method in ("bayes", "split"):
        for name in MEASURES:
            assert quadratic[f"{method}_{name}"] == main_printed.SCORES[dataset, method][name]
    ngrc = models_printed.SCORES[dataset, "ngrc"]
    assert [ngrc[name] for name in MEASURES] == [
        main_printed.SCORES[dataset, "rescp"][name] for name in MEASURES
    ]
    assert ngrc["rmse"] == quadratic["rmse"] == main_printed.RMSE[dataset]
    assert main_printed.DECOMPOSED[dataset,]["rho_q"] == main_printed.DIAGNOSED[dataset,]["rho_q"]
    assert main_printed.DIAGNOSED[dataset,]["tau_test"] == main_printed.RMSE[dataset]
    assert main_printed.DIAGNOSED[dataset,]["fit_rows"] == main_printed.SPLIT[dataset, "1"]["fit"]


@pytest.mark.parametrize("dataset", TITLES)
@pytest.mark.parametrize("horizon", HORIZONS)
def test_seed_means_lie_in_their_range_which_holds_the_primary_seed(dataset: str, horizon: int) -> None:
    row = seeds_printed.SCORES[dataset, str(horizon)]
    assert row["least"].value <= row["coverage"].value <= row["largest"].value
    primary = horizons_printed.SCORES[dataset, str(horizon), "rescp"]["coverage"].value
    assert row["least"].value <= primary <= row["largest"].value


def test_windows_print_deviations_and_digits_are_kept() -> None:
    for row in windows_printed.SCORES.values():
        assert all(paper.spread is not None and paper.unit == 0.001 for paper in row.values())
    assert windows_printed.SCORES["beijing", "adaptive"]["coverage"] == Printed(0.945, 0.001, 0.0)
    assert main_printed.SCORES["exchange", "adaptive"]["seconds"].unit == 0.001
    assert set(DETERMINISTIC) | {"rescp"} == set(METHOD_TITLES)


def test_a_wrong_number_of_cells_is_refused() -> None:
    with pytest.raises(ValueError, match="argument"):
        printed_table("solar 0.1 0.2", 1, ["one"])
