"""Methods by name, as every entry point resolves them."""

import numpy as np
import pytest

from ngrc import NGRC, around, backtest, look_ahead
from ngrc.intervals import METHODS, Adaptive, Gaussian, ResCP, Rolling
from ngrc.intervals.defaults import COMPARED, PAPER, RECENT, default_methods, resolve


def test_a_look_back_never_exceeds_what_is_known() -> None:
    assert resolve("rolling", 40) == Rolling(window=40)
    assert resolve("gaussian", 10 * RECENT) == Gaussian(window=RECENT)
    assert resolve("rescp", 40, seed=7) == ResCP(seed=7)


def test_a_method_is_taken_as_it_is() -> None:
    own = Adaptive(rate=0.02)
    assert resolve(own, 5, seed=3) is own


def test_the_default_is_every_method_of_the_paper_that_applies_and_auto() -> None:
    assert list(default_methods(50)) == [*PAPER, "auto"]
    assert set(COMPARED) <= set(METHODS)
    assert list(default_methods(50, leverage=False)) == [name for name in COMPARED if name != "bayes"]


@pytest.mark.parametrize("wrong", ["magic", Adaptive, 3, None])
def test_what_is_no_method_is_refused_by_every_entry(wrong: object) -> None:
    y = np.sin(np.arange(200.0))
    words = "unknown interval method 'magic'" if wrong == "magic" else "a method is a name such as"
    with pytest.raises(ValueError, match=words):
        resolve(wrong, 10)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match=words):
        around(y, y + 1.0, wrong)  # type: ignore[arg-type]
    if wrong is not None:  # which leaves the choice to the look ahead
        with pytest.raises(ValueError, match=words):
            look_ahead(y, NGRC(lags=2), method=wrong)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match=words):
        backtest(y, NGRC(lags=2), methods=[wrong])  # type: ignore[list-item]
