"""The published figures, and the order of rows that moves them."""

import numpy as np
import pytest

from ngrc.study.dynamics import printed as paper
from ngrc.study.dynamics.checks import checks
from ngrc.study.dynamics.inference import EVERY, inferred
from ngrc.study.dynamics.order import solved
from ngrc.study.dynamics.parts import LorenzPart, ScrollPart
from ngrc.study.dynamics.published import delays_at, features, free_error, pseudo_inverse
from ngrc.study.dynamics.scores import pooled_variance, total_variance
from ngrc.study.dynamics.settings import INFERENCE, LORENZ, SCROLL
from ngrc.study.dynamics.tables import order_table
from ngrc.study.dynamics.trajectories import published_lorenz
from ngrc.study.dynamics.windows import Runs
from ngrc.study.harness.printed import printed
from tests.study.dynamics.examples import WINDOWS, first_block, states_of, window_of
from tests.study.dynamics.twin import Twin, ridge


def test_the_first_windows_are_at_or_below_the_print() -> None:
    """Rounding is multiplied by e per Lyapunov time: over the first twenty a trajectory is the same everywhere."""
    found = {}
    for case in (LORENZ, SCROLL):
        states = states_of(case)
        variance = pooled_variance(states) if case is LORENZ else total_variance(states)
        found[case.title] = window_of(case, states, variance)
    assert found["Lorenz63"].training <= printed(paper.LORENZ_TRAINING).value
    assert found["Lorenz63"].free <= printed(paper.LORENZ_RUN).value
    assert found["Double scroll"].free <= printed(paper.SCROLL_RUN).value
    first = inferred(published_lorenz(EVERY * INFERENCE.length(1)), 1)
    assert first.test[0] <= printed(paper.INFERENCE_TEST).value
    assert first.truth.shape == first.estimate.shape == (INFERENCE.test,)


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
    assert window_of(case, states, variance).free == pytest.approx(expected, rel=1e-6)


def test_the_published_solver_is_the_same_ridge_regression() -> None:
    case, states = SCROLL, states_of(SCROLL)
    targets = np.arange(case.warm, case.warm + case.train)
    columns = features(delays_at(case, states, targets - 1), case.powers, constant=case.constant)
    increments = states[targets] - states[targets - 1]
    weights = pseudo_inverse(columns, increments, case.alpha)
    np.testing.assert_allclose(weights, ridge(columns, increments, case.alpha), rtol=0.0, atol=1e-8)
    variance = total_variance(states)
    ours = free_error(case, weights, states, case.warm + case.train, variance)
    assert ours == pytest.approx(window_of(case, states, variance).free, rel=1e-6)


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
