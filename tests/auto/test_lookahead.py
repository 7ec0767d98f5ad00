"""The automatic model does not read the future: whatever comes after a time, what was chosen and said by then stays.

Everything after a cut becomes something else: other noise, a million times the values, or a constant. Selections made
at ends up to the cut and forecasts from origins before it must be the very same, through `fit`, `fits`, `backtest` and
`look_ahead`.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest

from ngrc import AutoNGRC, backtest
from ngrc._types import FloatArray
from ngrc.ahead.paths import ManyFits, path_model
from ngrc.auto.plan import AutoPlan
from ngrc.auto.recipe import Recipe
from ngrc.features import Inputs
from ngrc.forecasters.beside import Beside

SIZE, CUT, ENDS = 260, 205, (100, 140, 200, 205, 230, 260)
TIMES = np.datetime64("2024-03-01T00") + np.arange(SIZE + 20).astype("m8[h]")


def others(values: FloatArray, cut: int) -> dict[str, FloatArray]:
    """The same until the cut, and something else from there on."""
    rng = np.random.default_rng(cut)
    noise, huge, constant = values.copy(), values.copy(), values.copy()
    noise[cut:] += rng.uniform(5, 90, values.size - cut)
    huge[cut:] *= 1e6
    constant[cut:] = 17.0
    return {"noise": noise, "huge": huge, "constant": constant}


def season(seed: int = 0) -> FloatArray:
    rng = np.random.default_rng(seed)
    time = np.arange(SIZE)
    daily = 4 * np.sin(2 * np.pi * time / 24) + np.cos(2 * np.pi * time / 12)
    return np.asarray(60 + daily + np.cumsum(rng.normal(0, 0.3, SIZE)) + rng.normal(0, 0.5, SIZE))


def logistic() -> FloatArray:
    values = [0.37]
    while len(values) < SIZE:
        values.append(3.8 * values[-1] * (1.0 - values[-1]))
    return np.array(values)


def chosen(model: Any) -> list[Any]:
    """All that a selection settled."""
    return [(s.horizons, s.members, s.transform, s.periods, s.references, s.rows) for s in model.selections_]


@dataclass(frozen=True)
class Given:
    """A model, its series, and what stands beside it."""

    model: AutoNGRC
    y: FloatArray
    wind: FloatArray | None = None
    sun: FloatArray | None = None
    times: bool = False

    def beside(self, size: int) -> dict[str, Any]:
        columns = {"wind": self.wind, "sun": self.sun}
        exog = {name: column for name, column in columns.items() if column is not None}
        return {"exog": exog or None, "times": TIMES[:size] if self.times else None}


def probe(before: Given, after: Given, cut: int) -> None:
    """Whatever follows the cut, models of ends up to it and forecasts from origins before it are the same."""
    horizon, size = before.model.horizon, before.y.size
    pairs = zip(
        *(given.model.fits(given.y, ENDS, **given.beside(size)) for given in (before, after)), strict=True
    )
    for end, (one, two) in zip(ENDS, pairs, strict=True):
        if end > cut:
            continue
        assert chosen(one) == chosen(two)
        for name in ("predict", "leverage") + ("predict_path",) * before.model.path:
            told = [getattr(m, name)(g.y, **g.beside(size)) for m, g in ((one, before), (two, after))]
            if name != "predict_path":
                np.testing.assert_array_equal(told[0][: cut + horizon], told[1][: cut + horizon])
                assert np.isfinite(told[0][cut : cut + horizon]).all()
                continue
            for step in range(1, horizon + 1):
                np.testing.assert_array_equal(
                    told[0][: cut + step, step - 1], told[1][: cut + step, step - 1]
                )
        np.testing.assert_array_equal(one.fit_scale_, two.fit_scale_)
        # The plain fit of the same observations chooses the same.
        if end == ENDS[0]:
            alone = type(one)(**one.get_params()).fit(before.y[:end], **_until(before, end))
            assert chosen(alone) == chosen(one)


def _until(given: Given, end: int) -> dict[str, Any]:
    """What stands beside the first observations; inputs known ahead go on."""
    found = given.beside(end)
    if found["exog"]:
        # Columns of one frame: as long as the one that is known ahead.
        stop = None if "sun" in found["exog"] else end
        found["exog"] = {name: column[:stop] for name, column in found["exog"].items()}
    return found


MODELS = {"1": (1, False), "3": (3, False), "7": (7, False), "path": (7, True)}


@pytest.mark.parametrize(
    ("name", "kind"),
    [("1", "noise"), ("3", "noise"), ("3", "huge"), ("3", "constant"), ("7", "huge"), ("path", "noise"),
     ("path", "huge"), ("path", "constant")],
)  # fmt: skip
def test_ends_and_origins_before_the_cut(name: str, kind: str) -> None:
    y, (horizon, path) = season(), MODELS[name]
    model = AutoNGRC(horizon, path=path)
    probe(Given(model, y, times=path), Given(model, others(y, CUT)[kind], times=path), CUT)


@pytest.mark.parametrize("name", ["1", "path"])
def test_chaos_before_the_cut(name: str) -> None:
    y, (horizon, path) = logistic(), MODELS[name]
    model = AutoNGRC(horizon, path=path)
    probe(Given(model, y), Given(model, others(y, CUT)["noise"]), CUT)


@pytest.mark.parametrize("name", ["1", "3", "path"])
def test_inputs_before_the_cut(name: str) -> None:
    horizon, path = MODELS[name]
    rng = np.random.default_rng(5)
    wind, sun = rng.normal(size=(2, SIZE + 20))
    y = season()
    y[1:] += 2.0 * wind[: SIZE - 1] + 3.0 * sun[1:SIZE]
    model = AutoNGRC(horizon, path=path, exog=("wind",), known=("sun",))
    gusts, clouds = wind.copy(), sun.copy()
    gusts[CUT:] += 50.0
    # What is known ahead was known `horizon` steps further.
    clouds[CUT + horizon :] -= 80.0
    before = Given(model, y, wind, sun, times=True)
    probe(before, Given(model, others(y, CUT)["noise"], gusts, clouds, times=True), CUT)
    fitted = model.fit(y, exog={"wind": wind, "sun": sun})
    assert any(member.recipe.known for selection in fitted.selections_ for member in selection.members)


@pytest.mark.parametrize(("kind", "horizon"), [("noise", 1), ("huge", 3)])
def test_a_backtest_before_the_cut(kind: str, horizon: int) -> None:
    y = season(2)
    run = backtest(y, horizon=horizon, methods=["adaptive"]).runs[0]
    test = run.blocks.test
    for cut in (run.blocks.ends[3], test.stop - 20):
        after = backtest(others(y, cut)[kind], horizon=horizon, methods=["adaptive"]).runs[0]
        same = cut + horizon
        np.testing.assert_array_equal(run.forecasts[:same], after.forecasts[:same])
        assert not np.array_equal(run.forecasts[same:], after.forecasts[same:])
        issued = max(same - test.start, 0)
        one, two = run.band("adaptive"), after.band("adaptive")
        np.testing.assert_array_equal(one.upper[:issued], two.upper[:issued])
        np.testing.assert_array_equal(one.lower[:issued], two.lower[:issued])


@pytest.mark.parametrize("window", [None, 120])
def test_what_look_ahead_said_on_the_way(window: int | None) -> None:
    y, steps = season(3), 7

    def said(values: FloatArray) -> FloatArray:
        paths = ManyFits(window=window).paths(values, path_model(AutoNGRC(), steps), Beside())
        return (paths.said if paths.walked is None else paths.walked)[:, :, 0]

    before = said(y)
    for cut, kind in ((130, "noise"), (211, "huge")):
        after = said(others(y, cut)[kind])
        for step in (1, 3, 7):
            np.testing.assert_array_equal(before[: cut + step, step - 1], after[: cut + step, step - 1])
            assert not np.array_equal(before[cut + step :, step - 1], after[cut + step :, step - 1])


@dataclass(frozen=True)
class Peeking:
    """Reads the value one step after the origin."""

    moving = False

    def names(self, horizon: int) -> tuple[str, ...]:
        return ("peek",)

    def count(self, horizon: int) -> int:
        return 1

    def reach(self, horizon: int) -> int:
        return 0

    def columns(self, inputs: Inputs, horizon: int, first: int, stop: int) -> FloatArray:
        return inputs.channel("x")[np.minimum(np.arange(first, stop) - horizon + 1, inputs.size - 1)][:, None]


@contextmanager
def leak(name: str, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    groups, prepared, proposed = Recipe.groups, AutoPlan.prepared, AutoPlan.proposed
    leaks: dict[str, tuple[type, str, Callable[..., Any]]] = {
        "column": (Recipe, "groups", lambda self: (*groups(self), *(Peeking(),) * (self.lags > 0))),
        "scale": (
            AutoPlan,
            "prepared",
            lambda self, seen, end, *rest: prepared(self, seen, seen.size, *rest),
        ),
        "periods": (
            AutoPlan,
            "proposed",
            lambda self, values, times: proposed(self, values.base.ravel(), times),
        ),
    }
    where, method, replacement = leaks[name]
    with monkeypatch.context() as patch:
        patch.setattr(where, method, replacement)
        yield


@pytest.mark.parametrize("name", ["column", "scale", "periods"])
def test_the_probe_finds_a_leak(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    y = logistic() if name != "periods" else season()
    model = AutoNGRC(1)
    given = Given(model, y), Given(model, others(y, CUT)["huge"])
    with leak(name, monkeypatch), pytest.raises(AssertionError):
        probe(*given, CUT)
