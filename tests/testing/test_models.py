"""No model reads the future: every group of columns, target, kind of channel, horizon and forecaster of the library."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest

from ngrc import NGRC, AutoNGRC
from ngrc._types import FloatArray
from ngrc.features import Clock, ClockProducts, Delays, Group, Inputs, Known, Memory, Products, Seasonal
from ngrc.features.calendar import Calendar
from ngrc.features.constant import Constant
from ngrc.forecasters import ARIMA, LagRegressor, SeasonalNaive
from ngrc.testing import assert_no_lookahead

SIZE, FIT = 250, 190
TIME = np.arange(SIZE)
TIMES = np.datetime64("2024-03-01T00") + TIME.astype("m8[h]")
HORIZONS = pytest.mark.parametrize("horizon", [1, 3, 7, 24])
PATHS = pytest.mark.parametrize("path", [False, True], ids=["alone", "path"])

GROUPS: dict[str, Callable[[str], tuple[Group, ...]]] = {
    "delays": lambda name: (Delays(3, 2, name),),
    "lag set": lambda name: (Delays((2, 9), channel=name),),
    "products": lambda name: (Products((Delays((1, 3), channel=name),), 3),),
    "products across": lambda name: (Products((Delays(2, channel=name), Delays((1,), channel=name))),),
    "seasonal": lambda name: (Seasonal((12,), channel=name),),
    "seasonal, wide, half a step": lambda name: (Seasonal((7.5,), 1, 2, Delays(2, channel=name), name),),
    "clock products": lambda name: (ClockProducts(Delays(2, channel=name), Clock((12,))),),
    "memory": lambda name: (Memory((4, 25), name),),
    "clock": lambda name: (Delays(2, channel=name), Clock((12, 7.5))),
    "calendar": lambda name: (Delays(2, channel=name), Calendar(("hour", "weekday"))),
    "constant": lambda name: (Delays(2, channel=name), Constant()),
    "known": lambda name: (Delays(2, channel=name), Known(("sun", "rain"), 2)),
}
CHANNELS = {"scalar": "x", "observed": "wind", "vector": "x1"}
TARGETS = ("level", "increment", "seasonal")

WHOLE: dict[str, dict[str, Any]] = {
    "everything": {
        "lags": (1, 2, 5), "product_lags": 2, "periods": (12, 7.5), "seasonal": 2, "clock_lags": 1,
        "half_lives": (6,), "calendar": ("hour",), "known": ("sun", "rain"), "clip": 0.1, "ridges": (0.01, 1.0),
    },
    "the paper's": {"lags": 4, "periods": (12,), "half_lives": (6,), "ridges": (0.01, 1.0)},
    "raw cubic": {"lags": 2, "degree": 3, "columns": "raw", "intercept": "none", "ridge": 0.1},
    "logarithm": {"lags": 3, "transform": "log", "lower": 0.5, "clip": 0.5, "ridge": 0.1},
    "Box-Cox": {"lags": 3, "transform": "boxcox", "ridge": 0.1},
    "dual": {"lags": 5, "solver": "dual", "ridge": 0.1},
    "penalty by validation": {"lags": 3},
}  # fmt: skip


def drawn(kind: str = "scalar", seed: int = 5) -> FloatArray:
    rng = np.random.default_rng(seed)
    y = 100.0 + 9.0 * np.sin(2 * np.pi * TIME / 12)[:, None] + rng.normal(0.0, 2.0, (SIZE, 2))
    return y if kind == "vector" else y[:, 0].copy()


def beside(kind: str, known: tuple[str, ...]) -> dict[str, FloatArray] | None:
    names = (("wind",) if kind == "observed" else ()) + known
    columns = np.random.default_rng(9).standard_normal((3, SIZE))
    return {name: columns[("wind", "sun", "rain").index(name)] for name in names} or None


def probe(settings: dict[str, Any], kind: str, horizon: int, path: bool, cuts: Any = (FIT + 9,)) -> None:
    known = tuple(settings.get("known", ()))
    exog = beside(kind, known)
    observed = tuple(name for name in exog or () if name not in known)
    model = NGRC(**{**settings, "exog": observed, "known": known}, horizon=horizon, path=path)
    assert_no_lookahead(model, drawn(kind), exog=exog, times=TIMES, fit=FIT, cuts=cuts)


def settled(name: str, target: str, kind: str) -> dict[str, Any]:
    known = ("sun", "rain") if name == "known" else ()
    groups = GROUPS[name](CHANNELS[kind])
    return {"map": groups, "target": target, "periods": (12,), "ridge": 0.1, "known": known}


@HORIZONS
@pytest.mark.parametrize("name", GROUPS)
def test_groups_of_columns(name: str, horizon: int) -> None:
    # Kinds of channel, targets and paths take turns over the horizons.
    turn = (1, 3, 7, 24).index(horizon) + list(GROUPS).index(name)
    kind, target = list(CHANNELS)[turn % 3], TARGETS[(turn // 3) % 3]
    probe(settled(name, target, kind), kind, horizon, path=turn % 2 == 0)


@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize("name", GROUPS)
def test_every_group_with_every_target(name: str, target: str) -> None:
    turn = TARGETS.index(target) + list(GROUPS).index(name)
    kind = list(CHANNELS)[turn % 3]
    probe(settled(name, target, kind), kind, 3, path=True)


@HORIZONS
@pytest.mark.parametrize("name", WHOLE)
def test_whole_models(name: str, horizon: int) -> None:
    kind = list(CHANNELS)[(horizon + list(WHOLE).index(name)) % 3]
    probe({"periods": (12,), "target": "seasonal", **WHOLE[name]}, kind, horizon, path=horizon == 7, cuts=2)


@pytest.mark.parametrize("name", ["everything", "the paper's"])
def test_a_fit_reads_no_row_of_the_inputs_after_its_own(name: str) -> None:
    # Inputs known ahead are handed over with rows beyond the series; fit rows have their targets inside it.
    settings = {"periods": (12,), **WHOLE[name]}
    known = tuple(settings.get("known", ()))
    columns = beside("observed", known)
    assert columns is not None
    other = {column: np.where(TIME < FIT, values, 50.0 - values) for column, values in columns.items()}
    y = drawn()
    models = []
    for exog in (columns, other):
        rows = SIZE if known else FIT
        model = NGRC(**{**settings, "exog": ("wind",), "known": known}, horizon=3, path=True)
        models.append(model.fit(y[:FIT], exog={k: v[:rows] for k, v in exog.items()}, times=TIMES[:FIT]))
    first, second = (model.predict_path(y, exog=columns, times=TIMES) for model in models)
    np.testing.assert_array_equal(first, second)
    np.testing.assert_array_equal(models[0].ridge_, models[1].ridge_)


@HORIZONS
def test_the_other_forecasters(horizon: int) -> None:
    from sklearn.linear_model import LinearRegression
    from sklearn.neighbors import KNeighborsRegressor

    y = drawn()
    models = [SeasonalNaive(), SeasonalNaive(12), LagRegressor(LinearRegression(), 3)]
    for model in (*models, LagRegressor(KNeighborsRegressor(3), 4, spacing=2)):
        assert_no_lookahead(model, y, horizon=horizon, cuts=2)


@pytest.mark.parametrize("horizon", [1, 7])
def test_arima(horizon: int) -> None:
    assert_no_lookahead(ARIMA((1, 1, 0)), drawn()[:120], horizon=horizon, cuts=2)


@dataclass(frozen=True)
class Peeking:
    """Reads the value `ahead` steps after the origin: what the probe must find."""

    ahead: int

    moving = False

    def names(self, horizon: int) -> tuple[str, ...]:
        return ("x",)

    def count(self, horizon: int) -> int:
        return 1

    def reach(self, horizon: int) -> int:
        return 0

    def columns(self, inputs: Inputs, horizon: int, first: int, stop: int) -> FloatArray:
        places = np.arange(first, stop) - horizon + self.ahead
        return inputs.channel("x")[np.minimum(places, inputs.size - 1)][:, None]


@PATHS
@HORIZONS
def test_a_column_of_one_step_too_many_is_found(horizon: int, path: bool) -> None:
    probe({"map": (Delays(2), Peeking(0)), "ridge": 0.1}, "scalar", horizon, path)
    with pytest.raises(AssertionError, match="looks ahead"):
        probe({"map": (Delays(2), Peeking(1)), "ridge": 0.1}, "scalar", horizon, path)


def test_a_column_known_ahead_is_read_no_further_than_its_target() -> None:
    def shifted(kind: str) -> Any:
        def function(y: FloatArray, exog: dict[str, FloatArray]) -> FloatArray:
            ahead = exog["sun"] if kind == "honest" else np.append(exog["sun"][1:], 0.0)
            return np.asarray(np.append(np.full(3, np.nan), y[:-3]) + ahead)

        return function

    exog = beside("scalar", ("sun",))
    assert_no_lookahead(shifted("honest"), drawn(), horizon=3, exog=exog, known=("sun",))
    with pytest.raises(AssertionError, match=r"may read sun\[\.\.\d+\].* because sun\["):
        assert_no_lookahead(shifted("leaking"), drawn(), horizon=3, exog=exog, known=("sun",))
    # Only observed, it may be read through the origin, three steps before.
    with pytest.raises(AssertionError, match=r"may read sun\[\.\.\d+\].* because sun\["):
        assert_no_lookahead(shifted("honest"), drawn(), horizon=3, exog=exog)


def test_the_automatic_model_and_its_choices() -> None:
    assert_no_lookahead(AutoNGRC(), drawn()[:130], horizon=3, cuts=2)
