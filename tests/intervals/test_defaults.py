"""Methods by name, as every entry point resolves them."""

import numpy as np
import pytest

from ngrc import NGRC, around, backtest, look_ahead
from ngrc.intervals import METHODS, Adaptive, Gaussian, ResCP, Rolling
from ngrc.intervals.base import History
from ngrc.intervals.defaults import COMPARED, PAPER, default_methods, resolve


@pytest.mark.parametrize(("known", "window"), [(1, 1), (40, 40), (100, 100), (1000, 100)])
def test_a_window_that_nobody_gives_follows_what_is_known(known: int, window: int) -> None:
    history = History(np.sin(np.arange(1.0, known + 1.0)))
    for own, given in ((Rolling(), Rolling(window)), (Gaussian(), Gaussian(window))):
        assert resolve(own.name) == own
        assert own.selected == {}
        assert own.tuned(history, 0.5) == given
        assert own.begin(history, 0.5).issue() == given.begin(history, 0.5).issue()
    assert resolve("rescp", seed=7) == ResCP(seed=7)


def test_a_method_is_taken_as_it_is() -> None:
    own = Adaptive(rate=0.02)
    assert resolve(own, seed=3) is own


def test_the_default_is_every_method_of_the_paper_that_applies_and_auto() -> None:
    assert list(default_methods()) == [*PAPER, "auto"]
    assert set(COMPARED) <= set(METHODS)
    assert list(default_methods(leverage=False)) == [name for name in COMPARED if name != "bayes"]


@pytest.mark.parametrize("wrong", ["magic", Adaptive, 3, None])
def test_what_is_no_method_is_refused_by_every_entry(wrong: object) -> None:
    y = np.sin(np.arange(200.0))
    words = "unknown interval method 'magic'" if wrong == "magic" else "a method is a name such as"
    with pytest.raises(ValueError, match=words):
        resolve(wrong)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match=words):
        around(y, y + 1.0, wrong)  # type: ignore[arg-type]
    if wrong is not None:  # which leaves the choice to the look ahead
        with pytest.raises(ValueError, match=words):
            look_ahead(y, NGRC(lags=2), method=wrong)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match=words):
        backtest(y, NGRC(lags=2), methods=[wrong])  # type: ignore[list-item]
