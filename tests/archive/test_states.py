"""States that compiled code reads without asking: no file brings one in whose parts do not fit each other."""

from functools import cache
from typing import Any

import numpy as np
import pytest

from ngrc._kernels.local import BINS_CELLS, bins_cell
from ngrc.archive import dumps, loads
from ngrc.intervals import METHODS, History, Tracker
from ngrc.intervals.context import Context
from ngrc.intervals.rescp import ResCP
from ngrc.online import Online
from tests.archive.forging import forged, with_array


# On demand and kept: beginning every method takes longer than a process should need to list the tests.
@cache
def begun(name: str) -> Tracker:
    rng = np.random.default_rng(0)
    method = ResCP(size=20, temperature=0.1, window=30) if name == "rescp" else METHODS[name]()
    context = Context(rng.normal(size=162), (24.0,)) if name in ("auto", "scaled") else None
    tracker = method.begin(History(rng.normal(size=160), 3, 1.0, {}, context), 0.9)
    for _ in range(5):
        tracker.issue()
        tracker.observe(0.5, False)
    return tracker


BEGUN = (
    "adaptive",
    "rolling",
    "gaussian",
    "weighted",
    "pid",
    "dtaci",
    "saocp",
    "rescp",
    "auto",
    "scaled",
    "student",
)
LARGE = np.full(13, 10**9)

# Of each tracker: a field somewhere in it, and an array that would lead a kernel out of its memory.
ARRAYS: list[tuple[str, str, Any]] = [
    ("adaptive", "sizes", LARGE), ("adaptive", "sizes", -LARGE), ("adaptive", "sizes", np.ones(2, dtype=np.int64)),
    ("adaptive", "weights", np.ones((1, 1))), ("adaptive", "sums", np.ones(1)), ("adaptive", "values", np.ones(5)),
    ("adaptive", "sums", np.ones(13, dtype=np.int64)), ("gaussian", "tails", np.ones(3)),
    ("pid", "state", np.ones(2)),
    ("dtaci", "experts", np.ones((3, 3))), ("dtaci", "experts", np.ones((2, 8))), ("dtaci", "waiting", np.ones((5, 3))),
    ("dtaci", "waiting", np.full((5, 10), 9.0)), ("dtaci", "waiting", np.full((5, 10), np.nan)),
    ("dtaci", "waiting", np.vstack([[0.0, 3.0, *np.zeros(8)], np.full((4, 10), 1e9)])),
    ("dtaci", "experts", np.asfortranarray(np.ones((3, 8)))),
    ("saocp", "experts", np.ones((7, 2, 4))), ("saocp", "waiting", np.ones((5, 3))),
    ("saocp", "waiting", np.full((5, 386), 0.5)), ("saocp", "waiting", np.full((1, 386), 0.0)),
    ("saocp", "waiting", np.vstack([[0.0, 3.0, *np.zeros(384)], np.full((4, 386), 2.0**50)])),
    ("rolling", "recent", np.array([1.0, -2.0])), ("rolling", "recent", np.array([1.0, np.nan])),
    ("rolling", "recent", np.ones((4, 4))), ("rolling", "recent", np.ones(20, dtype=np.int64)),
    ("rolling", "recent", np.empty(0)), ("gaussian", "values", np.ones((2, 50))),
    ("rescp", "units", np.ones((2, 20))), ("rescp", "columns", np.full((24, 4), 99, dtype=np.uint32)),
    ("rescp", "bounds", np.arange(6) * 1000), ("rescp", "rows", np.full(20, 20)), ("rescp", "rows", np.full(20, -1)),
    ("rescp", "orders", np.full((1, 166), 10**6, dtype=np.uint32)), ("rescp", "spans", np.array([[0, 10**6]])),
    ("rescp", "sizes", np.array([0])), ("rescp", "tails", np.array([-1.0])), ("rescp", "lower", np.ones((0, 1, 1))),
    ("rescp", "temperatures", np.array([0.1, 0.1])), ("rescp", "state", np.ones(2)), ("rescp", "values", np.ones(3)),
    ("auto", "chosen", np.array([9.0, 0.0])), ("auto", "chosen", np.array([np.nan, 0.0])),
    ("auto", "gram", np.ones((2, 2))),
    ("auto", "plain", np.ones((5, 10))), ("auto", "lengths", np.array([10**6])), ("auto", "lengths", np.array([0])),
    ("auto", "alphas", np.array([-1.0])), ("auto", "active", np.ones(3)), ("auto", "regrets", np.ones((2, 2))),
    ("auto", "counters", np.full(4, np.nan)), ("auto", "counters", np.full(4, -3.0)),
    ("auto", "factors", np.ones((5, 2))),
    ("auto", "indices", np.full(3, 1e300)), ("auto", "ends", np.ones((3, 1))), ("auto", "rows", np.ones((9000, 40))),
    ("auto", "constants", np.zeros(3)), ("auto", "constants", np.full(3, np.nan)), ("auto", "limits", np.ones(2)),
    ("auto", "probabilities", np.array([0.5, 1.5])), ("auto", "tables", np.ones((4, 1, 3))),
    ("auto", "memory", np.ones(2)),
    ("scaled", "centre", np.ones(1)), ("scaled", "row", np.ones(3)), ("scaled", "moment", np.ones(4)),
    ("auto", "offsets", np.zeros(3, dtype=np.int64)), ("scaled", "row", np.ones(21, dtype=np.int64)),
    ("scaled", "moment", np.ones(21, dtype=np.int64)),
]  # fmt: skip


@pytest.mark.parametrize(("name", "field", "array"), ARRAYS)
def test_arrays_that_do_not_fit_are_refused(name: str, field: str, array: Any) -> None:
    with pytest.raises(ValueError, match=r"cannot load the bytes: .*(not valid|not of its type)"):
        loads(with_array(begun(name), field, array))


NUMBERS: list[tuple[str, list[str], Any]] = [
    ("adaptive", ["scores", "count"], 10**9), ("adaptive", ["scores", "total"], "1"),
    ("gaussian", ["squares", "filled"], 100), ("rolling", ["rank"], 0), ("rolling", ["rank"], 10**9),
    ("gaussian", ["squares", "filled"], True), ("student", ["count"], 0), ("student", ["horizon"], 0),
    ("weighted", ["decay"], -1.0), ("weighted", ["level"], 2.0), ("saocp", ["clock"], 2**60), ("saocp", ["clock"], 0),
    ("rescp", ["known"], 10**6), ("rescp", ["horizon"], 0), ("rescp", ["clock"], 3), ("rescp", ["scale"], 0.0),
    ("rescp", ["rule", "alpha"], 1.0), ("auto", ["free"], {"list": [99]}), ("auto", ["waiting"], {"deque": [0, 0]}),
]  # fmt: skip


@pytest.mark.parametrize(("name", "path", "number"), NUMBERS)
def test_numbers_that_do_not_fit_are_refused(name: str, path: list[str], number: Any) -> None:
    def change(tree: Any) -> None:
        for field in path[:-1]:
            tree = tree["fields"][field]
        assert path[-1] in tree["fields"]
        tree["fields"][path[-1]] = number

    with pytest.raises(ValueError, match=r"cannot load the bytes: .*not valid"):
        loads(forged(begun(name), change))


def test_what_is_not_changed_still_loads() -> None:
    for tracker in map(begun, BEGUN):
        assert dumps(loads(forged(tracker, lambda tree: None))) == dumps(tracker)


def test_no_score_has_a_cell_outside_of_the_tree() -> None:
    assert [bins_cell(score) for score in (np.nan, 0.0, np.inf, 1e300)] == [
        0,
        0,
        BINS_CELLS - 1,
        BINS_CELLS - 1,
    ]


@pytest.mark.parametrize(
    ("field", "value"),
    [("method", 3), ("tracker", None), ("level", 2.0), ("horizon", 0), ("waiting", {"list": []}), ("named", 3),
     ("waiting", {"deque": [1]})],
)  # fmt: skip
def test_a_method_in_service_that_is_none_is_refused(field: str, value: Any) -> None:
    def change(tree: Any) -> None:
        tree["fields"][field] = value

    online = Online(METHODS["split"](), History(np.arange(1.0, 30.0)), 0.9)
    with pytest.raises(ValueError, match=r"cannot load the bytes: .*not valid"):
        loads(forged(online, change))
