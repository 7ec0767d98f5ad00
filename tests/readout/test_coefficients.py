import numpy as np

from ngrc.readout.coefficients import Coefficients

WEIGHTS = Coefficients(("1", "x[t]", "x[t-1]", "x[t]^2"), np.array([-0.25, 0.5, -3.0, 1e-7]), horizon=4)


def test_dictionary_keeps_the_designs_order() -> None:
    assert WEIGHTS.to_dict() == {"1": -0.25, "x[t]": 0.5, "x[t-1]": -3.0, "x[t]^2": 1e-7}
    assert list(WEIGHTS.to_dict()) == list(WEIGHTS.names)


def test_table_is_sorted_by_size_and_aligned() -> None:
    lines = str(WEIGHTS).splitlines()
    assert [line.split()[0] for line in lines] == ["feature", "x[t-1]", "x[t]", "1", "x[t]^2"]
    assert len({len(line) for line in lines}) == 1


def test_equation_names_signs_and_says_what_it_leaves_out() -> None:
    assert WEIGHTS.equation(terms=1) == "x[t+4] = -0.25 - 3·x[t-1] + (2 smaller terms)"
    assert WEIGHTS.equation(terms=None) == "x[t+4] = -0.25 - 3·x[t-1] + 0.5·x[t] + 1e-07·x[t]^2"
