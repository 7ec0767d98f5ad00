import numpy as np
import pytest

from ngrc.features import Inputs
from tests.readout.twins import paper_map, rows_of

MAP = paper_map(3, spacing=2, periods=(6.0,), half_lives=(4.0,))
X = np.random.default_rng(2).standard_normal(60)


@pytest.mark.parametrize("horizon", [1, 3])
def test_all_rows_are_the_maps_design(horizon: int) -> None:
    rows = rows_of(MAP, X, horizon, offset=5)
    assert rows.count == 60 - MAP.first_target(horizon)
    inputs = Inputs({"x": X}, offset=5)
    groups = [group.columns(inputs, horizon, rows.first, rows.stop) for group in MAP.groups]
    np.testing.assert_array_equal(rows.design, np.hstack(groups))
    np.testing.assert_array_equal(rows.target, X[MAP.first_target(horizon) :])


@pytest.mark.parametrize("size", [1, 7, 1000])
def test_blocks_put_together_are_the_rows(size: int) -> None:
    rows = rows_of(MAP, X, 2)
    blocks = list(rows.blocks(size))
    assert all(block.count <= size for block in blocks)
    np.testing.assert_array_equal(np.vstack([block.design for block in blocks]), rows.design)
    np.testing.assert_array_equal(np.concatenate([block.target for block in blocks]), rows.target)


def test_a_part_keeps_phase_and_memory() -> None:
    rows = rows_of(MAP, X, 2, offset=3)
    np.testing.assert_array_equal(rows.part(10, 20).design, rows.design[10:20])
    np.testing.assert_array_equal(rows.part(5, 50).part(5, 15).extras, rows.extras[10:20])


def test_first_and_stop_bound_the_targets() -> None:
    rows = rows_of(MAP, X, 2, first=30, stop=40)
    assert (rows.first, rows.stop, rows.count) == (30, 40, 10)
    assert rows_of(MAP, X, 2, first=2).first == MAP.first_target(2)
    assert rows_of(MAP, X, 2, first=100).count == 0


def test_delays_and_extras_are_parts_of_the_design() -> None:
    rows = rows_of(MAP, X, 1)
    np.testing.assert_array_equal(rows.design[:, :3], rows.delays)
    np.testing.assert_array_equal(rows.design[:, -MAP.extra_count(1) :], rows.extras)
