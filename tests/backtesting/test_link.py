"""A backtest of a model with a link: methods work in link units, ends and scores are in the series' own."""

from dataclasses import dataclass
from typing import Any, ClassVar, Literal, Self

import numpy as np
import pytest

from ngrc import NGRC, FixedOrigin, Online, ShiftedWindows, backtest
from ngrc._params import Parameters
from ngrc._types import FloatArray
from ngrc.backtesting.methods import labelled_methods
from ngrc.backtesting.results import Run
from ngrc.backtesting.scoring import evaluate
from ngrc.backtesting.summary import remarks
from ngrc.diagnosis import diagnose
from ngrc.features.bounds import Bounds
from ngrc.features.link import IDENTITY, Link
from ngrc.features.transforms import Identity, Log, Root, Specification, Transform, fit_transform_of
from ngrc.forecasters import Linked, ModelFacts
from ngrc.intervals import METHODS, Bayes
from ngrc.intervals.base import History, IntervalMethod, Offsets, Stream, Tracker
from ngrc.intervals.defaults import default_methods
from ngrc.metrics import interval_scores
from ngrc.theory.noise import NoiseScale

QUICK = ["bayes", "split", "asymmetric", "rolling", "gaussian", "adaptive", "weighted"]


class LinkedRidge(Parameters):
    """A linear NGRC of the transformed series, its forecasts mapped back: the link by composition."""

    def __init__(
        self,
        transform: Specification = None,
        lower: float | None = None,
        upper: float | None = None,
        *,
        horizon: int = 1,
    ) -> None:
        self.transform, self.lower, self.upper, self.horizon = transform, lower, upper, horizon

    @property
    def inner(self) -> NGRC:
        return NGRC(lags=3, degree=1, ridge=1e-3, horizon=self.horizon)

    @property
    def first_target(self) -> int:
        return self.inner.first_target

    def fit(self, y: Any, *, first: int = 0, scale: tuple[float, float] | None = None) -> Self:
        # The scale is that of the raw series: the columns of the inner model have their own.
        self.link_ = Link(fit_transform_of(self.transform, y), Bounds(self.lower, self.upper))
        self.link_.bounds.check(y)
        given = scale if self.link_.linear else None
        self.model_ = self.inner.fit(self.link_.forward(y), first=first, scale=given)
        return self

    def predict(self, y: Any) -> FloatArray:
        return self.link_.forecasts(self.model_.predict(self.link_.forward(y)))

    def leverage(self, y: Any) -> FloatArray:
        return self.model_.leverage(self.link_.forward(y))

    def facts(self) -> ModelFacts:
        return self.model_.facts()

    def noise_scale(self, method: Literal["gcv", "evidence"]) -> NoiseScale:
        return self.model_.noise_scale(method)

    def link(self) -> Link:
        return self.link_


def positive(n: int = 500, seed: int = 0) -> FloatArray:
    rng = np.random.default_rng(seed)
    season = np.sin(np.arange(n) / 6)
    return np.asarray(np.exp(2.0 + season + rng.normal(0, 0.4, n)))


def solar(n: int = 500, seed: int = 0) -> FloatArray:
    """Zero by night, at most ten by day."""
    rng = np.random.default_rng(seed)
    return np.asarray(np.clip(8 * np.sin(np.arange(n) / 4) + rng.normal(0, 2.0, n), 0.0, 10.0))


def assert_same(one: Run, other: Run) -> None:
    """Bit for bit, times aside."""
    for name in ("forecasts", "residuals", "leverage"):
        np.testing.assert_array_equal(getattr(one, name), getattr(other, name))
    assert (one.rmse, one.diagnostics) == (other.rmse, other.diagnostics)
    for a, b in zip(one.bands, other.bands, strict=True):
        np.testing.assert_array_equal(a.lower, b.lower)
        np.testing.assert_array_equal(a.upper, b.upper)
        assert (a.coverage, a.width, a.winkler, a.infinite) == (b.coverage, b.width, b.winkler, b.infinite)
        assert a.selected == b.selected


@pytest.mark.parametrize("horizon", [1, 3])
def test_the_identity_link_changes_no_bit(horizon: int) -> None:
    y = positive(300)
    model = NGRC(lags=3, degree=1, ridge=1e-3)
    plain = backtest(y, model, horizon=horizon, level=[0.8, 0.99], split=FixedOrigin()).runs[0]
    assert plain.link is IDENTITY or plain.link.identity
    linked = backtest(y, LinkedRidge(), horizon=horizon, level=[0.8, 0.99], split=FixedOrigin()).runs[0]
    assert isinstance(linked.model, Linked)
    assert_same(plain, linked)


def test_without_a_link_ends_are_sums_and_scores_are_those_of_residuals() -> None:
    y = positive(300)
    run = backtest(y, NGRC(lags=3), level=0.9).runs[0]
    blocks = run.blocks
    residuals = y[: blocks.test.stop] - run.forecasts
    np.testing.assert_array_equal(run.residuals, residuals)
    stream = blocks.stream(residuals, run.leverage, run.diagnostics[0.9].tau_fit)
    for name, method in default_methods(leverage=True, seed=0).items():
        if method.sees != ("residuals",):
            continue
        offsets, band = method.run(stream, 0.9).with_forecast(), run.band(name)
        np.testing.assert_array_equal(band.lower, run.forecasts[blocks.test] + offsets.lower)
        np.testing.assert_array_equal(band.upper, run.forecasts[blocks.test] + offsets.upper)
        scores = interval_scores(residuals[blocks.test], offsets.lower, offsets.upper, 0.9)
        assert (band.coverage, band.width, band.winkler, band.infinite) == tuple(scores)


@pytest.mark.parametrize("horizon", [1, 3])
def test_a_log_link_is_a_backtest_of_logs_mapped_back(horizon: int) -> None:
    """The twin knows no link: it runs on log(y), and its bands are put through exp."""
    y = positive()
    methods: dict[str, Any] = {name: name for name in METHODS} | {"gcv": Bayes(noise="gcv")}
    linked = backtest(y, LinkedRidge("log"), horizon=horizon, methods=methods, level=0.9).runs[0]
    twin_model = NGRC(lags=3, degree=1, ridge=1e-3)
    twin = backtest(np.log(y), twin_model, horizon=horizon, methods=methods, level=0.9).runs[0]
    test = linked.blocks.test
    np.testing.assert_allclose(linked.residuals, twin.residuals, atol=1e-9)
    np.testing.assert_allclose(linked.forecasts[test], np.exp(twin.forecasts[test]), rtol=1e-9)
    assert linked.rmse == pytest.approx(np.sqrt(np.mean((y[test] - linked.forecasts[test]) ** 2)), rel=1e-12)
    assert linked.diagnostics[0.9].tau_fit == pytest.approx(twin.diagnostics[0.9].tau_fit, rel=1e-9)
    assert linked.diagnostics[0.9].tau_test == pytest.approx(twin.rmse, rel=1e-9)
    for name in methods:
        band, logs = linked.band(name), twin.band(name)
        np.testing.assert_allclose(band.lower, np.exp(logs.lower), rtol=1e-8)
        np.testing.assert_allclose(band.upper, np.exp(logs.upper), rtol=1e-8)
        assert band.coverage == logs.coverage
        own = interval_scores(y[test], band.lower, band.upper, 0.9)
        assert band.width == pytest.approx(own.width, rel=1e-12)
        assert band.winkler == pytest.approx(own.winkler, rel=1e-9)
        assert band.coverage == own.coverage
        assert 0.75 < band.coverage < 1.0


@pytest.mark.parametrize("horizon", [1, 3])
@pytest.mark.parametrize("method", ["adaptive", "rolling", "weighted"])
def test_one_at_a_time_through_the_link_is_the_block(method: str, horizon: int) -> None:
    """The recipe of the page on methods: an Online in link units, its ends through the inverse."""
    y = np.minimum(positive(300), 40.0)
    run = backtest(y, LinkedRidge("log", upper=40.0), methods=[method], horizon=horizon, level=0.9).runs[0]
    link, blocks, band = run.link, run.blocks, run.band(method)
    levels, outcomes = link.forward(run.forecasts), link.forward(y)
    pending = levels[blocks.test.start - (horizon - 1) : blocks.test.start]
    history = History(run.residuals[blocks.history], horizon)
    (rule,) = labelled_methods([method], leverage=True, seed=0).values()
    online = Online(rule, history, 0.9, pending)
    ends = []
    for target in range(blocks.test.start, blocks.test.stop):
        if target > blocks.test.start:
            online.observe(outcomes[target - horizon])
        interval = online.issue(levels[target])
        ends.append(link.inverse(np.array([interval.lower, interval.upper])))
    np.testing.assert_allclose(np.array(ends), np.column_stack([band.lower, band.upper]), rtol=1e-12)
    assert max(band.upper) == 40.0


@pytest.mark.parametrize("level", [0.9, 0.999])
@pytest.mark.parametrize(
    ("y", "model"),
    [
        (solar(), LinkedRidge(None, 0.0, 10.0)),
        (solar(), LinkedRidge(None, 0.0)),
        (solar(), LinkedRidge("root", 0.0, 10.0)),
        (solar(), LinkedRidge(("log", 1.0), 0.0, 10.0)),
        (solar(), LinkedRidge(("boxcox", 0.4), 0.0)),
        (positive(), LinkedRidge("boxcox", 0.5, 200.0)),
        (positive(), LinkedRidge("log")),
    ],
    ids=lambda value: repr(value) if isinstance(value, LinkedRidge) else "",
)
def test_no_band_crosses_the_bounds(y: FloatArray, model: LinkedRidge, level: float) -> None:
    run = backtest(y, model, methods=[*QUICK, "rescp"], level=level, split=ShiftedWindows()).runs[1]
    low = -np.inf if model.lower is None else model.lower
    high = np.inf if model.upper is None else model.upper
    test = run.blocks.test
    assert run.forecasts[test].min() >= low
    assert run.forecasts[test].max() <= high
    for band in run.bands:
        assert not np.isnan(band.lower).any()
        assert not np.isnan(band.upper).any()
        assert band.lower.min() >= low
        assert band.upper.max() <= high
        own = interval_scores(y[test], band.lower, band.upper, level)
        assert band.width == pytest.approx(own.width, rel=1e-12)
        assert band.winkler == pytest.approx(own.winkler, rel=1e-9)
        assert band.coverage == own.coverage
        # 0.999 is beyond what a hundred residuals can bound: infinite, unless bounds on both sides close it.
        if level == 0.999 and band.method == "split":
            assert band.infinite == (0 if np.isfinite(high) else test.stop - test.start)
            assert np.isfinite(band.width) == np.isfinite(high)
            assert band.coverage == 1.0


def test_bounds_make_intervals_narrower_and_miss_nothing() -> None:
    y = solar()
    free = backtest(y, LinkedRidge(), methods=["split", "adaptive"], level=0.9).runs[0]
    bounded = backtest(y, LinkedRidge(None, 0.0, 10.0), methods=["split", "adaptive"], level=0.9).runs[0]
    assert bounded.rmse <= free.rmse
    for name in ("split", "adaptive"):
        assert bounded.band(name).width < free.band(name).width
        assert bounded.band(name).coverage > 0.85


@dataclass(frozen=True)
class Below(IntervalMethod):
    """Always from half a unit to a tenth below the forecast."""

    name: ClassVar[str] = "below"
    guarantee: ClassVar[str] = "none"

    def run(self, stream: Stream, level: float) -> Offsets:
        return Offsets(np.full(stream.steps, -0.5), np.full(stream.steps, -0.1))

    def begin(self, history: History, level: float) -> Tracker:
        raise AssertionError("the block form is enough here")


@pytest.mark.parametrize("transform", [Identity(), Root(), Log(1.0)])
def test_an_interval_beyond_a_bound_holds_what_is_at_the_bound(transform: Transform) -> None:
    link = Link(transform, Bounds(lower=0.0))
    forecasts, outcomes = np.array([0.0, 0.0, 0.0, 4.0, 4.0]), np.array([0.0, 0.0, 0.2, 4.0, 3.7])
    residuals = np.concatenate([[0.0], link.residuals(outcomes, forecasts)])
    band = evaluate(Below(), "below", Stream(residuals, 1), forecasts, 0.5, link)
    own = interval_scores(outcomes, band.lower, band.upper, 0.5)
    assert band.lower[:3].tolist() == band.upper[:3].tolist() == [0.0, 0.0, 0.0]
    assert band.coverage == own.coverage >= 2 / 5
    assert band.winkler == pytest.approx(own.winkler, rel=1e-12)


@pytest.mark.parametrize("spec", ["boxcox", "log"])
def test_what_comes_after_the_fit_block_does_not_move_the_link(spec: Specification) -> None:
    y = positive()
    model = LinkedRidge(spec)
    before = backtest(y, model, methods=["split"], split=FixedOrigin()).runs[0]
    changed = y.copy()
    stop = before.blocks.fit.stop
    changed[stop:] **= 2.5
    after = backtest(changed, model, methods=["split"], split=FixedOrigin()).runs[0]
    assert before.link == after.link
    np.testing.assert_array_equal(before.forecasts[: stop + 1], after.forecasts[: stop + 1])
    # The check can fail: a value of the fit block does move the power.
    changed = y.copy()
    changed[stop - 1] *= 3.0
    moved = backtest(changed, model, methods=["split"], split=FixedOrigin()).runs[0]
    assert (moved.link != before.link) == (spec == "boxcox")


@pytest.mark.parametrize("horizon", [1, 3])
def test_the_future_changes_no_end_before_it(horizon: int) -> None:
    y = positive()
    changed, cut = y.copy(), y.size - 40
    changed[cut:] *= np.exp(np.random.default_rng(1).normal(0, 2, 40))
    model = LinkedRidge("boxcox", lower=0.0)
    before, after = (backtest(v, model, horizon=horizon, methods=QUICK).runs[0] for v in (y, changed))
    same = cut + horizon - before.blocks.test.start
    for name in QUICK:
        np.testing.assert_array_equal(before.band(name).upper[:same], after.band(name).upper[:same])
        np.testing.assert_array_equal(before.band(name).lower[:same], after.band(name).lower[:same])


def test_outcomes_that_break_the_word_are_one_line() -> None:
    y = positive()
    y[450] = -1.0
    with pytest.raises(
        ValueError, match=r"lower=0, but 1 of the 500 values of the series is below it, .*position 450"
    ):
        backtest(y, LinkedRidge(None, 0.0), methods=["split"], split=FixedOrigin())
    with pytest.raises(
        ValueError, match=r"transform 'log' needs values above 0, .* the first -1 at position 450"
    ):
        backtest(y, LinkedRidge("log"), methods=["split"], split=FixedOrigin())


def test_a_report_says_which_units_its_scales_have() -> None:
    y = positive()
    words = "the model works on the log of the series"
    linked = backtest(y, LinkedRidge("log"), methods=["split"])
    assert any(note.startswith(words) for note in remarks(linked, linked.runs[0], 0.95))
    plain = backtest(y, LinkedRidge(None, 0.0), methods=["split"])
    assert not any(note.startswith("the model works") for note in remarks(plain, plain.runs[0], 0.95))


def test_an_interval_without_end_is_told_also_where_bounds_cut_it() -> None:
    y, level = solar(200), 0.999
    free, logged, bounded = (
        backtest(y, model, methods=["split"], level=level, split=FixedOrigin())
        for model in (LinkedRidge(), LinkedRidge(("log", 1.0)), LinkedRidge(None, 0.0, 10.0))
    )
    few = "split: 41 of 41 intervals are infinite, as 78 calibration residuals are too few for level 0.999"
    assert few in remarks(free, free.runs[0], level)
    assert f"{few} or an end leaves the range of log(x + 1)" in remarks(logged, logged.runs[0], level)
    told = remarks(bounded, bounded.runs[0], level)
    assert "split: 41 of 41 intervals reach from bound to bound" in told
    closed = backtest(y, LinkedRidge(None, 0.0, 10.0), methods=["split"], level=0.5)
    assert not any("bound to bound" in note for note in remarks(closed, closed.runs[0], 0.5))


def test_a_diagnosis_is_in_link_units() -> None:
    """Multiplicative errors are skewed as amounts and Gaussian as factors: the advice sees the latter."""
    y = positive(3000)
    raw, logged = diagnose(y, LinkedRidge()), diagnose(y, LinkedRidge("log"))
    assert raw.shape.skew > 0.2
    assert abs(logged.shape.skew) < 0.1
    assert logged.predicted_coverage == pytest.approx(0.95, abs=0.02)
    assert logged.observed_coverage == pytest.approx(0.95, abs=0.03)
