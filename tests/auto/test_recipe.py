"""What a recipe says of itself follows from its columns."""

from itertools import product
from typing import Any

from ngrc.auto.recipe import Recipe


def test_a_recipe_without_columns_is_fixed() -> None:
    choices: dict[str, tuple[Any, Any]] = {
        "lags": (0, 2), "seasonal": ((), ((24.0, 1),)), "clock": ((), ((24.0, 1),)),
        "turning": ((), ((24.0, 1, 1),)), "half_lives": ((), (3.0,)), "products": (0, 2),
        "exog": ((), ("wind",)), "known": ((), ("holiday",)),
    }  # fmt: skip
    for values in product(*choices.values()):
        recipe = Recipe(**dict(zip(choices, values, strict=True)))
        assert recipe.fixed == (not recipe.groups()), recipe
