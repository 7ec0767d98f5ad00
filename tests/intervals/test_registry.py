import importlib
import pkgutil

import numpy as np
import pytest

import ngrc.intervals
from ngrc.intervals import METHODS, History, IntervalMethod, Rolling, Stream, make_method
from ngrc.intervals.auto.aggregate import Aggregate


def test_every_method_is_registered_once_under_its_own_name() -> None:
    assert len(set(METHODS.values())) == len(METHODS)
    for name, method in METHODS.items():
        assert method.name == name
        assert name.isidentifier()
        assert name == name.lower()


def test_every_method_file_is_registered() -> None:
    """A public subclass in this room that METHODS lacks would never be tested or listed."""
    for module in pkgutil.iter_modules(ngrc.intervals.__path__):
        importlib.import_module(f"ngrc.intervals.{module.name}")
    direct = set(IntervalMethod.__subclasses__()) | set(Aggregate.__subclasses__())
    # By name: a class with slots is made twice, and both are subclasses.
    ours = {kind.__qualname__ for kind in direct if kind.__module__.startswith("ngrc.intervals.")}
    assert ours - {"Aggregate"} == {kind.__qualname__ for kind in METHODS.values()}


def test_make_method_passes_parameters() -> None:
    assert make_method("rolling", window=7) == Rolling(7)
    assert make_method("weighted", decay=0.5).selected == {"decay": 0.5}


@pytest.mark.parametrize(
    ("name", "parameters", "message"),
    [
        ("conformal", {}, "unknown interval method 'conformal'; choose from bayes, split"),
        ("split", {"window": 3}, "split has no parameter 'window'; it takes none"),
        ("adaptive", {"rat": 3}, "adaptive has no parameter 'rat'; it takes rate, rates"),
    ],
)
def test_make_method_explains(name: str, parameters: dict[str, int], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        make_method(name, **parameters)


@pytest.mark.parametrize("bad", [[], [1.0, np.nan], [[1.0]], [np.inf]])
def test_history_refuses_what_is_not_a_history(bad: list[float]) -> None:
    with pytest.raises(ValueError, match=r"residual|finite|dimensional"):
        History(np.array(bad))
    with pytest.raises(ValueError, match="horizon"):
        History(np.ones(3), horizon=0)


def test_visible_ends_where_the_last_interval_is_issued() -> None:
    residuals = np.arange(20.0)
    assert Stream(residuals, 12, 3).visible.tolist() == residuals[:17].tolist()
    assert Stream(residuals, 20, 3).visible.tolist() == Stream(residuals, 20, 3).history.residuals.tolist()
