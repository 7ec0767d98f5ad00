"""Products within and across channels, of all degrees from the lowest."""

from itertools import product
from math import prod
from typing import Any

import numpy as np
import pytest

from ngrc.features import Delays, Inputs, Products

RNG = np.random.default_rng(14)
INPUTS = Inputs({"x": RNG.standard_normal(50), "wind": RNG.standard_normal(50)})
FACTORS = [
    (Delays(3),),
    (Delays((1, 4), 2),),
    (Delays(2), Delays(2, channel="wind")),
    (Delays((2, 5)), Delays(1, 3, "wind")),
]


@pytest.mark.parametrize("factors", FACTORS)
@pytest.mark.parametrize(("lowest", "degree"), [(2, 2), (2, 3), (3, 3), (3, 4)])
@pytest.mark.parametrize("horizon", [1, 4])
def test_every_column_is_its_product(
    factors: tuple[Delays, ...], lowest: int, degree: int, horizon: int
) -> None:
    group = Products(factors, degree, lowest)
    places = [(delays.channel, step) for delays in factors for step in delays.steps]
    chosen = [
        index
        for power in range(lowest, degree + 1)
        for index in product(range(len(places)), repeat=power)
        if list(index) == sorted(index)
    ]
    reach = max(step for _, step in places)
    assert group.reach(horizon) == reach
    assert group.count(horizon) == len(chosen)
    columns = group.columns(INPUTS, horizon, reach + horizon, 50)
    for row, origin in enumerate(range(reach, 50 - horizon)):
        values = [float(INPUTS.channels[channel][origin - step]) for channel, step in places]
        expected = [prod(values[place] for place in index) for index in chosen]
        np.testing.assert_allclose(columns[row], expected, rtol=1e-13)
    assert len(set(group.names(horizon))) == len(chosen)


def test_names_cross_channels() -> None:
    group = Products((Delays(1), Delays((1, 3), channel="wind")))
    assert group.names(1) == (
        *("x[t]^2", "x[t]*wind[t]", "x[t]*wind[t-2]"),
        *("wind[t]^2", "wind[t]*wind[t-2]", "wind[t-2]^2"),
    )


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"delays": ()}, "Products takes groups of Delays"),
        ({"delays": (3,)}, "Products takes groups of Delays"),
        ({"delays": Delays(2), "degree": 1}, "degree must be at least 2"),
        ({"delays": Delays(2), "lowest": 1}, "lowest must be at least 2"),
        ({"delays": Delays(2), "lowest": 3, "degree": 2}, "degree must be at least 3"),
    ],
)
def test_bad_arguments(arguments: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        Products(**arguments)
