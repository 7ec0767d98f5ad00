import numpy as np
import pytest

from ngrc.intervals import METHODS, History, Rolling, Stream, make_method


def test_names_and_order() -> None:
    expected = ["bayes", "split", "asymmetric", "rolling", "gaussian", "adaptive", "weighted", "rescp"]
    assert list(METHODS) == expected


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
