"""What a method that sees forecasts and clock is shown: what was said at each origin, and nothing later."""

import numpy as np
import pandas as pd
import pytest

from ngrc import NGRC, AutoNGRC, look_ahead
from ngrc._types import FloatArray
from ngrc.ahead import look_ahead_together, steps
from ngrc.ahead.paths import ManyFits, OneFit, path_model
from ngrc.ahead.pending import pending_forecasts
from ngrc.forecasters.beside import Beside
from tests.ahead.probe import Probe

STEPS = 4


def wave(n: int = 240, seed: int = 0) -> FloatArray:
    rng = np.random.default_rng(seed)
    return 20 + 3 * np.sin(2 * np.pi * np.arange(n) / 12) + rng.normal(0, 0.5, n)


@pytest.mark.parametrize("options", [{}, {"refit_every": 2}, {"fit": 0.5}, {"window": 90}])
def test_forecasts_are_those_made_at_their_origins(options: dict[str, float]) -> None:
    y, model, probe = wave(), NGRC(lags=3, ridge=0.1), Probe()
    outlook = look_ahead(y, model, steps=STEPS, method=probe, level=[0.5, 0.8], **options)  # type: ignore[arg-type]
    plan = OneFit(0.5) if "fit" in options else ManyFits(options.get("refit_every"), options.get("window"))  # type: ignore[arg-type]
    path = path_model(model, STEPS)
    ends = (plan.end(y.size, path),) if isinstance(plan, OneFit) else tuple(plan.ends(y.size, path))
    window = options.get("window")
    scale = (y[: ends[0]].mean(), y[: ends[0]].std())
    fits = {
        end: path_model(model, STEPS).fit(
            y[:end], scale=scale, first=0 if window is None else max(int(end - window), 0)
        )
        for end in ends
    }
    # One pass per step for both levels.
    assert len(probe.streams) == STEPS
    for step, stream in enumerate(probe.streams, 1):
        context = stream.context
        assert context is not None
        first = ends[0] + step - 1
        assert context.phase == first
        assert 12.0 in context.periods
        # Every twelfth target, and all that were pending or new.
        targets = [*range(first, y.size, 12), *range(y.size - 2, y.size + step)]
        expected = []
        for target in targets:
            origin = target - step
            spoke = max(end for end in ends if end <= origin + 1)
            expected.append(fits[spoke].forecast(y[: origin + 1])[step - 1])
        assert context.forecasts.size == y.size + step - first
        np.testing.assert_allclose(context.forecasts[np.array(targets) - first], expected, rtol=1e-6)
        assert context.forecasts[-1] == outlook.forecast[step - 1]
        # What is known is outcome less forecast, and what is not is never shown.
        known = y.size - first
        np.testing.assert_allclose(
            stream.residuals[:known], y[first:] - context.forecasts[:known], rtol=1e-9, atol=1e-12
        )
        assert not stream.residuals[known:].any()
        history = probe.histories[step - 1]
        assert history.context is not None
        np.testing.assert_array_equal(history.context.forecasts, context.forecasts[:-1])


def test_forecasts_are_in_the_units_of_the_residuals() -> None:
    y, probe = np.exp(wave() / 10), Probe()
    outlook = look_ahead(y, NGRC(lags=3, ridge=0.1, transform="log"), steps=3, method=probe, level=0.5)
    for step, stream in enumerate(probe.streams):
        assert stream.context is not None
        assert stream.context.forecasts[-1] == pytest.approx(np.log(outlook.forecast[step]))
    # Offsets of the probe are -0.5 and 1 in logarithms.
    np.testing.assert_allclose(outlook.lower, outlook.forecast * np.exp(-0.5))
    np.testing.assert_allclose(outlook.upper, outlook.forecast * np.exp(1.0))


def test_pending_forecasts_know_nothing_after_their_origin() -> None:
    y, path = wave(), path_model(NGRC(lags=3, ridge=0.1), STEPS)
    plan = ManyFits(refit_every=7)
    before = pending_forecasts(y, plan.paths(y, path, Beside()), Beside())
    for back in range(1, STEPS):
        changed = y.copy()
        changed[-back:] += 5.0
        after = pending_forecasts(changed, plan.paths(changed, path, Beside()), Beside())
        # Row i was said at the origin n - H + i, and the first change is at n - back.
        same = STEPS - back
        np.testing.assert_array_equal(after[:same], before[:same])
        assert (after[same:] != before[same:]).all()


def test_one_pass_over_the_rows_says_what_each_origin_says() -> None:
    models = {
        "seasonal": NGRC(
            lags=3, periods=(12,), seasonal=1, target="increment", transform="boxcox", ridge=0.1
        ),
        "automatic": AutoNGRC(),
    }
    y = wave()
    for name, model in models.items():
        paths = ManyFits(refit_every=60).paths(y, path_model(model, STEPS), Beside())
        for origin, said in zip(
            range(y.size - STEPS, y.size - 1), pending_forecasts(y, paths, Beside()), strict=True
        ):
            fitted = next(fitted for first, fitted in reversed(paths.late) if first <= origin)
            np.testing.assert_allclose(said[:, 0], fitted.forecast(y[: origin + 1]), rtol=1e-8, err_msg=name)


def test_the_newest_residuals_alone_are_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(steps, "NEWEST", 40)
    y, probe = wave(), Probe()
    look_ahead(y, NGRC(lags=3, ridge=0.1), steps=3, method=probe)
    for step, stream in enumerate(probe.streams, 1):
        assert stream.residuals.size == 40 + step
        assert stream.context is not None
        assert stream.context.phase == y.size - 40


def test_a_borrowing_step_has_no_context_and_residuals_alone_cost_none(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    y, probe = wave(60), Probe()
    look_ahead(y, NGRC(lags=4, degree=1), steps=8, method=probe)
    assert [stream.context is None for stream in probe.streams] == [False] * 6 + [True] * 2
    monkeypatch.setattr(steps, "pending_forecasts", lambda *given: pytest.fail("nobody reads them"))
    look_ahead(y, NGRC(lags=4, degree=1), steps=2, method="split")


def test_ends_keep_to_bounds_that_the_series_was_found_to_obey() -> None:
    y, model = np.maximum(wave(234) - 20, 0.0), NGRC(lags=3, degree=1, ridge=0.1)
    levels, probabilities = [0.5, 0.8], [0.01, 0.05, 0.5]

    class Bounded(Probe):
        bounded = True

    free, kept = (
        look_ahead(y, model, steps=4, method=method, level=levels) for method in (Probe(), Bounded())
    )
    assert (free.lower < 0).any()
    for level in levels:
        np.testing.assert_array_equal(kept.bands[level][0], np.maximum(free.bands[level][0], 0.0))
    np.testing.assert_array_equal(
        kept.quantiles(probabilities).to_numpy(), np.maximum(free.quantiles(probabilities).to_numpy(), 0.0)
    )
    assert (kept.samples(500) >= 0).all()
    assert (free.samples(500) < 0).any()


def test_series_together_and_with_columns_beside_them() -> None:
    y, other = wave(seed=1), wave(seed=2)
    probe = Probe()
    one, two = look_ahead_together([y, other], NGRC(lags=2, ridge=0.1), steps=2, method=probe)
    lasts = [stream.context.forecasts[-1] for stream in probe.streams if stream.context is not None]
    assert lasts == [*one.forecast, *two.forecast]
    frame = pd.DataFrame({"heat": np.cos(np.arange(244.0)), "wind": np.sin(np.arange(244.0) / 3)})
    probe = Probe()
    look_ahead(y, NGRC(lags=2), exog=frame, known=["heat"], steps=4, method=probe)
    assert all(
        stream.context is not None and np.isfinite(stream.context.forecasts).all() for stream in probe.streams
    )
