"""A cold cache says what it is doing, a warm one says nothing, and a library that nobody listens to is silent."""

import os
import subprocess
import sys
from pathlib import Path

from ngrc._jit import COMPILING

LISTEN = "import logging; logging.basicConfig(level=logging.INFO, format='%(message)s')"
CALL = "from ngrc.order.quantiles import conformal_rank, signed_ranks; conformal_rank(9, 0.8); signed_ranks(9, 0.8)"


def said(program: str, cache: Path) -> list[str]:
    environment = {**os.environ, "NUMBA_CACHE_DIR": str(cache)}
    child = subprocess.run(
        [sys.executable, "-c", program], check=True, capture_output=True, text=True, env=environment
    )
    return (child.stdout + child.stderr).splitlines()


def test_the_first_compilation_is_announced_once(tmp_path: Path) -> None:
    assert said(f"{LISTEN}; {CALL}", tmp_path) == [COMPILING]
    assert said(f"{LISTEN}; {CALL}", tmp_path) == []


def test_without_a_listener_nothing_is_said(tmp_path: Path) -> None:
    assert said(CALL, tmp_path) == []


def test_kernels_of_others_are_not_our_business(tmp_path: Path) -> None:
    foreign = "import numba, ngrc._jit; numba.njit(lambda x: x + 1)(1)"
    assert said(f"{LISTEN}; {foreign}", tmp_path) == []
