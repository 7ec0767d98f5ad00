"""NGRC on chaotic systems: a plain twin, the published figures, scores on known cases, and rows that can fail."""

import warnings
from dataclasses import replace

import numpy as np
import polars as pl
import pytest

from ngrc._threads import one_thread
from ngrc._types import FloatArray
from ngrc.datasets import double_scroll, lorenz63
from ngrc.study.dynamics import printed as paper
from ngrc.study.dynamics.checks import checks
from ngrc.study.dynamics.figure import portrait_figure, validity_figure
from ngrc.study.dynamics.findings import findings
from ngrc.study.dynamics.inference import EVERY, inferred
from ngrc.study.dynamics.integrators import ACCURATE
from ngrc.study.dynamics.models import continued, fit, forecaster, infer
from ngrc.study.dynamics.order import solved
from ngrc.study.dynamics.parts import LorenzPart, ScrollPart, lorenz_part, mackey_glass_portrait, scroll_part
from ngrc.study.dynamics.published import delays_at, features, free_error, pseudo_inverse
from ngrc.study.dynamics.scores import (
    normalised_errors,
    nrmse,
    pooled_variance,
    total_variance,
    valid_steps,
)
from ngrc.study.dynamics.settings import (
    INFERENCE,
    LONGEST,
    LORENZ,
    MACKEY_GLASS,
    SCROLL,
    THRESHOLD,
    Case,
)
from ngrc.study.dynamics.tables import error_table, order_table, valid_table
from ngrc.study.dynamics.target import TARGET, run
from ngrc.study.dynamics.trajectories import (
    LORENZ_START,
    SCROLL_START,
    drawn_mackey_glass,
    lorenz_slope,
    published_lorenz,
    published_scroll,
    scroll_slope,
)
from ngrc.study.dynamics.windows import Run, Runs, drawn_window, window
from ngrc.study.harness.figure import draw, encode
from ngrc.study.harness.page import html_index, html_page, markdown_page
from ngrc.study.harness.printed import printed
from ngrc.study.harness.record import Check
from ngrc.study.harness.target import Settings
from tests.study.dynamics_twin import Twin, ridge
from tests.study.dynamics_twin import features as twin_features

CASES = {"lorenz": LORENZ, "scroll": SCROLL, "mackey-glass": MACKEY_GLASS}
WINDOWS = 4


def states_of(case: Case) -> FloatArray:
    """A trajectory long enough for the first window and a run of four Lyapunov times."""
    length = case.warm + case.train + case.steps(4.0)
    if case.title == MACKEY_GLASS.title:
        return drawn_mackey_glass(length, np.random.default_rng(3))
    return published_lorenz(length) if case.title == LORENZ.title else published_scroll(length)


def first_block(case: Case) -> FloatArray:
    """The values that the first window reads, targets included."""
    return states_of(case)[case.warm - case.reach - 1 : case.warm + case.train]


@pytest.fixture(scope="module")
def lorenz() -> LorenzPart:
    # As `ngrc reproduce` does it: on small matrices more threads cost more than they bring.
    with one_thread():
        return lorenz_part(WINDOWS, seed=1)


@pytest.fixture(scope="module")
def scroll() -> ScrollPart:
    with one_thread():
        return scroll_part(WINDOWS)


@pytest.fixture(scope="module")
def glass() -> Runs:
    with one_thread():
        return Runs.of(MACKEY_GLASS, [drawn_window(np.random.default_rng(seed)) for seed in range(WINDOWS)])


# -- the model and its twin ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", CASES)
def test_the_model_is_plain_ridge_on_explicit_features(name: str) -> None:
    case, block = CASES[name], first_block(CASES[name])
    twin, model = Twin(case).fit(block), fit(forecaster(case), block)
    assert model.n_rows_ == case.train
    for channel in range(block.shape[1]):
        found = model.coefficients(channel=channel)
        # The model names its constant last, the twin has it first.
        order = [-1, *range(len(found.values) - 1)] if case.constant else slice(None)
        scale = np.abs(twin.weights[:, channel]).max()
        np.testing.assert_allclose(found.values[order], twin.weights[:, channel], rtol=0.0, atol=1e-7 * scale)
    errors = (model.predict(block) - block)[-case.train :]
    np.testing.assert_allclose(errors, twin.training, rtol=0.0, atol=1e-9 * np.abs(block).max())


@pytest.mark.parametrize("name", CASES)
def test_a_free_run_is_the_twin_s_loop(name: str) -> None:
    case, block = CASES[name], first_block(CASES[name])
    twin, model = Twin(case).fit(block), fit(forecaster(case), block)
    history, steps = block[-case.reach - 1 :], case.steps(1.0)
    run = continued(model, history, steps)
    np.testing.assert_array_equal(run, model.free_run(history, steps))
    # Rounding grows by e over one Lyapunov time, and by what the map adds to it.
    np.testing.assert_allclose(run, twin.free_run(history, steps), rtol=0.0, atol=1e-7 * np.abs(block).max())


def test_a_run_that_diverges_is_no_number_from_there_on() -> None:
    case, block = LORENZ, first_block(LORENZ)
    model = fit(forecaster(case), block)
    run = continued(model, 1e3 * block[-2:], 50)
    (lost,) = np.nonzero(np.isnan(run).any(axis=1))
    first = int(lost[0])
    np.testing.assert_array_equal(lost, np.arange(first, 50))
    with pytest.raises(ValueError, match=f"the free run diverged at step {first + 1} of 50"):
        model.free_run(1e3 * block[-2:], 50)


def test_z_is_inferred_by_plain_ridge_on_x_and_y() -> None:
    case, states = INFERENCE, published_lorenz(EVERY * 1400)[::EVERY]
    rows = np.arange(case.reach, len(states))
    delays = np.column_stack(
        [states[rows - place * case.skip, channel] for channel in (0, 1) for place in range(case.lags)]
    )
    columns = twin_features(delays, (2, 2), constant=True)
    assert columns.shape[1] == 45
    weights = ridge(columns[: case.train], states[rows[: case.train], 2], case.alpha)
    np.testing.assert_allclose(infer(case, states), columns @ weights, rtol=0.0, atol=1e-8)


def test_z_to_come_is_not_looked_at() -> None:
    case, states = INFERENCE, published_lorenz(EVERY * 1400)[::EVERY]
    changed = states.copy()
    changed[case.reach + case.train :, 2] += 100.0
    np.testing.assert_array_equal(infer(case, states), infer(case, changed))


# -- published figures -----------------------------------------------------------------------------------------------


def test_the_first_windows_are_at_or_below_the_print() -> None:
    """Rounding is multiplied by e per Lyapunov time: over the first twenty a trajectory is the same everywhere."""
    found = {}
    for case in (LORENZ, SCROLL):
        states = states_of(case)
        variance = pooled_variance(states) if case is LORENZ else total_variance(states)
        found[case.title] = _window(case, states, variance)
    assert found["Lorenz63"].training <= printed(paper.LORENZ_TRAINING).value
    assert found["Lorenz63"].free <= printed(paper.LORENZ_RUN).value
    assert found["Double scroll"].free <= printed(paper.SCROLL_RUN).value
    first = inferred(published_lorenz(EVERY * INFERENCE.length(1)), 1)
    assert first.test[0] <= printed(paper.INFERENCE_TEST).value
    assert first.truth.shape == first.estimate.shape == (INFERENCE.test,)


def _window(case: Case, states: FloatArray, variance: float) -> Run:
    longer = np.vstack((states, np.repeat(states[-1:], case.steps(LONGEST), axis=0)))
    return window(case, longer, case.warm, variance, total_variance(states))


def test_means_over_windows_are_within_errors_of_the_print(
    lorenz: LorenzPart, scroll: ScrollPart, glass: Runs
) -> None:
    rows = {check.cell: check for check in checks(lorenz, scroll, glass)}
    assert len(rows) == 9
    assert [check.verdict for check in rows.values() if check.verdict == "different"] == []
    assert rows["Lorenz63, features"].ours == 28
    assert rows["Double scroll, features"].ours == 62
    assert glass.features == 84
    # Three errors of a mean of four windows, spread by 7 % between them.
    mean = lorenz.runs.training.mean()
    assert mean <= printed(paper.LORENZ_TRAINING).value * (1.0 + 3 * 0.07 / WINDOWS**0.5)


def test_the_published_score_counts_the_start_of_the_run() -> None:
    case, states = LORENZ, states_of(LORENZ)
    variance, stop = pooled_variance(states), case.warm + case.train
    twin = Twin(case).fit(first_block(case))
    run = twin.free_run(states[stop - 2 : stop], 43)
    expected = np.sqrt(np.sum((run - states[stop : stop + 43]) ** 2) / (3 * 44) / variance)
    assert case.steps(1.0) == 44
    assert _window(case, states, variance).free == pytest.approx(expected, rel=1e-6)


def test_the_published_solver_is_the_same_ridge_regression() -> None:
    case, states = SCROLL, states_of(SCROLL)
    targets = np.arange(case.warm, case.warm + case.train)
    columns = features(delays_at(case, states, targets - 1), case.powers, constant=case.constant)
    increments = states[targets] - states[targets - 1]
    weights = pseudo_inverse(columns, increments, case.alpha)
    np.testing.assert_allclose(weights, ridge(columns, increments, case.alpha), rtol=0.0, atol=1e-8)
    variance = total_variance(states)
    ours = free_error(case, weights, states, case.warm + case.train, variance)
    assert ours == pytest.approx(_window(case, states, variance).free, rel=1e-6)


# -- the order of rows -----------------------------------------------------------------------------------------------


def test_the_order_of_rows_moves_a_pseudo_inverse_and_not_this_solver(lorenz: LorenzPart) -> None:
    orders = lorenz.orders
    assert orders.unmoved == orders.ours.size == orders.pseudo_inverse.size
    assert np.ptp(orders.ours) < 1e-6 * orders.ours[0]
    assert orders.pseudo_inverse.max() > 2.0 * orders.pseudo_inverse.min()
    table = order_table(orders)
    assert table["largest_over_smallest"][1] == pytest.approx(1.0, abs=1e-6)


def test_rows_in_any_order_give_the_same_weights() -> None:
    case, states = LORENZ, states_of(LORENZ)
    targets = np.arange(case.warm, case.warm + case.train)
    delays, increments = delays_at(case, states, targets - 1), states[targets] - states[targets - 1]
    expected = ridge(features(delays, case.powers, constant=True), increments, case.alpha)
    for seed in range(3):
        order = np.random.default_rng(seed).permutation(case.train)
        weights = solved(delays[order], increments[order], case.alpha)
        np.testing.assert_allclose(weights, expected, rtol=0.0, atol=1e-7 * np.abs(expected).max())


# -- scores ----------------------------------------------------------------------------------------------------------


def test_a_run_that_drifts_away_at_a_known_rate_is_valid_for_a_known_time() -> None:
    truth = np.tile([1.0, -1.0], (20, 1))
    # Both channels drift by 0.03 per step; in a size of 1 that is 0.03 sqrt(2) per step, 0.4 after 9.4 steps.
    run = truth + 0.03 * np.arange(1, 21)[:, None]
    errors = normalised_errors(run, truth, variance=1.0)
    np.testing.assert_allclose(errors, 0.03 * np.sqrt(2.0) * np.arange(1, 21))
    assert valid_steps(errors, THRESHOLD) == 9
    assert valid_steps(errors[:9], THRESHOLD) == 9
    # Twice the size, a quarter more than twice the variance: half the error.
    assert valid_steps(normalised_errors(run, truth, variance=4.0), THRESHOLD) == 18


def test_a_diverged_run_is_not_valid_and_has_no_finite_error() -> None:
    truth = np.zeros((4, 3))
    run = np.array([[0.1, 0.0, 0.0], [1e200, 1e200, 0.0], [np.nan] * 3, [np.inf, 0.0, 0.0]])
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        errors = normalised_errors(run, truth, 1.0)
        assert errors[1] == pytest.approx(np.sqrt(2.0) * 1e200)
        assert np.all(np.isinf(errors[2:]))
        assert valid_steps(errors, THRESHOLD) == 1
        assert nrmse(run, 1.0) == np.inf
        assert nrmse(run[:2], 1.0) == pytest.approx(1e200 / np.sqrt(3.0))
    assert nrmse(np.zeros((3, 3)), 2.0) == 0.0
    np.testing.assert_array_equal(normalised_errors(truth, truth, 1.0), 0.0)


def test_variances_are_pooled_or_summed() -> None:
    states = np.array([[0.0, 10.0], [2.0, 10.0]])
    assert total_variance(states) == 1.0
    assert pooled_variance(states) == pytest.approx(np.var([0.0, 10.0, 2.0, 10.0]))


# -- trajectories ----------------------------------------------------------------------------------------------------


def test_slopes_are_those_of_the_simulated_flows() -> None:
    for slope, flow, start in (
        (lorenz_slope, lorenz63, LORENZ_START),
        (scroll_slope, double_scroll, SCROLL_START),
    ):
        step = 1e-4
        path = flow(3, spacing=step, substeps=1, burn_in=0, initial=start)
        np.testing.assert_allclose((path[2] - path[0]) / (2 * step), slope(0.0, path[1]), rtol=1e-6)


def test_a_longer_trajectory_begins_like_a_shorter_one() -> None:
    np.testing.assert_array_equal(published_lorenz(700)[:380], published_lorenz(400)[:380])
    with pytest.raises(ValueError, match="read-only"):
        published_lorenz(400)[0] = 0.0


def test_the_published_integrator_is_crude_and_its_first_samples_are_near_the_truth() -> None:
    exact = lorenz63(40, burn_in=0, initial=LORENZ_START)
    gap = np.abs(published_lorenz(400)[:40] - exact).max()
    assert 1e-3 < gap < 0.5


def test_lyapunov_times_become_samples() -> None:
    assert [case.steps(case.scored) for case in CASES.values()] == [44, 31, 185]
    assert LORENZ.length(100) == 200 + 100 * 400 + round(LONGEST * 1.104 / 0.025)
    assert LORENZ.length(1) == 200 + 400 + 4800


# -- rows, words and pages -------------------------------------------------------------------------------------------


def _row(parts: tuple[LorenzPart, ScrollPart, Runs], cell: str) -> Check:
    (row,) = (check for check in checks(*parts) if check.cell == cell)
    return row


def test_errors_that_are_too_large_are_found(lorenz: LorenzPart, scroll: ScrollPart, glass: Runs) -> None:
    worse = replace(lorenz, runs=replace(lorenz.runs, training=2.0 * lorenz.runs.training))
    assert _row((worse, scroll, glass), "Lorenz63, training NRMSE").verdict == "different"
    moved = replace(lorenz.orders, ours=lorenz.orders.pseudo_inverse)
    row = _row((replace(lorenz, orders=moved), scroll, glass),
               "orders of the same rows in which our free-run NRMSE is the same")  # fmt: skip
    assert row.verdict == "different"
    assert row.kind == "formula"


def test_a_diverged_run_has_no_mean(lorenz: LorenzPart, scroll: ScrollPart, glass: Runs) -> None:
    free = lorenz.runs.free.copy()
    free[0] = np.inf
    lost = replace(lorenz, runs=replace(lorenz.runs, free=free))
    row = _row((lost, scroll, glass), "Lorenz63, free-run NRMSE over one Lyapunov time")
    assert (row.verdict, row.ours) == ("not comparable", None)
    assert row.reason.startswith(f"1 of {WINDOWS} runs diverged")
    assert lost.runs.diverged == 1
    table = error_table(lost, scroll, glass)
    line = table.row(by_predicate=pl.col("error") == "Lorenz63, free run", named=True)
    assert line["mean"] is None
    assert line["q50"] is not None
    told = findings(lost, scroll, glass)[0]
    assert f"and mean none (1 of {WINDOWS} diverged)" in told
    assert "inf" not in told.replace("inferred", "")


def test_mackey_glass_is_shown_and_not_judged(lorenz: LorenzPart, scroll: ScrollPart, glass: Runs) -> None:
    row = _row((lorenz, scroll, glass), "Mackey-Glass, free-run NRMSE over three Lyapunov times")
    assert row.verdict == "not comparable"
    assert "does not treat it" in row.reason
    assert row.ours == pytest.approx(np.median(glass.free))


def test_valid_times_are_quantiles_over_starts(lorenz: LorenzPart, scroll: ScrollPart, glass: Runs) -> None:
    table = valid_table(lorenz.runs, scroll.runs, glass)
    assert table["starts"].to_list() == [WINDOWS] * 3
    assert table["q50"][0] == np.median(lorenz.runs.valid)
    assert np.all(lorenz.runs.valid <= LONGEST)
    # What the free run's errors say themselves.
    steps = [valid_steps(errors, THRESHOLD) for errors in lorenz.runs.errors]
    np.testing.assert_allclose(lorenz.runs.valid, np.array(steps) * 0.025 / 1.104)
    assert lorenz.runs.valid.min() > 1.0


def test_words_follow_the_numbers(lorenz: LorenzPart, scroll: ScrollPart, glass: Runs) -> None:
    told = findings(lorenz, scroll, glass)
    assert "the median at or below the 0.000106 in print" in told[0]
    assert told[3].endswith("The integrator's errors had done part of the penalty's work.")
    tripled = replace(lorenz.runs, training=3.0 * lorenz.runs.training)
    assert "the median above the 0.000106" in findings(replace(lorenz, runs=tripled), scroll, glass)[0]
    # With the published penalty the best on an accurate trajectory, nothing is said of the integrator's work.
    accurate = pl.col("integrator") == ACCURATE
    best = pl.when(accurate & (pl.col("alpha") == LORENZ.alpha)).then(99.0).otherwise("valid_median")
    table = lorenz.integrators.with_columns(best.alias("valid_median"))
    assert "part of the penalty" not in findings(replace(lorenz, integrators=table), scroll, glass)[3]


def test_figures_are_drawn(lorenz: LorenzPart, scroll: ScrollPart, glass: Runs) -> None:
    portraits = (lorenz.portrait, scroll.portrait, mackey_glass_portrait(0))
    # A free run as long as the published one stays on the attractor.
    for one in portraits:
        assert one.truth.shape == one.run.shape
        assert np.all(np.abs(one.run).max(axis=0) < 1.3 * np.abs(one.truth).max(axis=0))
    figure = draw(lambda: portrait_figure(portraits))()
    assert [axes.get_title(loc="left")[:3] for axes in figure.axes] == [f"({x})" for x in "abcdef"]
    assert figure.axes[0].get_xlim() == figure.axes[3].get_xlim()
    assert encode(figure, "png").startswith(b"\x89PNG")
    figure = draw(lambda: validity_figure((lorenz.runs, scroll.runs, glass), lorenz.inferred))()
    assert [axes.get_title(loc="left")[:3] for axes in figure.axes] == ["(a)", "(b)", "(c)"]
    assert encode(figure, "png").startswith(b"\x89PNG")


def test_a_page_names_whose_print_it_is() -> None:
    outcome = run(Settings(reps=2))
    text = markdown_page(TARGET, outcome)
    assert "## Ours against the numbers that Gauthier et al. (2021) prints" in text
    pictures = dict.fromkeys(outcome.figures, b"")
    assert "numbers that Gauthier et al. (2021) prints" in html_page(TARGET, outcome, pictures)
    # Another paper's rows stand in its own line of the index, and not in the sum over the paper's.
    index = html_index([(TARGET, outcome.checks)])
    assert index.count("printed numbers 8") == 1
    assert html_index([(replace(TARGET, paper="the paper"), outcome.checks)]).count("printed numbers 8") == 2
    assert set(outcome.captions) == {*outcome.tables, *outcome.figures}
