"""The model on chaotic systems against a plain twin."""

import numpy as np
import pytest

from ngrc.study.dynamics.inference import EVERY
from ngrc.study.dynamics.models import continued, fit, forecaster, infer
from ngrc.study.dynamics.settings import INFERENCE, LORENZ
from ngrc.study.dynamics.trajectories import published_lorenz
from tests.study.dynamics.examples import CASES, first_block
from tests.study.dynamics.twin import Twin, ridge
from tests.study.dynamics.twin import features as twin_features


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
