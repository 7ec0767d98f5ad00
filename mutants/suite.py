"""The test-suite over a planted error: its own tests first, then all of them."""

import json
from collections.abc import Iterable

from mutants.errors import SetupError
from mutants.planted import Planted
from mutants.tree import Tree

# A test file takes seconds, some take minutes on a busy machine; the whole suite, on one processor, some minutes.
NAMED_SECONDS, WHOLE_SECONDS = 1200.0, 3600.0
TIMEOUT = "no end in sight"
OPTIONS = ("-x", "-q", "--tb=no", "-p", "no:cacheprovider")
PASSED, FAILED, INTERRUPTED = 0, 1, 2
"""Exit codes of pytest; the last is that of a file which cannot be collected. Others are no answer."""


def caught_by_tests(tree: Tree, error: Planted) -> str:
    """The test that notices the error in the tree, empty where none does."""
    first = _first_failure(tree, error.tests, NAMED_SECONDS)
    return first or _first_failure(tree, (), WHOLE_SECONDS)


def check_control(tree: Tree, tests: Iterable[str]) -> None:
    """Refuse to believe in tests that fail without any planted error."""
    wanted = sorted(set(tests))
    failed = _first_failure(tree, tuple(wanted), WHOLE_SECONDS) if wanted else ""
    if failed:
        raise SetupError(
            f"{failed} fails without a planted error, so that what it caught says nothing; mend it first"
        )


def _first_failure(tree: Tree, arguments: tuple[str, ...], seconds: float) -> str:
    ending = tree.run("pytest", *OPTIONS, *arguments, seconds=seconds)
    if ending.code is None:
        return TIMEOUT
    if ending.code == PASSED:
        return ""
    if ending.code not in (FAILED, INTERRUPTED):
        raise SetupError(
            f"pytest {' '.join(arguments)} ended with {ending.code}: {ending.output.strip()[-500:]}"
        )
    names = json.loads(ending.report.read_text(encoding="utf-8"))
    # A collector without a name is the session's: a file that cannot be read at all.
    return next((name for name in names if name), "collection")
