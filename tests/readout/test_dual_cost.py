"""Which form of the readout is chosen, and what is refused before it is tried."""

import numpy as np
import pytest

from ngrc.readout.dual import fit_dual
from ngrc.readout.dual_columns import ExplicitColumns
from ngrc.readout.dual_cost import check_columns, check_design, check_rows, choose_solver


@pytest.mark.parametrize(
    ("count", "columns", "degree", "solver"),
    [(5_000, 300, 2, "primal"), (600, 285, 3, "primal"), (600, 1_329, 3, "dual"), (600, 1_325, 2, "dual"),
     (300, 91_880, 3, "dual"), (50_000, 5_000, 2, "primal"), (12_000, 19_000, 2, "primal")],
)  # fmt: skip
def test_the_cheaper_form_is_chosen(count: int, columns: int, degree: int, solver: str) -> None:
    assert choose_solver(count, columns, degree) == solver


def test_what_does_not_fit_into_memory_is_refused_in_one_line() -> None:
    with pytest.raises(
        ValueError, match=r"91,880 columns over 50,000 fit rows .* product_lags or a lower degree"
    ):
        choose_solver(50_000, 91_880, 3)
    with pytest.raises(ValueError, match=r"11,000 fit rows; at most 10,000 .* fit fewer rows"):
        check_rows(11_000)
    with pytest.raises(ValueError, match=r"5,000 fit rows; at most 2,800"):
        check_rows(5_000, kept=48)
    check_rows(2_800, kept=48)
    with pytest.raises(ValueError, match=r"30,000 columns; at most 20,000 .* solver='dual'"):
        check_columns(30_000)
    check_columns(20_000)
    with pytest.raises(ValueError, match=r"10,000 rows of 50,000 explicit columns .* fewer lags"):
        check_design(10_000, 50_000)
    many = ExplicitColumns(np.broadcast_to(0.0, (11_000, 1)))
    with pytest.raises(ValueError, match=r"11,000 fit rows"):
        fit_dual(many, np.zeros(11_000), 0.1)
