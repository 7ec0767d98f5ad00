"""What every group keeps, known by what its columns are made of: one value after the other is poisoned."""

import numpy as np
import pytest

from ngrc._types import FloatArray
from ngrc.features import (
    Calendar,
    Clock,
    ClockProducts,
    Delays,
    Group,
    Inputs,
    Known,
    Memory,
    Products,
    Seasonal,
)
from ngrc.features.constant import Constant
from ngrc.features.slots import DAY, HOUR, WEEK, Slots
from ngrc.features.union import EveryHorizon, basis_of

SIZE = 120
GROUPS: list[Group] = [
    Delays(4),
    Delays(3, 5, "wind"),
    Delays((2, 3, 17)),
    Delays((9, 1), 3, "wind"),
    Products((Delays(3, 2),)),
    Products((Delays((2, 6)), Delays(2, channel="wind")), 3),
    Seasonal((12.0,)),
    Seasonal((7.5, 24.0), cycles=1, width=2, channel="wind"),
    Seasonal((6.0,), besides=Delays(3)),
    Clock((12.0, 7.5)),
    Calendar(("hour", "month")),
    Calendar(("weekday",), zone="Europe/Berlin"),
    Slots(DAY, HOUR),
    Slots(WEEK, HOUR),
    ClockProducts(Delays((1, 4)), Clock((12.0,))),
    Memory((3.0, 20.0), "wind"),
    Known(("sun", "rain"), 2),
    Constant(),
    EveryHorizon(Known(("sun",)), (1, 3)),
    EveryHorizon(Seasonal((5.0,), cycles=1), (1, 3)),
]
HORIZONS = [1, 3, 30]
REMEMBERING = (Memory,)
AHEAD = 40
# Into April, and past the night in which Berlin moves its clocks.
TIMES = np.datetime64("2024-03-30T07", "h") + np.arange(SIZE + AHEAD)
# Another hour, weekday and month, whatever time it is added to.
ELSEWHERE = np.timedelta64(45 * 24 + 5, "h")


def data(poison: tuple[str, int] | None = None) -> Inputs:
    rng = np.random.default_rng(17)
    values: dict[str, FloatArray] = {name: rng.standard_normal(SIZE) for name in ("x", "wind")}
    known: dict[str, FloatArray] = {name: rng.standard_normal(SIZE + AHEAD) for name in ("sun", "rain")}
    times = TIMES.copy()
    if poison is not None:
        name, place = poison
        if name == "times":
            times[place] += ELSEWHERE
        else:
            (values if name in values else known)[name][place] = np.nan
    return Inputs(values, known, times)


def read(group: Group, horizon: int, origin: int) -> dict[str, list[int]]:
    """By input, the time indices that the row of one origin is made of."""
    found: dict[str, list[int]] = {}
    clean = group.columns(data(), horizon, origin + horizon, origin + horizon + 1)
    sizes = {"x": SIZE, "wind": SIZE, "sun": SIZE + AHEAD, "rain": SIZE + AHEAD, "times": SIZE + AHEAD}
    for name, size in sizes.items():
        for place in range(size):
            row = group.columns(data((name, place)), horizon, origin + horizon, origin + horizon + 1)
            # A NaN differs from everything.
            if not np.array_equal(row, clean):
                found.setdefault(name, []).append(place)
    return found


@pytest.mark.parametrize("horizon", HORIZONS)
@pytest.mark.parametrize("group", GROUPS, ids=repr)
def test_a_row_reads_what_its_reach_says_and_nothing_after_the_origin(group: Group, horizon: int) -> None:
    reach = group.reach(horizon)
    origin = reach + 2
    ahead = max(group.horizons) if isinstance(group, EveryHorizon) else horizon
    found = read(group, horizon, origin)
    assert ("times" in found) == isinstance(group, Calendar | Slots)
    for name, places in found.items():
        if name in ("sun", "rain"):
            assert max(places) == origin + ahead
        elif name == "times":
            assert places == [origin + horizon if group.moving else origin]
        else:
            assert max(places) <= origin
            assert isinstance(group, REMEMBERING) or min(places) >= origin - reach
    if reach:
        oldest = min(
            min(places) for name, places in read(group, horizon, reach).items() if name in ("x", "wind")
        )
        assert oldest == 0
        with pytest.raises(ValueError, match="origins must lie between"):
            group.columns(data(), horizon, reach + horizon - 1, reach + horizon)


@pytest.mark.parametrize("horizon", HORIZONS)
@pytest.mark.parametrize("group", GROUPS, ids=repr)
def test_one_distinct_name_per_column_and_columns_of_any_range(group: Group, horizon: int) -> None:
    names = group.names(horizon)
    first = group.reach(horizon) + horizon
    columns = group.columns(data(), horizon, first, SIZE)
    assert columns.shape == (SIZE - first, group.count(horizon))
    assert len(names) == len(set(names)) == group.count(horizon)
    assert np.isfinite(columns).all()
    part = group.columns(data(), horizon, first + 7, first + 12)
    np.testing.assert_array_equal(part, columns[7:12])
    assert group.columns(data(), horizon, first, first).shape == (0, group.count(horizon))


@pytest.mark.parametrize("group", [group for group in GROUPS if not group.moving], ids=repr)
def test_what_does_not_move_is_the_same_at_one_origin_for_every_horizon(group: Group) -> None:
    near, far = group.columns(data(), 1, 61, 71), group.columns(data(), 9, 69, 79)
    np.testing.assert_array_equal(near, far)
    assert group.names(1) == group.names(9)


@pytest.mark.parametrize("horizons", [(1,), (1, 2, 3, 4, 5), (4, 30)])
@pytest.mark.parametrize("group", [group for group in GROUPS if group.moving], ids=repr)
def test_a_moving_group_is_its_basis_turned(group: Group, horizons: tuple[int, ...]) -> None:
    inputs = data()
    basis, turn = basis_of(group, horizons, inputs)
    assert not basis.moving
    start = max(group.reach(horizon) for horizon in horizons)
    for horizon in horizons:
        wanted = group.columns(inputs, horizon, start + horizon, 85 + horizon)
        held = basis.columns(inputs, horizons[0], start + horizons[0], 85 + horizons[0])
        assert turn(horizon).shape == (held.shape[1], wanted.shape[1])
        np.testing.assert_allclose(held @ turn(horizon), wanted, atol=1e-12)
    assert len(set(basis.names(1))) == basis.count(1)
