"""The examples in the docstrings run: the folder lies outside the paths that are searched for them."""

import doctest
from types import ModuleType

import pytest
from accuracy.methods import naive

from accuracy import columns, origins, ranks, schedule, scores, series, table


@pytest.mark.parametrize(
    "module", [columns, naive, origins, ranks, schedule, scores, series, table], ids=lambda one: one.__name__
)
def test_examples(module: ModuleType) -> None:
    outcome = doctest.testmod(module)
    assert outcome.attempted > 0
    assert outcome.failed == 0
