from collections.abc import Callable

import numpy as np
import pytest
from scipy.optimize import minimize_scalar

from ngrc._minimum import bounded_minimum

FUNCTIONS: dict[str, Callable[[float], float]] = {
    "parabola": lambda x: (x - 1.3) ** 2,
    "quartic": lambda x: (x - 0.4) ** 4 + 0.1 * x,
    "kink": lambda x: abs(x - 1.7),
    "waves": lambda x: float(np.sin(5.0 * x)) + 0.1 * x,
    "falling": lambda x: -x,
    "rising": lambda x: x,
    "flat": lambda x: 1.0,
    "infinite": lambda x: np.inf if x < 0.9 else (x - 1.0) ** 2,
}


@pytest.mark.parametrize("name", FUNCTIONS)
def test_the_place_is_that_of_scipy(name: str) -> None:
    function = FUNCTIONS[name]
    place, value = bounded_minimum(function, 0.0, 2.0, 1e-9)
    with np.errstate(invalid="ignore"):
        theirs = minimize_scalar(function, bounds=(0.0, 2.0), method="bounded", options={"xatol": 1e-9})
    assert value == function(place)
    assert place == pytest.approx(theirs.x, abs=1e-7)
