import numpy as np
import pytest

from ngrc._params import Parameters


class Example(Parameters):
    def __init__(self, size: int = 1, *, grid: object = (1.0, 2.0), name: str | None = None) -> None:
        self.size, self.grid, self.name = size, grid, name


def test_parameters_by_name() -> None:
    assert Example(3, name="a").get_params() == {"size": 3, "grid": (1.0, 2.0), "name": "a"}
    assert Example().get_params(deep=False) == Example().get_params()


def test_set_returns_self() -> None:
    example = Example()
    assert example.set_params(size=5, name="b") is example
    assert (example.size, example.name) == (5, "b")


def test_unknown_parameters_are_named() -> None:
    with pytest.raises(ValueError, match="Example has no parameter 'sizes'; it has size, grid, name"):
        Example().set_params(sizes=2)


def test_repr_shows_what_differs_from_the_defaults() -> None:
    assert repr(Example()) == "Example()"
    assert repr(Example(2, grid=(1.0,))) == "Example(size=2, grid=(1.0,))"
    assert repr(Example(grid=np.array([1.0, 2.0]))) == "Example(grid=array([1., 2.]))"


def test_a_subclass_has_the_arguments_of_its_own_constructor() -> None:
    class Longer(Example):
        def __init__(
            self, size: int = 7, *, grid: object = (), name: str | None = None, more: int = 2
        ) -> None:
            super().__init__(size, grid=grid, name=name)
            self.more = more

    class Same(Example):
        pass

    assert Example().get_params() == Same().get_params()
    assert Longer().get_params() == {"size": 7, "grid": (), "name": None, "more": 2}
    assert Example().get_params() == {"size": 1, "grid": (1.0, 2.0), "name": None}


def test_what_is_known_of_a_class_cannot_be_changed_from_outside() -> None:
    Example().get_params()["size"] = 99
    assert Example().get_params()["size"] == 1
