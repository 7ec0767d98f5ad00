"""Stress: laws whose true interval is known, an adversary that cheats nobody, bounds that can fail."""

from functools import partial

import numpy as np
import polars as pl
import pytest

from ngrc._types import FloatArray
from ngrc.intervals import METHODS, PID, DtACI, History, IntervalMethod, Stream, Unprojected
from ngrc.study.harness.figure import draw, encode
from ngrc.study.harness.replicate import replicate
from ngrc.study.harness.target import Settings
from ngrc.study.stress import target
from ngrc.study.stress.adversary import REACH, duel
from ngrc.study.stress.cells import (
    COVERAGE,
    EQUAL,
    HORIZONS,
    LEFT_OUT,
    MEASURES,
    TRUE,
    WINDOW,
    measured,
    names,
    replication,
)
from ngrc.study.stress.checks import beta_binomial_range, promised, stress_checks
from ngrc.study.stress.laws import ADVERSARY, CASES, EXCHANGEABLE, LAWS, LEVEL, Sample, Sizes
from ngrc.study.stress.tables import score_table

SMALL = Sizes(calibration=120, test=520, adversary=510)


@pytest.fixture(scope="module")
def samples() -> FloatArray:
    return np.array(replicate(partial(replication, sizes=SMALL), 2, name="stress", seed=3))


@pytest.mark.parametrize("law", LAWS)
def test_the_true_interval_covers_as_it_says_in_both_tails(law: str) -> None:
    """Within four standard errors of a binomial count."""
    sizes = Sizes(calibration=100, test=40_000)
    sample = LAWS[law](np.random.default_rng(1), sizes)
    residuals = sample.residuals[sizes.calibration :]
    allowed = 4 * np.sqrt(0.05 * 0.95 / sizes.test)
    assert abs(np.mean(residuals < sample.lower) - 0.05) < allowed
    assert abs(np.mean(residuals > sample.upper) - 0.05) < allowed
    assert sample.stream(7).start == sizes.calibration


def test_scales_change_where_they_should() -> None:
    sizes, rng = Sizes(calibration=300, test=1000), np.random.default_rng(0)
    widths = {law: draw(rng, sizes).upper for law, draw in LAWS.items()}
    assert widths["jump"][400] == pytest.approx(3 * widths["jump"][399])
    assert widths["drift"][999] / widths["drift"][0] == pytest.approx(4 ** (999 / 1000))
    assert widths["seasonal"][24:] == pytest.approx(widths["seasonal"][:-24])
    assert LAWS["seasonal"](rng, sizes).context is not None
    for law in EXCHANGEABLE:
        assert np.ptp(widths[law]) == 0.0


@pytest.mark.parametrize("horizon", HORIZONS)
@pytest.mark.parametrize("method", [Unprojected(), PID(), DtACI()])
def test_an_adversary_s_block_is_a_block_like_any_other(method: IntervalMethod, horizon: int) -> None:
    """The whole-block form gives the same intervals on the residuals that were chosen one at a time."""
    sample, ends = duel(method, np.random.default_rng(5), horizon, SMALL)
    offsets = method.run(Stream(sample.residuals, SMALL.calibration, horizon), LEVEL)
    np.testing.assert_allclose(offsets.upper, ends[:, 1], rtol=1e-12)
    chosen, reached = sample.residuals[SMALL.calibration :], ends[:, 1] >= REACH
    assert (chosen[~reached] > ends[~reached, 1]).all()
    assert (np.abs(chosen) <= REACH).all()
    assert (np.abs(chosen) <= ends[:, 1])[reached].all()


def test_measures_are_what_they_say() -> None:
    rng = np.random.default_rng(2)
    residuals, upper = rng.normal(size=700), rng.uniform(1.0, 2.0, 600)
    upper[5] = np.inf
    truth = np.full(600, 1.5)
    found = dict(zip(MEASURES, measured(Sample(residuals, -truth, truth), -upper, upper), strict=True))
    inside = [abs(e) <= u for e, u in zip(residuals[100:], upper, strict=True)]
    windows = [sum(inside[i : i + WINDOW]) / WINDOW for i in range(600 - WINDOW + 1)]
    assert found["coverage"] == pytest.approx(sum(inside) / 600)
    assert found["worst"] == pytest.approx(min(windows))
    assert found["steady"] == pytest.approx(np.mean([abs(share - 0.9) <= 0.04 + 1e-9 for share in windows]))
    assert found["width"] == pytest.approx(np.delete(upper, 5).mean() / 1.5)
    assert found["infinite"] == pytest.approx(1 / 600)
    with pytest.raises(ValueError, match="every interval of the block is infinite"):
        measured(Sample(residuals, -truth, truth), np.full(600, -np.inf), np.full(600, np.inf))


def test_every_method_is_there_or_said_to_be_left_out(samples: FloatArray) -> None:
    assert names() == [TRUE, *(name for name in METHODS if name not in LEFT_OUT), EQUAL]
    assert samples.shape == (2, len(CASES), len(HORIZONS), len(names()), len(MEASURES))
    assert np.isfinite(samples).all()
    true_law = samples[:, CASES.index(ADVERSARY), :, 0, COVERAGE]
    assert (true_law == 1.0).all()


def test_exact_bounds_are_exact() -> None:
    """One calibration score: two tests are covered 0, 1 or 2 times with equal chance."""
    assert beta_binomial_range(2, 1, 1, 0.6) == (0.0, 1.0)
    assert beta_binomial_range(2, 1, 1, 0.7) == (0.5, 0.5)
    low, high = beta_binomial_range(300, 91, 100, 0.1)
    rng = np.random.default_rng(0)
    scores = np.sort(rng.random((20_000, 100)), axis=1)
    shares = rng.binomial(300, scores[:, 90]) / 300
    # The bounds themselves belong to the range, so that at most the alarm lies beyond; four standard errors allowed.
    assert np.mean((shares < low) | (shares > high)) < 0.1 + 4 * np.sqrt(0.09 / 20_000)
    assert np.mean((shares <= low) | (shares >= high)) > 0.1 - 4 * np.sqrt(0.09 / 20_000)


def test_checks_can_fail(samples: FloatArray) -> None:
    listed = names()
    right = stress_checks(samples, listed, SMALL)
    assert all(check.verdict in ("within", "match") for check in right)
    wrong = samples.copy()
    wrong[..., COVERAGE] -= 0.3 * wrong[..., COVERAGE]
    broken = stress_checks(wrong, listed, SMALL)
    assert len(broken) == len(right)
    different = {check.cell for check in broken if check.verdict == "different"}
    for method in ("split", "asymmetric"):
        assert f"exchangeable, H = 7, {method}: replications inside exact bounds" in different
    assert f"skewed, H = 1, {EQUAL}: replications inside exact bounds" in different
    # Two replications allow hundreds of standard errors, a hundred allow three.
    many = {
        check.cell
        for check in stress_checks(np.tile(wrong, (50, 1, 1, 1, 1)), listed, SMALL)
        if check.verdict == "different"
    }
    assert "heavy tails, H = 1, split: mean coverage" in many
    longer = SMALL._replace(adversary=4000, test=4000)
    worse = {check.cell for check in stress_checks(wrong, listed, longer) if check.verdict == "different"}
    assert "adversary, H = 7, unprojected: replications inside its bound" in worse
    assert "jump, H = 1, pid: replications inside its bound" in worse


def test_promises_are_those_of_the_methods() -> None:
    assert promised("unprojected")(2000, 7) == Unprojected().bound(2000, 7, LEVEL)
    assert promised("pid")(2000, 7) == pytest.approx(np.pi / 2 / np.log(2001) + 7 / 2000)


def test_a_run_has_tables_figures_and_words(monkeypatch: pytest.MonkeyPatch, samples: FloatArray) -> None:
    monkeypatch.setattr(target, "QUICK", SMALL)
    monkeypatch.setattr(target, "replicate", lambda *_, **__: list(samples))
    outcome = target.run(Settings(reps=2, quick=True))
    table = outcome.tables["coverage"]
    assert table.equals(score_table(samples, names()))
    assert table.height == len(CASES) * len(HORIZONS) * len(names())
    assert outcome.findings[0].startswith("Chance alone")
    assert all(check.verdict != "different" for check in outcome.checks)
    assert any("Left out: bayes" in note for note in outcome.notes)
    jumped = table.filter((pl.col("law") == "jump") & (pl.col("horizon") == 1))
    worst = jumped.filter(~pl.col("method").is_in([TRUE, EQUAL])).sort("worst").row(0, named=True)
    assert f"from {worst['worst']:.3f} ({worst['method']})" in outcome.findings[1 + CASES.index("jump")]
    for name, drawing in outcome.figures.items():
        assert name in outcome.captions
        assert encode(draw(drawing)(), "png")[:4] == b"\x89PNG"


def test_a_history_is_enough_for_a_duel() -> None:
    tracker = Unprojected().begin(History(np.ones(5)), LEVEL)
    assert tracker.issue()[1] == np.inf
