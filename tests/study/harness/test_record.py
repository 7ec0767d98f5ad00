"""One comparison: its kind names its right side, and kinds are never counted together."""

import json

import pytest

from ngrc.study.harness.compare import against_formula, exact, incomparable, nominal
from ngrc.study.harness.estimate import Estimate
from ngrc.study.harness.printed import printed
from ngrc.study.harness.record import KINDS, VERDICTS, Cell, Check, as_row, from_row, of_kind, tally

CELL = Cell("phase", "tab:x", "row, column")
COMMON = {"target", "table", "cell", "kind", "ours", "tolerance", "detects", "rule", "verdict", "reason"}
CHECKS = [
    exact(CELL, 1.0, printed("1.0")),
    against_formula(CELL, Estimate(1.0, 0.1, 50), 1.2),
    nominal(CELL, Estimate(0.94, 0.01, 50), 0.95),
    incomparable(CELL, None, "no such number"),
]


@pytest.mark.parametrize(
    ("check", "name"), list(zip(CHECKS, ("paper", "formula", "claim", "paper"), strict=True))
)
def test_the_right_side_is_named_by_its_kind_and_passes_through_json(check: Check, name: str) -> None:
    row = json.loads(json.dumps(as_row(check), allow_nan=False))
    assert set(row) == COMMON | {name}
    assert row[name] == check.expected
    assert from_row(row) == check


def test_a_row_of_an_unknown_kind_is_refused() -> None:
    with pytest.raises(KeyError):
        from_row(as_row(CHECKS[0]) | {"kind": "exact"})


def test_kinds_are_taken_apart_and_all_verdicts_are_named() -> None:
    assert [len(of_kind(CHECKS, kind)) for kind in KINDS] == [2, 1, 1]
    assert tally(of_kind(CHECKS, "printed")) == {
        "match": 1,
        "within": 0,
        "different": 0,
        "not comparable": 1,
    }
    assert tuple(tally([])) == VERDICTS
