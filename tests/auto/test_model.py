"""The fitted automatic model against its own members, solved by hand on explicit columns."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from ngrc import AutoNGRC
from ngrc._types import FloatArray
from ngrc.auto import choose, fit
from ngrc.auto.selection import Selection
from ngrc.features.scaling import Scale
from tests.auto.twin import Data, reach, said


def noisy_season(size: int, seed: int = 0) -> FloatArray:
    rng = np.random.default_rng(seed)
    time = np.arange(size)
    daily = 5 * np.sin(2 * np.pi * time / 12) + 2 * np.cos(2 * np.pi * time / 6)
    return np.asarray(40 + daily + np.cumsum(rng.normal(0, 0.2, size)) + rng.normal(0, 0.5, size))


def henon(size: int, seed: int = 1) -> FloatArray:
    values = [0.1, 0.2]
    while len(values) < size + 100:
        values.append(1.0 - 1.4 * values[-1] ** 2 + 0.3 * values[-2])
    return np.array(values[100:]) + np.random.default_rng(seed).normal(0, 0.01, size)


def growth(size: int, seed: int = 2) -> FloatArray:
    rng = np.random.default_rng(seed)
    time = np.arange(size)
    return np.asarray(np.exp(0.004 * time + 0.4 * np.sin(2 * np.pi * time / 12) + rng.normal(0, 0.05, size)))


def walk(size: int, seed: int = 3) -> FloatArray:
    return np.cumsum(np.random.default_rng(seed).normal(size=size))


SERIES: dict[str, tuple[Callable[[int], FloatArray], int, dict[str, Any]]] = {
    "season": (noisy_season, 310, {"transform": None}),
    "short season": (noisy_season, 90, {"transform": None}),
    "chaos": (henon, 400, {"transform": None}),
    "growth": (growth, 320, {"transform": "log"}),
    "growth, chosen": (growth, 400, {}),
    "walk": (walk, 350, {"lower": -100.0}),
    "long": (noisy_season, 2300, {"periods": (12,), "transform": None}),
    "tiny": (walk, 24, {}),
    "fitted season": (noisy_season, 400, {"transform": None, "periods": (12, 7.5)}),
    "fitted growth": (growth, 320, {"transform": "log"}),
}


# Columns one number at a time take long: all horizons at once only where few smoothings are chosen.
LONG_PATHS = ("tiny", "fitted season", "fitted growth")
CASES = [
    *((name, horizon, False) for name in SERIES for horizon in (1, 3, 14)),
    *((name, 3, True) for name in (*LONG_PATHS, "short season", "chaos")),
    *((name, 14, True) for name in LONG_PATHS),
]


@pytest.fixture(autouse=True)
def bank(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Series whose name says so have no bank of smoothings, so that something is fitted on few rows too."""
    if "[fitted" in request.node.name:
        monkeypatch.setattr("ngrc.auto.choose.MOST", 0)


def by_hand(
    model: AutoNGRC,
    selection: Selection,
    y: FloatArray,
    horizon: int,
    span: tuple[int, int],
    asked: range,
    limits: FloatArray | None = None,
) -> FloatArray:
    """Weighted sum of the members' own ridge fits to the targets of a span, as forecasts of `asked`.

    `limits` is what the search saw, whose range the clipped double keeps to.
    """
    preparation = model.state_.preparation
    link, scale = preparation.links[0], preparation.scales[0]
    x = scale.standardise(link.forward(y))
    seen = x if limits is None else scale.standardise(link.forward(limits))
    data = Data(x, (float(seen.min()), float(seen.max())))
    longest = selection.horizons[-1]
    far = max(
        reach(member.recipe, data, steps) for member in selection.members for steps in selection.horizons
    )
    # All horizons of a band are fitted at the same origins.
    first, stop = max(span[0], far + longest), span[1]
    fitted = range(first - longest + horizon, max(stop - longest, first - longest) + horizon)
    total = np.zeros(len(asked))
    for member in selection.members:
        total += member.weight * said(member.recipe, data, horizon, fitted, asked, member.penalty(horizon))
    return np.asarray(link.inverse(scale.restore(total)))


@pytest.mark.parametrize(("name", "horizon", "path"), CASES)
def test_forecasts_are_the_weighted_sum_of_the_members(name: str, horizon: int, path: bool) -> None:
    make, size, options = SERIES[name]
    y = make(size)
    model = AutoNGRC(horizon, path=path, **options).fit(y)
    steps = range(1, horizon + 1) if path else (horizon,)
    whole = model.predict_path(y) if path else None
    for selection in model.selections_:
        assert sum(member.weight for member in selection.members) == pytest.approx(1.0)
        for step in set(selection.horizons) & set(steps[:2]) | {steps[-1]} & set(selection.horizons):
            asked = range(size - 6, size)
            expected = by_hand(model, selection, y, step, (0, size), asked)
            told = model.predict(y)[size - 6 :] if whole is None else whole[size - 6 :, step - 1]
            np.testing.assert_allclose(told, expected, atol=1e-7 * float(np.std(y)))
            if path:
                ahead = by_hand(model, selection, y, step, (0, size), range(size + step - 1, size + step))
                np.testing.assert_allclose(
                    model.forecast(y)[step - 1], ahead[0], atol=1e-7 * float(np.std(y))
                )
    if whole is not None:
        np.testing.assert_allclose(whole[:, -1], model.predict(y), rtol=1e-9)


@pytest.mark.parametrize("horizon", [1, 3])
@pytest.mark.parametrize("name", ["season", "fitted season", "chaos", "growth", "short season"])
def test_the_equation_says_what_predict_says(name: str, horizon: int) -> None:
    make, size, options = SERIES[name]
    y = make(size)
    model = AutoNGRC(horizon, **options).fit(y)
    coefficients, band = model.coefficients(), model.fitted_[0]
    link, scale = band.preparation.links[0], band.preparation.scales[0]
    x = scale.standardise(link.forward(y))
    target = size - 1
    sight = band.see(_observed(y))
    columns = sight.rows(horizon, 0, target, target + 1).design[0]
    level = sum(weight * float(x[target - step]) for weight, step in coefficients.base)
    level += float(coefficients.values[0] + columns @ coefficients.values[1:])
    said_there = float(link.inverse(scale.restore(np.array([level])))[0])
    assert said_there == pytest.approx(model.predict(y)[target], abs=1e-9 * float(np.std(y)))
    # Of the map's columns the plain delays can be read off the series by their names.
    for place, column in enumerate(coefficients.names[1:]):
        if column.startswith("x[t-") and "*" not in column and "^" not in column:
            assert columns[place] == x[target - horizon - int(column[4:-1])]
    assert coefficients.names[0] == "1"
    line = model.equation(None)
    assert all(
        name in line
        for name, value in zip(coefficients.names[1:], coefficients.values[1:], strict=True)
        if value
    )


def _observed(y: FloatArray) -> Any:
    from ngrc.observed import observe

    return observe(y, None, None, names=(), known=())


@pytest.mark.parametrize("window", [None, 220])
@pytest.mark.parametrize("path", [False, True], ids=["alone", "path"])
@pytest.mark.parametrize("name", ["fitted season", "chaos", "fitted growth"])
def test_fits_at_later_ends_are_the_same_members_solved_again(
    name: str, path: bool, window: int | None
) -> None:
    make, size, options = SERIES[name]
    # At the last end there is a search of its own.
    y, horizon, ends = make(size), 3, (250, 281, 310, 320)
    scale = None if name == "fitted growth" else Scale.of(y[:200])
    models = list(AutoNGRC(horizon, path=path, **options).fits(y, ends, window=window, scale=scale))
    for model, end in zip(models[:-1], ends[:-1], strict=True):
        assert model.selections_ == models[0].selections_
        selection = model.selections_[-1]
        span = (0 if window is None else end - window, end)
        told = model.predict(y[:end])[end - 5 :]
        expected = by_hand(model, selection, y[:end], horizon, span, range(end - 5, end), limits=y[: ends[0]])
        np.testing.assert_allclose(told, expected, atol=1e-7 * float(np.std(y)))
        readout = model.fitted_[-1].readouts[-1]
        band = model.fitted_[-1]
        rows = end - max(span[0], max(band.reach(steps) for steps in band.horizons) + horizon)
        assert readout.count == rows
    solved = [member for member in models[0].selections_[-1].members if not member.recipe.fixed]
    assert solved or name != "chaos"
    assert (models[0].forecast(y)[-1] == models[-1].forecast(y)[-1]) == (not solved)


def test_the_first_of_many_ends_is_the_plain_fit() -> None:
    y = noisy_season(300)
    first, *_ = AutoNGRC(3, path=True).fits(y, (200, 260))
    alone = AutoNGRC(3, path=True).fit(y[:200])
    assert [s.members for s in first.selections_] == [s.members for s in alone.selections_]
    np.testing.assert_allclose(first.predict_path(y), alone.predict_path(y), rtol=1e-9)


def test_a_series_that_has_doubled_is_searched_again() -> None:
    y = noisy_season(420)
    ends = (100, 150, 200, 390, 400, 420)
    found = list(AutoNGRC().fits(y, ends))
    searches = [model.selections_[0] for model in found]
    assert searches[0] is searches[1]
    assert searches[2] is searches[3]
    # The last end has a search of its own.
    assert len({id(selection) for selection in searches}) == 4
    for place, end in ((2, 200), (4, 400), (5, 420)):
        alone = AutoNGRC().fit(y[:end])
        assert alone.selections_[0].members == searches[place].members


@pytest.mark.parametrize(
    ("ends", "window", "again"),
    [((5_900, 11_800), None, True), ((6_000, 12_000), None, False), ((6_000, 12_000), 2_500, True)],
)
def test_no_search_follows_one_on_as_many_rows_as_any_reads(
    monkeypatch: pytest.MonkeyPatch, ends: tuple[int, int], window: int | None, again: bool
) -> None:
    for module in (choose, fit):
        monkeypatch.setattr(module, "MOST_ROWS", 6_000)
    y = np.random.default_rng(0).normal(size=12_000)
    first, last = AutoNGRC(periods=(), transform=None).fits(y, ends, window=window)
    assert (first.selections_[0] is not last.selections_[0]) is again
    # Half of the rows of a search are forecast: at most 3,000.
    most = 6_000 if window is None else window
    assert last.selections_[0].rows <= most // 2
    # The weights are those of all rows in any case.
    assert last.n_rows_ > (ends[1] - 1_000 if window is None else window - 1_000)


def test_the_mean_is_that_of_the_rows_that_were_fitted() -> None:
    """White noise about a level that the first block does not have."""
    rng = np.random.default_rng(0)
    y = rng.normal(size=3000)
    models = list(AutoNGRC(transform=None, periods=()).fits(y + 5.0, (2600, 3000), scale=(0.0, 1.0)))
    for model, end in zip(models, (2600, 3000), strict=True):
        # Every member is a shrunk level; the mean of the forecasts is that of the block, not that of the scale.
        assert np.nanmean(model.predict(y + 5.0)) == pytest.approx(5.0 + y[:end].mean(), abs=0.05)


def test_the_newest_paths_are_those_of_all() -> None:
    wave = np.sin(0.3 * np.arange(120.0)) + 0.01 * np.arange(120.0)
    model = AutoNGRC(3, path=True, transform=None).fit(wave[:80])
    every = model.predict_path(wave)
    for since in (0, 1, 80, 118, 120, 130):
        recent = model.recent_paths(wave, since=since)
        np.testing.assert_array_equal(recent[2:], every[since + 2 :])
        # Before them a path begins at an origin that was left out.
        np.testing.assert_array_equal(recent, model.predict_path(wave, since=since)[since:])


def test_paths_of_some_origins_are_those_of_all() -> None:
    wave = np.sin(0.3 * np.arange(120.0)) + 0.01 * np.arange(120.0)
    model = AutoNGRC(3, path=True, transform=None).fit(wave[:80])
    every = model.recent_paths(wave, since=80)
    some = model.recent_paths(wave, since=80, before=100)
    # Entry (t - 80, h - 1) is made at the origin t - h.
    origins = np.arange(80, 120)[:, None] - np.arange(1, 4)
    np.testing.assert_array_equal(some, np.where(origins < 100, every, np.nan))


@pytest.mark.parametrize("size", [400, 2100])
def test_the_last_end_is_searched_again_up_to_2000_observations(size: int) -> None:
    y = growth(size)
    models = list(AutoNGRC(3).fits(y, (size - 80, size - 40, size)))
    alone = AutoNGRC(3, transform=models[0].selections_[0].transform).fit(y)
    chosen = [
        [(one.recipe, one.weight) for one in model.selections_[0].members] for model in (*models, alone)
    ]
    assert chosen[0] == chosen[1]
    assert (chosen[2] == chosen[3]) is (size == 400)
    assert len({model.selections_[0].transform for model in models}) == 1
