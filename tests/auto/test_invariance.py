"""What must not matter: units, repetition, threads, pickling, copying; and the parameters' contract."""

import copy
import pickle
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from sklearn.base import clone

from ngrc import AutoNGRC
from ngrc._types import FloatArray
from ngrc.forecasters.base import at_horizon, check_forecaster
from ngrc.forecasters.walking import Walker
from tests.auto.test_model import growth, henon, noisy_season, walk


def chosen(model: AutoNGRC) -> list[Any]:
    return [(s.horizons, s.members, s.transform, s.periods) for s in model.selections_]


SERIES = {"season": noisy_season(400), "chaos": henon(400), "walk": walk(300), "short": noisy_season(50)}


@pytest.mark.parametrize(("factor", "shift"), [(-3.0, 1000.0), (1e-6, 0.0), (1e8, -5.0)])
@pytest.mark.parametrize("name", SERIES)
def test_units_do_not_matter(name: str, factor: float, shift: float) -> None:
    y = SERIES[name]
    other = factor * y + shift
    models = [AutoNGRC(3, path=True, transform=None).fit(values) for values in (y, other)]
    plain, moved = (model.forecast(values) for model, values in zip(models, (y, other), strict=True))
    np.testing.assert_allclose(moved, factor * plain + shift, atol=1e-6 * abs(factor) * float(np.std(y)))
    np.testing.assert_allclose(
        models[1].predict(other),
        factor * models[0].predict(y) + shift,
        atol=1e-6 * abs(factor) * float(np.std(y)),
    )
    for one, two in zip(*(model.selections_ for model in models), strict=True):
        # Sorted, as equal weights may change places; shares differ in their last bits.
        assert sorted(m.recipe.words() for m in one.members) == sorted(m.recipe.words() for m in two.members)
        assert one.periods == two.periods


@pytest.mark.parametrize("factor", [1e-3, 8.0, 1e5])
def test_units_do_not_matter_to_a_transform(factor: float) -> None:
    y = growth(200)
    plain, moved = (AutoNGRC(4, path=True).fit(values) for values in (y, factor * y))
    assert plain.selections_[0].transform == moved.selections_[0].transform
    np.testing.assert_allclose(moved.forecast(factor * y), factor * plain.forecast(y), rtol=1e-6)


@pytest.mark.parametrize("name", SERIES)
def test_repeated_fits_are_the_same_bits(name: str) -> None:
    y = SERIES[name]
    model = AutoNGRC(3, path=True)
    one = model.fit(y).predict_path(y)
    selections = chosen(model)
    two = model.fit(y).predict_path(y)
    np.testing.assert_array_equal(one, two)
    assert chosen(model) == selections
    np.testing.assert_array_equal(AutoNGRC(3, path=True).fit(y.copy()).predict_path(y), one)
    before = y.copy()
    model.fit(y)
    np.testing.assert_array_equal(y, before)


THREADS = """
import sys
import numpy as np
from ngrc import AutoNGRC
from tests.auto.test_model import henon, noisy_season
for y in (noisy_season(500), henon(500)):
    model = AutoNGRC(3).fit(y)
    for selection in model.selections_:
        print("|".join(member.recipe.words() for member in selection.members))
    print(" ".join(value.hex() for value in model.forecast(y)))
"""


def test_one_or_two_threads_choose_alike() -> None:
    said = []
    for threads in ("1", "2"):
        environment = {
            "OPENBLAS_NUM_THREADS": threads,
            "OMP_NUM_THREADS": threads,
            "PYTHONPATH": ":".join(sys.path),
        }
        found = subprocess.run(
            [sys.executable, "-c", THREADS], env=environment, capture_output=True, text=True, check=True,
            cwd=Path(__file__).parents[2],
        )  # fmt: skip
        said.append(found.stdout.splitlines())
    for one, two in zip(*said, strict=True):
        if one.startswith(("0x", "-0x")):
            values = [[float.fromhex(text) for text in line.split()] for line in (one, two)]
            np.testing.assert_allclose(values[0], values[1], rtol=1e-6)
        else:
            assert one == two


@pytest.mark.parametrize("duplicate", [copy.copy, copy.deepcopy, lambda m: pickle.loads(pickle.dumps(m))])
def test_copies_say_the_same(duplicate: Any) -> None:
    y = noisy_season(300)
    model = AutoNGRC(3, path=True, periods=(12,)).fit(y)
    other = duplicate(model)
    np.testing.assert_array_equal(other.predict_path(y), model.predict_path(y))
    np.testing.assert_array_equal(other.forecast_leverage(y), model.forecast_leverage(y))
    assert chosen(other) == chosen(model)
    assert other.get_params() == model.get_params()
    assert other.equation() == model.equation()


def test_models_of_a_walk_are_apart_from_each_other_and_from_their_maker() -> None:
    y = noisy_season(300)
    maker = AutoNGRC()
    one, two = maker.fits(y, (200, 300))
    assert not hasattr(maker, "state_")
    before: FloatArray = one.predict(y)
    two.fit(y[:100])
    np.testing.assert_array_equal(one.predict(y), before)


PARAMETERS = {
    "horizon": 3, "path": True, "periods": (12, 24), "transform": None, "exog": ("wind",), "known": ("sun",),
    "lower": -1.0, "upper": 9.0,
}  # fmt: skip


def test_parameters_come_back_as_they_were_given() -> None:
    model = AutoNGRC(**PARAMETERS)  # type: ignore[arg-type]
    assert model.get_params() == model.get_params(deep=False) == PARAMETERS
    assert AutoNGRC().set_params(**PARAMETERS).get_params() == PARAMETERS
    assert clone(model).get_params() == PARAMETERS
    for name, value in PARAMETERS.items():
        assert getattr(model, name) is value
    with pytest.raises(ValueError, match="AutoNGRC has no parameter 'lags'; it has horizon, path, periods"):
        model.set_params(lags=3)


def test_repr_shows_what_differs_from_the_defaults() -> None:
    assert repr(AutoNGRC()) == "AutoNGRC()"
    assert repr(AutoNGRC(7, path=True)) == "AutoNGRC(horizon=7, path=True)"
    assert repr(AutoNGRC(transform=None, periods=(24,))) == "AutoNGRC(periods=(24,), transform=None)"


def test_a_fit_keeps_the_parameters_and_a_clone_forgets_the_fit() -> None:
    y = noisy_season(100)
    model = AutoNGRC(2, periods=[12])
    assert model.fit(y) is model
    assert model.get_params()["periods"] == [12]
    assert not hasattr(clone(model), "state_")
    assert not hasattr(at_horizon(model, 5), "state_")
    assert at_horizon(model, 5).horizon == 5
    check_forecaster(model)
    assert isinstance(model, Walker)
    assert model.first_target == 2
    assert model.least_observations == 1
    y[:] = 0.0
    assert model.selections_[0].periods[0].steps == 12.0
