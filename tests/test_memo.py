"""What is kept of plain arguments, and what never is."""

from functools import partial

import numpy as np
import pytest

from ngrc import NGRC
from ngrc._memo import Memo


def test_equal_values_of_another_type_are_other_arguments() -> None:
    memo: Memo[str] = Memo(most=10)
    several: list[tuple[object, ...]] = [
        (1,),
        (1.0,),
        (True,),
        ((1, 2),),
        ((1, 2.0),),
        ((1, (2,)),),
        ("1",),
        (),
    ]
    for arguments in several:
        assert memo.get(arguments, partial(repr, arguments)) == repr(arguments)
        assert memo.get(arguments, lambda: "again") == repr(arguments)


@pytest.mark.parametrize("value", [[1], np.array([1]), np.float64(1.0), object(), (1, [2])])
def test_nothing_is_kept_of_what_may_change_or_is_no_plain_value(value: object) -> None:
    memo: Memo[int] = Memo(most=10)
    assert [memo.get((value,), partial(int, turn)) for turn in range(2)] == [0, 1]


def test_a_refusal_is_not_kept_and_a_full_memo_begins_anew() -> None:
    memo: Memo[int] = Memo(most=2)

    def refuse() -> int:
        raise ValueError("no")

    with pytest.raises(ValueError, match="no"):
        memo.get((0,), refuse)
    assert [memo.get((place,), partial(int, place)) for place in (0, 1, 2)] == [0, 1, 2]
    assert memo.get((2,), lambda: 9) == 2
    assert memo.get((0,), lambda: 9) == 9


def test_a_wrong_setting_that_equals_a_right_one_is_still_refused() -> None:
    values = np.sin(np.arange(80.0))
    NGRC(lags=1, ridge=0.1).fit(values)
    for wrong in (1.0, True):
        with pytest.raises(ValueError, match="lags"):
            NGRC(lags=wrong, ridge=0.1).fit(values)  # type: ignore[arg-type]


def test_a_list_of_lags_that_changes_changes_the_map() -> None:
    lags = [1, 2]
    model = NGRC(lags=lags, degree=1)
    assert model.feature_map.count(1) == 3
    lags.append(5)
    assert model.feature_map.count(1) == 4
    assert model.first_target == 5
    assert model.set_params(lags=2).first_target == 2


def test_a_class_made_from_ngrc_keeps_its_own_columns() -> None:
    class Longer(NGRC):
        def _map(self, channels: tuple[str, ...], exog: tuple[str, ...]) -> object:  # type: ignore[override]
            return NGRC(lags=9).feature_map

    assert NGRC(lags=2).first_target == 2
    assert Longer(lags=2).first_target == 9
