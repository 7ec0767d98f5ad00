"""Looking ahead by walking forward: against a loop over origins, honest on the way, and modest on short series."""

import json
from pathlib import Path
from typing import Any, Self

import numpy as np
import pytest

from ngrc import NGRC, AutoNGRC, look_ahead
from ngrc._params import Parameters
from ngrc._types import FloatArray
from ngrc.ahead import look_ahead_together
from ngrc.ahead.paths import ManyFits, path_model
from ngrc.cli import run
from ngrc.features.link import IDENTITY, Link
from ngrc.features.scaling import Scale
from ngrc.forecasters.beside import Beside
from ngrc.intervals import Adaptive, Split, Student
from tests.twins import student_quantile


def wave(n: int = 300, seed: int = 0) -> np.ndarray:
    rng = np.random.default_rng(seed)
    return 10 + 3 * np.sin(np.arange(n) / 7) + np.cumsum(rng.normal(0, 0.1, n)) + rng.normal(0, 0.5, n)


@pytest.mark.parametrize("window", [None, 90])
@pytest.mark.parametrize("refit_every", [None, 25])
def test_every_origin_is_forecast_by_the_last_fit_before_it(
    refit_every: int | None, window: int | None
) -> None:
    y, lags, steps, level = wave(), 4, 3, 0.9
    outlook = look_ahead(
        y, NGRC(lags=lags, ridge=0.1), steps=steps, method=Split(), level=level, refit_every=refit_every,
        window=window,
    )  # fmt: skip
    first = lags - 1 + steps
    end = first + int(0.3 * (y.size - first))
    ends = [end + (y.size - end) * step // 8 for step in range(9)]
    if refit_every is not None:
        ends = [*range(end, y.size, refit_every), y.size]
    assert outlook.refits == len(ends) - 1
    scale = Scale.of(y[:end])
    fits = {
        e: NGRC(lags=lags, ridge=0.1, horizon=steps, path=True).fit(
            y[:e], scale=scale, first=0 if window is None else e - window
        )
        for e in ends
    }
    for step in range(1, steps + 1):
        errors = []
        for target in range(end + step - 1, y.size):
            before = max(e for e in ends if e <= target - step + 1)
            errors.append(y[target] - fits[before].predict_path(y[: target + 1])[target, step - 1])
        scores = np.sort(np.abs(errors))
        radius = scores[int(np.ceil((scores.size + 1) * level)) - 1]
        middle = fits[y.size].forecast(y)[step - 1]
        assert outlook.forecast[step - 1] == pytest.approx(middle, abs=1e-8)
        assert outlook.upper[step - 1] == pytest.approx(middle + radius, abs=1e-8)
        assert outlook.lower[step - 1] == pytest.approx(middle - radius, abs=1e-8)


MODELS: dict[str, Any] = {
    "NGRC": NGRC(lags=3),
    "boxcox": NGRC(lags=3, transform="boxcox", ridge=0.1),
    "seasonal": NGRC(lags=3, periods=(12,), seasonal=1, target="increment", clip=0.2),
}


class OneByOne(NGRC):
    """An NGRC by another name, whose fits are asked for their forecasts one by one."""


@pytest.mark.parametrize("window", [None, 100])
@pytest.mark.parametrize("name", MODELS)
def test_a_walk_says_what_each_of_its_fits_would(name: str, window: int | None) -> None:
    y, steps, plan = wave(), 7, ManyFits(window=window)
    model = path_model(MODELS[name], steps)
    ours = plan.paths(y, model, Beside())
    twin = plan.paths(y, OneByOne(**model.get_params()), Beside())
    assert (ours.end, ours.refits, len(ours.late)) == (twin.end, twin.refits, len(twin.late))
    np.testing.assert_allclose(ours.said, twin.said, rtol=1e-11)
    np.testing.assert_allclose(ours.model.forecast(y), twin.model.forecast(y), rtol=1e-11)
    # Step h is said of every target from h steps after the last origin of the first fit on.
    for step in range(1, steps + 1):
        assert np.isnan(ours.said[: ours.end + step - 1, step - 1]).all()
        assert np.isfinite(ours.said[ours.end + step - 1 :, step - 1]).all()


@pytest.mark.parametrize("window", [None, 100])
@pytest.mark.parametrize("name", MODELS)
def test_what_was_said_on_the_way_does_not_know_what_came_after(name: str, window: int | None) -> None:
    y, steps = wave(), 7
    plan = ManyFits(window=window)

    def said(values: FloatArray) -> FloatArray:
        return plan.paths(values, path_model(MODELS[name], steps), Beside()).said[:, :, 0]

    before = said(y)
    ends = tuple(plan.ends(y.size, path_model(MODELS[name], steps)))
    for cut in (ends[1], ends[4] - 1, ends[6] + 3, y.size - 1):
        changed = y.copy()
        changed[cut:] += np.random.default_rng(cut).uniform(5, 9, y.size - cut)
        after = said(changed)
        for step in (1, 3, 7):
            same = cut + step
            np.testing.assert_array_equal(before[:same, step - 1], after[:same, step - 1])
            assert same >= y.size or not np.array_equal(before[same:, step - 1], after[same:, step - 1])


def test_series_together_walk_too() -> None:
    y, other = wave(seed=1), wave(seed=2)
    one, two = look_ahead_together([y, other], NGRC(lags=2, ridge=0.1), steps=2, method="split", level=0.8)
    assert one.refits == two.refits == 8
    first = 1 + 2
    end = first + int(0.3 * (y.size - first))
    both = np.stack([y, other], axis=1)
    scales = tuple(Scale.of(column) for column in both[:end].T)
    model = NGRC(lags=2, ridge=0.1, horizon=2, path=True).fit(both, scale=scales)
    np.testing.assert_allclose(model.forecast(both)[:, 0], one.forecast, rtol=1e-8)
    np.testing.assert_allclose(model.forecast(both)[:, 1], two.forecast, rtol=1e-8)


def test_coverage_of_the_coming_step_is_near_nominal() -> None:
    hits = []
    for seed in range(120):
        y = 5 + np.random.default_rng(seed).normal(size=121)
        outlook = look_ahead(y[:-1], NGRC(lags=2, degree=1, ridge=1.0), method="split", level=0.8)
        hits.append(outlook.lower[0] <= y[-1] <= outlook.upper[0])
    # Binomial error of 120 draws at 0.8.
    assert abs(np.mean(hits) - 0.8) < 3 * np.sqrt(0.8 * 0.2 / 120)


class NaivePath(Parameters):
    """Repeats the last value, from two observations on: a model of paths that is no NGRC."""

    ridge_: Any = np.inf
    least_observations = 2

    def __init__(self, *, horizon: int = 1, path: bool = False) -> None:
        self.horizon, self.path = horizon, path

    @property
    def first_target(self) -> int:
        return self.horizon

    def fit(self, y: Any, *, first: int = 0, scale: Any = None) -> Self:
        assert len(y) >= self.least_observations
        self.fit_scale_ = np.full(self.horizon, np.std(np.diff(y)))
        self.ridge_ = np.full(self.horizon, np.inf)
        return self

    def predict(self, y: Any) -> FloatArray:
        return self.predict_path(y)[:, -1]

    def predict_path(self, y: Any) -> FloatArray:
        result = np.full((len(y), self.horizon), np.nan)
        for step in range(1, self.horizon + 1):
            result[step:, step - 1] = y[:-step]
        return result

    def forecast(self, y: Any) -> FloatArray:
        return np.full(self.horizon, y[-1])

    def forecast_leverage(self, y: Any) -> FloatArray:
        return np.zeros(self.horizon)

    def noise_scale(self, method: str, horizon: int | None = None, channel: int = 0) -> Any:
        raise ValueError("a naive forecast has no noise scale")

    def link(self, channel: int = 0) -> Link:
        return IDENTITY


@pytest.mark.parametrize("method", ["split", "adaptive", "weighted", "rolling", "gaussian"])
@pytest.mark.parametrize("n", [6, 7, 9, 12, 16, 25])
def test_short_series_have_intervals_at_every_step(n: int, method: str) -> None:
    y = np.cumsum(np.random.default_rng(n).normal(size=n))
    outlook = look_ahead(y, NaivePath(), steps=6, method=method, level=0.6)
    widths = outlook.upper - outlook.lower
    assert np.isfinite(widths).all()
    assert (widths > 0).all()
    own = [step for step, chosen in enumerate(outlook.selected, 1) if "residuals_of_step" not in chosen]
    end = max(2, min(int(0.3 * n), n - 4))
    assert own == [step for step in range(1, 7) if n - end - (step - 1) >= 4]


def test_a_step_without_residuals_borrows_and_says_so(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    y = np.cumsum(np.random.default_rng(4).normal(size=6))
    outlook = look_ahead(y, NaivePath(), steps=9, method=Split(), level=0.5)
    radius = (outlook.upper - outlook.lower) / 2
    # The first fit ends at 2 of 6: four residuals of step 1, three of step 2.
    assert [chosen.get("residuals_of_step") for chosen in outlook.selected] == [None, *[1] * 8]
    np.testing.assert_allclose(radius, radius[0] * np.sqrt(np.arange(1, 10)))
    path = tmp_path / "short.csv"
    path.write_text("y\n" + "\n".join(f"{value:.6f}" for value in wave(60)))
    command = ["forecast", str(path), "--steps", "8", "--lags", "4", "--degree", "1"]
    assert run([*command, "--method", "adaptive"]) == 0
    assert "too few residuals of steps 7 to 8: they borrow those of step 6" in capsys.readouterr().err


def test_a_step_too_short_to_tune_takes_the_nearer_ones_rate() -> None:
    y = np.cumsum(np.random.default_rng(7).normal(size=30))
    outlook = look_ahead(y, NaivePath(), steps=12, method=Adaptive(), level=0.6)
    rates = [chosen["rate"] for chosen in outlook.selected]
    # 13 residuals of step 1, 2 of step 12; from step 6 on, 60 % of them lie within the delay.
    assert len(set(rates[5:])) == 1


def test_refits_and_one_fit_contradict_each_other() -> None:
    for arguments in ({"refit_every": 5}, {"window": 50}):
        with pytest.raises(ValueError, match=r"fit=0\.6 asks for one fit"):
            look_ahead(wave(), NGRC(lags=2), fit=0.6, **arguments)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="refit_every must be at least 1, got 0"):
        look_ahead(wave(), NGRC(lags=2), refit_every=0)
    with pytest.raises(ValueError, match="window must be at least 1, got 0"):
        look_ahead(wave(), NGRC(lags=2), window=0)


def test_without_a_method_few_residuals_take_student() -> None:
    """Residuals of the farthest step over the step: below 30 they are few."""
    y = np.cumsum(np.random.default_rng(1).normal(size=200))
    assert look_ahead(y[:30], NaivePath(), level=0.9).method == "student"
    # The first fit ends at 0.3 n: 29 residuals of one step, then 30.
    assert look_ahead(y[:41], NaivePath(), level=0.9).method == "student"
    assert look_ahead(y[:42], NaivePath(), level=0.9).method == "auto"
    assert look_ahead(y, NaivePath(), steps=5, level=0.9).method == "student"
    assert look_ahead(y[:30], NaivePath(), level=0.9, method="adaptive").method == "adaptive"
    assert look_ahead(y, NaivePath(), level=0.9, method=Student()).method == "student"
    chosen, named = (look_ahead(y, NaivePath(), level=0.9, method=method) for method in (None, "auto"))
    assert (chosen.lower[0], chosen.upper[0]) == (named.lower[0], named.upper[0])


@pytest.mark.parametrize("n", [6, 9, 14, 40])
def test_student_widths_pool_the_scales_of_the_steps_and_never_shrink(n: int) -> None:
    y, steps, level = np.cumsum(np.random.default_rng(n).normal(size=n)), 8, 0.9
    outlook = look_ahead(y, NaivePath(), steps=steps, level=level)
    assert outlook.method == "student"
    end = max(2, min(int(0.3 * n), n - 4))
    count = n - end
    variance, radii = 0.0, []
    scale, freedom = np.nan, float(count)
    for step in range(1, steps + 1):
        # The last value responds to itself fully at every step: the variance of the error grows with the step.
        squares = (y[step:] - y[:-step])[end - 1 :] ** 2
        if step == 1:
            scale = squares.mean()
        else:
            held = min(5, count)
            scale = (held * scale + squares.sum() / step**2) / (held + squares.size / step)
            freedom = min(min(freedom, 5, n / 8) + squares.size / step, count)
        variance = max(variance, scale * step)
        factor = student_quantile(max(freedom, min(count, 3.0)), level)
        radii.append(factor * np.sqrt(variance * (1 + 1 / count)))
        borrowed = None if squares.size else count
        assert outlook.selected[step - 1].get("residuals_of_step") == borrowed
    np.testing.assert_allclose(outlook.upper - outlook.forecast, radii, rtol=1e-6)
    np.testing.assert_allclose(outlook.forecast - outlook.lower, radii, rtol=1e-6)


def test_coverage_of_a_path_on_a_dozen_residuals_is_near_nominal() -> None:
    """A random walk of 20 observations, six steps ahead: quantiles of its residuals hold far less."""
    hits: dict[str | None, list[float]] = {None: [], "adaptive": []}
    for seed in range(300):
        y = np.cumsum(np.random.default_rng(seed).normal(size=26))
        for method, inside in hits.items():
            outlook = look_ahead(y[:20], NaivePath(), steps=6, level=0.9, method=method)
            inside.append(float(np.mean((outlook.lower <= y[20:]) & (y[20:] <= outlook.upper))))
    # The share of a path that is held varies: three errors of its mean. Far steps borrow the scale of nearer ones, and
    # hold rather more than they say, by five points here and no more.
    error = np.std(hits[None]) / np.sqrt(300)
    assert 0.9 - 3 * error < np.mean(hits[None]) < 0.95 + 3 * error
    assert np.mean(hits["adaptive"]) < np.mean(hits[None])


def test_the_command_line_says_that_residuals_were_few(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "short.csv"
    path.write_text("y\n" + "\n".join(f"{value:.6f}" for value in wave(60)))
    arguments = ["forecast", str(path), "--steps", "3", "--lags", "4", "--degree", "1", "--json"]
    for method, student in (((), True), (("--method", "student"), False), (("--method", "split"), False)):
        assert run([*arguments, *method]) == 0
        report = json.loads(capsys.readouterr().out)
        assert report["method"] == (method[-1] if method else "student")
        notes = [note for note in report["notes"] if "few residuals to calibrate on" in note]
        assert len(notes) == student
        assert all("\n" not in note for note in notes)


def test_the_last_model_of_a_short_series_is_searched_on_all_of_it() -> None:
    """Steady at first, then growing by factors: what the first half chooses does not suit the whole."""
    rng = np.random.default_rng(0)
    y = np.exp(np.maximum(np.arange(80) - 40, 0) / 15 + 0.1 * rng.normal(size=80)) + 1.0
    ends = tuple(ManyFits().ends(y.size, path_model(AutoNGRC(), 4)))
    *_, last = AutoNGRC(horizon=4, path=True).fits(y, ends)
    fresh = AutoNGRC(horizon=4, path=True).fit(y)
    np.testing.assert_allclose(last.forecast(y), fresh.forecast(y), rtol=1e-9)
    assert last.link() == fresh.link()


def test_more_steps_leave_a_frugal_model_its_first_fit() -> None:
    ends = [next(ManyFits().ends(40, NaivePath(horizon=steps, path=True))) for steps in (1, 4, 40)]
    assert ends == [12, 12, 12]
