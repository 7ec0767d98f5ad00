"""Scales and limits come from the fit block; inputs are clipped, targets are not."""

from typing import Any

import numpy as np
import pytest

from ngrc.features import Scale
from ngrc.features.link import Link
from ngrc.features.preparation import Column, Preparation, check_clip

VALUES = np.random.default_rng(19).normal(5.0, 2.0, (60, 2))
SUN = np.random.default_rng(20).normal(-3.0, 0.5, 70)


def prepared(
    clip: float | None, beside: dict[str, Any] | None = None, known: tuple[str, ...] = ()
) -> Preparation:
    scales = [None, Scale(1.0, 4.0)]
    return Preparation.of(
        VALUES, ("a", "b"), beside or {}, known, links=[Link(), Link()], clip=clip, scales=scales
    )


@pytest.mark.parametrize("clip", [0.0, 0.1, 2.5])
def test_limits_are_the_fit_blocks_range_widened_by_the_share(clip: float) -> None:
    for place, (mean, std) in enumerate([(VALUES[:, 0].mean(), VALUES[:, 0].std()), (1.0, 4.0)]):
        column = list(prepared(clip).series.values())[place]
        low, high = VALUES[:, place].min(), VALUES[:, place].max()
        assert column.low == pytest.approx((low - clip * (high - low) - mean) / std, rel=1e-12)
        assert column.high == pytest.approx((high + clip * (high - low) - mean) / std, rel=1e-12)


@pytest.mark.parametrize("clip", [0.0, 0.3])
def test_inputs_beyond_the_limits_are_clipped_and_the_series_is_not(clip: float) -> None:
    preparation = prepared(clip)
    wild = VALUES.copy()
    wild[10], wild[20] = 1e6, -1e6
    x = preparation.standardise(wild)
    assert x[10, 0] == pytest.approx((1e6 - VALUES[:, 0].mean()) / VALUES[:, 0].std())
    inputs = preparation.inputs(x, {})
    for name, column in preparation.series.items():
        channel = inputs.channels[name]
        assert (channel[10], channel[20]) == (column.high, column.low)
        others = np.delete(channel, [10, 20])
        assert ((column.low <= others) & (others <= column.high)).all()


@pytest.mark.parametrize("clip", [None, 0.0, 0.3])
def test_values_in_range_keep_every_bit(clip: float | None) -> None:
    preparation = prepared(clip)
    x = preparation.standardise(VALUES)
    inputs = preparation.inputs(x, {})
    np.testing.assert_array_equal(
        inputs.channels["a"], (VALUES[:, 0] - VALUES[:, 0].mean()) / VALUES[:, 0].std()
    )
    np.testing.assert_array_equal(inputs.channels["b"], (VALUES[:, 1] - 1.0) / 4.0)


def test_what_lies_beyond_the_fit_block_settles_nothing() -> None:
    changed = SUN.copy()
    changed[60:] = 1e9
    first, second = (prepared(0.1, {"sun": sun}, ("sun",)) for sun in (SUN, changed))
    assert first == second
    assert first.beside["sun"].scale == Scale.of(SUN[:60])


def test_known_inputs_reach_ahead_and_others_end_with_the_series() -> None:
    preparation = prepared(None, {"sun": SUN, "rain": SUN + 1.0}, ("sun",))
    inputs = preparation.inputs(preparation.standardise(VALUES), {"sun": SUN, "rain": SUN + 1.0}, offset=7)
    assert inputs.known["sun"].size == 70
    assert inputs.channels["rain"].size == 60
    assert list(inputs.channels) == ["a", "b", "rain"]
    assert inputs.offset == 7
    np.testing.assert_allclose(inputs.known["sun"], (SUN - SUN[:60].mean()) / SUN[:60].std(), rtol=1e-12)


def test_a_constant_column_is_clipped_to_its_value() -> None:
    column = Column.of(np.full(9, 4.0), clip=0.5)
    assert column.input(column.scale.standardise(np.array([4.0, 9.0]))).tolist() == [0.0, 0.0]


@pytest.mark.parametrize("clip", [-0.1, float("nan"), float("inf"), "0.1", True, (0.1,)])
def test_bad_shares_are_refused(clip: Any) -> None:
    with pytest.raises(ValueError, match="clip must be the share of the fit block's range"):
        check_clip(clip)


def test_good_shares() -> None:
    assert (check_clip(None), check_clip(0), check_clip(np.float32(0.5))) == (None, 0.0, 0.5)
    assert check_clip(np.int64(1)) == 1.0
