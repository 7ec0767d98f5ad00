import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ngrc.theory import euler_amplification, euler_step_bound

RATES = st.floats(0.01, 10.0)


def test_printed_stability_of_the_volterra_memory() -> None:
    turn = 2 * np.pi
    assert round(euler_step_bound(0.2, turn), 5) == 0.01012
    assert round(euler_amplification(0.1, 0.2, turn), 3) == 1.164
    assert round(euler_amplification(0.005, 0.2, turn), 5) == 0.99949


@given(damping=RATES, frequency=RATES, share=st.floats(0.01, 3.0))
@settings(deadline=None, max_examples=60)
def test_amplification_is_the_spectral_radius(damping: float, frequency: float, share: float) -> None:
    bound = euler_step_bound(damping, frequency)
    step = share * bound
    generator = np.array([[-damping, -frequency], [frequency, -damping]])
    radius = np.abs(np.linalg.eigvals(np.eye(2) + step * generator)).max()
    assert euler_amplification(step, damping, frequency) == pytest.approx(radius, rel=1e-10)
    assert euler_amplification(bound, damping, frequency) == pytest.approx(1.0, rel=1e-12)
    if abs(share - 1) > 1e-6:
        assert (radius < 1) == (share < 1)


def test_bad_input_is_refused() -> None:
    with pytest.raises(ValueError, match="damping"):
        euler_step_bound(0.0, 1.0)
    with pytest.raises(ValueError, match="frequency"):
        euler_step_bound(1.0, -1.0)
    with pytest.raises(ValueError, match="step"):
        euler_amplification(0.0, 1.0, 1.0)
    assert euler_step_bound(0.5, 0.0) == 4.0
