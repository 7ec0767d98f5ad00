"""The map that the model's arguments ask for."""

from typing import Any

import pytest

from ngrc.features import Clock, ClockProducts, Delays, FeatureMap, Known, Memory, Products, Seasonal
from ngrc.features.core import Core
from ngrc.features.standard import Shape, standard_map


def test_every_argument_has_its_group() -> None:
    shape = Shape(
        (1, 2, 24),
        spacing=2,
        degree=3,
        product_lags=2,
        periods=(24, 7.5),
        harmonics=3,
        seasonal=2,
        clock_lags=1,
        half_lives=(6,),
        exog=("rain",),
        known=("sun",),
        exog_lags=(1, 5),
    )
    delays, clock = Delays((1, 2, 24), 2), Clock((24, 7.5), 3)
    assert standard_map(shape) == FeatureMap(
        (
            delays,
            Products((Delays(2, 2),), 3),
            Seasonal((24, 7.5), 2, besides=delays),
            clock,
            Memory((6,)),
            ClockProducts(Delays(1, 2), clock),
            Delays((1, 5), 2, "rain"),
            Known(("sun",)),
        )
    )


@pytest.mark.parametrize("across", [True, False])
def test_channels_have_delays_of_their_own_and_products_as_chosen(across: bool) -> None:
    groups = standard_map(Shape(3, product_lags=2, half_lives=(4,), across=across), ("a", "b")).groups
    products = [group for group in groups if isinstance(group, Products)]
    a, b = Delays(2, channel="a"), Delays(2, channel="b")
    assert products == ([Products((a, b))] if across else [Products((a,)), Products((b,))])
    assert [group for group in groups if isinstance(group, Delays)] == [
        Delays(3, channel=name) for name in "ab"
    ]
    assert [group for group in groups if isinstance(group, Memory)] == [Memory((4,), name) for name in "ab"]


@pytest.mark.parametrize(
    ("shape", "core"),
    [
        (Shape(5), Core("x", 5, 1, 5)),
        (Shape(5, spacing=3, product_lags=2), Core("x", 5, 3, 2)),
        (Shape(5, product_lags=0), Core("x", 5, 1, 0)),
        (Shape(5, degree=1), Core("x", 5, 1, 0)),
        (Shape(5, degree=3), None),
        (Shape((1, 2, 3)), Core("x", 3, 1, 3)),
        (Shape((1, 2, 4)), None),
    ],
)
def test_the_core_is_found(shape: Shape, core: Core | None) -> None:
    feature_map = standard_map(shape)
    assert feature_map.core == core
    counted = 0 if core is None else core.count
    assert counted + feature_map.extra_count(1) == feature_map.count(1) - 1


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"lags": 3, "product_lags": 4}, "the first 4 delays are asked for and there are 3; use more lags"),
        ({"lags": 3, "product_lags": -1}, "product_lags must be at least 0"),
        ({"lags": 3, "clock_lags": 4, "periods": (24,)}, "the first 4 delays are asked for and there are 3"),
        ({"lags": 3, "clock_lags": 2}, "clock products need a period, got none"),
        ({"lags": 3, "clock_lags": 2, "periods": (24,), "harmonics": 0}, "harmonics"),
        ({"lags": 3, "clock_lags": -1}, "clock_lags must be at least 0"),
        ({"lags": 3, "seasonal": 1}, "seasonal delays need a period, got none"),
        ({"lags": 3, "seasonal": -1}, "seasonal must be at least 0"),
        ({"lags": 3, "periods": (0.5,), "harmonics": 0}, "a period must be at least 2 steps"),
        ({"lags": 3, "periods": 24, "harmonics": 0}, "periods must be a sequence"),
        ({"lags": 3, "exog": ("a",), "exog_lags": 0}, "lags must be at least 1"),
        ({"lags": 3, "known": ("a", "a")}, "named, each once"),
    ],
)
def test_bad_arguments(arguments: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        standard_map(Shape(**arguments))
