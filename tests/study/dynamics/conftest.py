"""The parts of the target over few windows, computed once."""

import numpy as np
import pytest

from ngrc._threads import one_thread
from ngrc.study.dynamics.parts import LorenzPart, ScrollPart, lorenz_part, scroll_part
from ngrc.study.dynamics.settings import MACKEY_GLASS
from ngrc.study.dynamics.windows import Runs, drawn_window
from tests.study.dynamics.examples import WINDOWS


@pytest.fixture(scope="session")
def lorenz() -> LorenzPart:
    # As `ngrc reproduce` does it: on small matrices more threads cost more than they bring.
    with one_thread():
        return lorenz_part(WINDOWS, seed=1)


@pytest.fixture(scope="session")
def scroll() -> ScrollPart:
    with one_thread():
        return scroll_part(WINDOWS)


@pytest.fixture(scope="session")
def glass() -> Runs:
    with one_thread():
        return Runs.of(MACKEY_GLASS, [drawn_window(np.random.default_rng(seed)) for seed in range(WINDOWS)])
