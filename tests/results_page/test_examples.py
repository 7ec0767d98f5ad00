"""The examples in the page's generator, which is no part of the package and so not looked into by itself."""

import doctest

import pytest

from results_page import beside, markdown, page, reproduced


@pytest.mark.parametrize(
    "module", [beside, markdown, page, reproduced], ids=lambda module: str(module.__name__)
)
def test_examples_run(module: object) -> None:
    result = doctest.testmod(module)  # type: ignore[arg-type]
    assert result.attempted > 0
    assert result.failed == 0
