"""What methods would have scored before the test block: prequential, blind to the future, with honest error bars."""

import inspect
from dataclasses import dataclass, replace
from typing import Any, ClassVar

import numpy as np
import pytest

from ngrc import NGRC, around, backtest, diagnose, look_ahead
from ngrc._types import FloatArray
from ngrc.diagnosis import Trial, evidence
from ngrc.diagnosis.advice import Advice
from ngrc.diagnosis.choice import as_good, decide, simplest
from ngrc.diagnosis.evidence import REFERENCE, Evidence, block_error, calibration_stream, gather
from ngrc.intervals import METHODS, Split
from ngrc.intervals.base import Stream
from ngrc.intervals.defaults import COMPARED, USUAL, resolve
from ngrc.series import as_series
from ngrc.splits import FixedOrigin


def wave(length: int, seed: int = 0) -> FloatArray:
    """A cycle of 24 steps whose errors grow with its level, above zero."""
    rng = np.random.default_rng(seed)
    return np.exp(np.sin(2 * np.pi * np.arange(length) / 24) + rng.normal(0, 0.2, length))


def steady(length: int, seed: int) -> FloatArray:
    y = np.random.default_rng(seed).normal(size=length)
    for t in range(1, length):
        y[t] += 0.7 * y[t - 1]
    return y


def tried(values: FloatArray, horizon: int = 1, level: float = 0.9, **model: Any) -> Evidence:
    options: dict[str, Any] = {"lags": 3, "degree": 1, **model}
    run = backtest(values, NGRC(horizon=horizon, **options), methods=["split"], level=level).run()
    return gather(run, as_series(values), level)


@pytest.mark.parametrize("split", [None, FixedOrigin()])
@pytest.mark.parametrize("horizon", [1, 3])
def test_nothing_of_the_test_block_reaches_evidence_or_advice(
    horizon: int, split: FixedOrigin | None
) -> None:
    y = wave(700)
    model = NGRC(lags=3, degree=1, horizon=horizon, transform="log")
    before = diagnose(y, model, split=split)
    other = y.copy()
    # The forecast of the first test target is made H steps before it; all that is observed later is changed.
    other[before.run.blocks.test.start - horizon + 1 :] = 5.0
    after = diagnose(other, model, split=split)
    assert before.evidence == after.evidence
    assert before.evidence.rows
    assert before.advice == after.advice
    assert before.observed_coverage != after.observed_coverage


@pytest.mark.parametrize("horizon", [1, 4])
def test_each_interval_uses_what_is_known_at_its_origin(horizon: int) -> None:
    y = wave(600)
    run = backtest(y, NGRC(lags=3, degree=1, horizon=horizon), methods=["split"], split=FixedOrigin()).run()
    stream = calibration_stream(run, as_series(y))
    assert stream.context is not None
    assert stream.residuals.size == run.blocks.history_rows
    assert stream.start == run.blocks.history_rows // 2
    assert stream.horizon == horizon
    assert stream.context.phase == run.blocks.history.start
    np.testing.assert_array_equal(stream.context.forecasts, run.forecasts[run.blocks.history])
    # Changing a residual leaves every interval that was issued before it was observed as it was.
    place = stream.start + 20
    moved = replace(
        stream, residuals=np.where(np.arange(stream.residuals.size) >= place, 9.0, stream.residuals)
    )
    for name in METHODS:
        if name == "rescp":
            continue
        method = resolve(name)
        one, other = (method.run(each, 0.9) for each in (stream, moved))
        np.testing.assert_array_equal(one.lower[: 20 + horizon - 1], other.lower[: 20 + horizon - 1])
        np.testing.assert_array_equal(one.upper[: 20 + horizon - 1], other.upper[: 20 + horizon - 1])


def test_the_clock_is_read_off_what_the_first_interval_knows() -> None:
    """A cycle that begins in the later half of the calibration block is not known in its middle."""
    y = np.random.default_rng(0).normal(size=1000)
    run = backtest(y, NGRC(lags=2, degree=1), methods=["split"], split=FixedOrigin()).run()
    stream = calibration_stream(run, as_series(y))
    late = run.blocks.history.start + stream.known
    y[late:] += 8.0 * np.sin(2 * np.pi * np.arange(1000 - late) / 12)
    changed = calibration_stream(run, as_series(y))
    assert stream.context is not None
    assert changed.context is not None
    assert changed.context.periods == stream.context.periods


def test_scores_are_those_of_a_backtest_of_the_calibration_block() -> None:
    y = wave(500)
    run = backtest(y, NGRC(lags=3, degree=1, transform="log"), methods=["split"], split=FixedOrigin()).run()
    found = gather(run, as_series(y), 0.9)
    history = run.blocks.history
    inner = Stream(run.residuals[history], run.blocks.history_rows // 2, 1)
    judged = slice(history.start + inner.start, history.stop)
    offsets = resolve("adaptive").run(inner, 0.9)
    lower, upper = (run.forecasts[judged] * np.exp(ends) for ends in (offsets.lower, offsets.upper))
    row = found.row("adaptive")
    assert row is not None
    outcomes = y[judged]
    misses = np.maximum(np.maximum(lower - outcomes, outcomes - upper), 0.0)
    assert row.winkler == pytest.approx(np.mean(upper - lower + 20 * misses), rel=1e-9)
    assert row.coverage == np.mean((lower <= outcomes) & (outcomes <= upper))
    assert found.judged == outcomes.size
    assert [one.method for one in found.rows] == [name for name in METHODS if name not in found.left_out]


@dataclass(frozen=True, slots=True)
class Cut(Split):
    """Split, with ends cut to bounds that the outcomes obey."""

    bounded: ClassVar[bool] = True


def test_ends_are_cut_to_bounds_that_were_found_before(monkeypatch: pytest.MonkeyPatch) -> None:
    """Zeros in a third of the outcomes, of which the methods know when the first interval is issued."""
    rng = np.random.default_rng(3)
    y = np.maximum(np.sin(np.arange(700) / 4) + 0.3 * rng.normal(size=700), 0.0)
    methods = {"split": Split(), "cut": Cut(), REFERENCE: resolve(REFERENCE)}
    monkeypatch.setattr(evidence, "candidates", lambda leverage: methods)
    found = tried(y)
    cut, free = found.row("cut"), found.row("split")
    assert cut is not None
    assert free is not None
    assert cut.winkler < free.winkler
    assert cut.coverage == free.coverage


def test_differences_and_errors_by_hand() -> None:
    found = tried(steady(700, 1))
    reference, best = found.row(REFERENCE), found.ranked[0]
    assert reference is not None
    assert (best.difference, best.error) == (0.0, 0.0)
    assert (reference.behind, reference.behind_error) == (0.0, 0.0)
    for row in found.rows:
        assert row.difference == pytest.approx(row.winkler - best.winkler, abs=1e-12)
        assert row.behind == pytest.approx(row.winkler - reference.winkler, abs=1e-12)
    assert found.blocks == 20


@pytest.mark.parametrize("overlap", [1, 5])
def test_the_error_of_a_mean_respects_dependence(overlap: int) -> None:
    """Moving sums have a mean whose deviation is `overlap` / sqrt(n), whatever that of single values says."""
    rng, count = np.random.default_rng(0), 400
    errors = []
    for _ in range(200):
        noise = rng.normal(size=count + overlap - 1)
        errors.append(block_error(np.convolve(noise, np.ones(overlap), "valid"), 20) ** 2)
    truth = overlap**2 / count
    # Four Monte-Carlo errors, and a twentieth for what neighbouring blocks share: overlap / (3 * 20).
    allowed = 4 * np.std(errors, ddof=1) / np.sqrt(len(errors)) + (overlap > 1) * truth / 10
    assert abs(np.mean(errors) - truth) < allowed


def test_few_residuals_leave_it_to_the_rules() -> None:
    few = diagnose(steady(100, 0), NGRC(lags=2, degree=1))
    assert few.evidence.rows == ()
    assert "are too few to try methods on; 60 are needed" in few.evidence.why
    assert few.advice.method == few.advice.by_rules
    assert few.advice.evidence == f"{few.evidence.why}: the rules decide"
    # Twenty blocks of one step each way: five blocks of two horizons, and as many residuals before them.
    far = diagnose(steady(300, 0), NGRC(lags=2, degree=1), horizon=9)
    assert "180 are needed" in far.evidence.why
    without = diagnose(np.full(300, 4.0), NGRC(lags=2, degree=1))
    assert "no error" in without.evidence.why
    assert without.advice.method == "split"


def test_as_few_as_can_be_tried() -> None:
    """A level that thirty residuals cannot bound leaves some methods without a bound, and none without a row."""
    found = tried(steady(126, 0), level=0.99, lags=2)
    assert 30 <= found.judged <= 33
    endless = [row for row in found.rows if not np.isfinite(row.winkler)]
    assert endless
    assert np.isfinite(found.ranked[0].winkler)
    assert not any(as_good(row, 0.99) for row in endless)
    assert all(np.isfinite(row.coverage_error) for row in found.rows)


def test_slow_methods_are_left_out_of_long_histories(monkeypatch: pytest.MonkeyPatch) -> None:
    y = steady(300, 0)
    assert tried(y).left_out == ("rescp",)
    monkeypatch.setattr(evidence, "LONGEST", {"rescp": 8000})
    found = tried(y)
    assert found.left_out == ()
    assert found.row("rescp") is not None


def row(method: str, behind: float = 0.0, behind_error: float = 1.0, **changes: Any) -> Trial:
    """A method that covers; as good as the reference unless told otherwise."""
    return replace(Trial(method, 10.0 + behind, 0.9, 0.01, 0.0, 0.0, behind, behind_error), **changes)


GOOD = {
    "better than the reference": (row("split", -3.0), True),
    "one error behind": (row("split", 1.0), True),
    "more than one behind": (row("split", 1.01), False),
    "coverage two errors low": (row("split", coverage=0.8801), True),
    "coverage below": (row("split", coverage=0.8799), False),
    "coverage above": (row("split", coverage=0.9201), False),
    "two errors above the best": (row("split", difference=0.2, error=0.1), True),
    "more than two above the best": (row("split", difference=0.21, error=0.1), False),
    "no bound": (row("split", np.inf, np.nan, winkler=np.inf, difference=np.inf), False),
    "a reference without bound": (row("split", -np.inf, np.nan, winkler=10.0), True),
}


@pytest.mark.parametrize("case", GOOD)
def test_as_good_from_both_sides(case: str) -> None:
    one, expected = GOOD[case]
    assert as_good(one, 0.9) is expected


def test_the_simplest_that_is_as_good() -> None:
    far = row("bayes", 2.0)
    rows = (far, row("split", 0.5), row("asymmetric", -1.0), row(REFERENCE, 0.0, 0.0))
    assert simplest(Evidence(rows, REFERENCE), 0.9) == "split"
    # The order is that of the registry, not of the rows.
    assert simplest(Evidence(rows[::-1], REFERENCE), 0.9) == "split"
    assert simplest(Evidence((far, rows[-1]), REFERENCE), 0.9) == REFERENCE
    # What comes after the reference is no simpler, and the reference stands even where it does not cover.
    order = list(METHODS)
    later = [row(name, -2.0) for name in order[order.index(REFERENCE) + 1 :]]
    poor = row(REFERENCE, 0.0, 0.0, coverage=0.5)
    assert simplest(Evidence((far, poor, *later), REFERENCE), 0.9) == REFERENCE


def test_the_rules_are_reported_beside() -> None:
    rules = Advice("asymmetric", ("skewed",), ("a transform",), ("skew",), "asymmetric")
    rows = (row("split", 0.5), row(REFERENCE, 0.0, 0.0))
    decided = decide(rules, Evidence(rows, REFERENCE, judged=1200, blocks=20), 0.9)
    assert decided.method == "split"
    assert replace(decided, method="asymmetric", evidence="") == rules
    assert "the later 1,200 calibration residuals" in decided.evidence
    assert f"as good as {REFERENCE} (+0.5 with a standard error of 1)" in decided.evidence
    kept = decide(rules, Evidence((row("split", 5.0), rows[1]), REFERENCE, judged=9, blocks=5), 0.9)
    assert kept.method == REFERENCE
    assert "no simpler method is as good: Winkler score 10, coverage 0.900" in kept.evidence
    endless = row(REFERENCE, 0.0, 0.0, winkler=np.inf, coverage=1.0)
    unbounded = decide(rules, Evidence((endless,), REFERENCE, judged=30, blocks=5), 0.9)
    assert unbounded.evidence.endswith("no simpler method is as good: no bound, coverage 1.000")
    better = row("split", -np.inf, np.nan, winkler=10.0)
    bounded = decide(rules, Evidence((better, endless), REFERENCE, judged=30, blocks=5), 0.9)
    assert f"as good as {REFERENCE} (which has no bound): Winkler score 10" in bounded.evidence


def test_steady_gaussian_residuals_need_nothing_but_a_simple_method() -> None:
    """Where nothing moves, every method has the same law: the simplest is as good far more often than not."""
    order = list(METHODS)
    advised = [diagnose(steady(1500, seed), NGRC(lags=2, degree=1)).advice.method for seed in range(10)]
    simple = sum(order.index(method) < order.index(REFERENCE) for method in advised)
    # A fair coin would give fewer than eight of ten in 95 of 100 series.
    assert simple >= 8


def test_residuals_that_swell_are_not_left_to_a_fixed_interval() -> None:
    """The scale trebles where the judged half begins: a fixed interval falls short by far."""
    for seed in range(3):
        y = np.random.default_rng(seed).normal(size=1500)
        y[900:] *= 3.0
        found = diagnose(y, NGRC(lags=2, degree=1), split=FixedOrigin())
        fixed = found.evidence.row("split")
        assert fixed is not None
        assert not as_good(fixed, 0.95)
        assert found.advice.method not in ("bayes", "split", "asymmetric")


def test_diagnose_compare_and_around_hold_the_same_method_for_usual() -> None:
    assert REFERENCE == USUAL
    assert inspect.signature(around).parameters["method"].default == REFERENCE
    assert REFERENCE in COMPARED


def test_forecasts_take_the_usual_method() -> None:
    assert look_ahead(steady(500, 0), NGRC(lags=2, degree=1)).method == REFERENCE


def test_where_residuals_are_few_a_forecast_takes_what_the_rules_name() -> None:
    short = steady(34, 0)
    advised = diagnose(short, NGRC(lags=2, degree=1)).advice.method
    assert look_ahead(short, NGRC(lags=2, degree=1)).method == advised == "student"
