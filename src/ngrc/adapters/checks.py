"""The peers' own checks of the adapters, counted: `python -m ngrc.adapters.checks`.

sktime's checks need pytest, which is no part of an extra.
"""

import os
import sys
import warnings
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from ngrc._optional import load


@dataclass(frozen=True, slots=True)
class Count:
    """How the checks of one estimator went.

    Examples
    --------
    >>> print(Count("scikit-learn 1.9", "RidgeReadout()", 52, 0))
    scikit-learn 1.9  RidgeReadout(): 52 checks ran, 52 passed, 0 failed, 0 skipped
    """

    suite: str
    estimator: str
    ran: int
    skipped: int
    failures: tuple[str, ...] = ()

    def __str__(self) -> str:
        passed, failed = self.ran - len(self.failures), len(self.failures)
        line = (
            f"{self.suite}  {self.estimator}: {self.ran} checks ran, {passed} passed, {failed} failed, "
            f"{self.skipped} skipped"
        )
        return "\n".join([line, *(f"  FAILED {failure}" for failure in self.failures)])


def sktime_count(estimator: Any = None, only: Sequence[str] = (), exclude: Sequence[str] = ()) -> Count:
    """Count the `check_estimator` of sktime.

    Parameters
    ----------
    estimator
        One forecaster; None: the class at all its test parameters.
    only, exclude
        Names of checks: those that are run, all where none is named, and those that are left out.
    """
    suite = load("sktime.utils.estimator_checks", "sktime", "sktime's checks")
    from ngrc.adapters.sktime import NGRCForecaster

    checked = NGRCForecaster if estimator is None else estimator
    # sktime announces changes of its own at every construction.
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        found = suite.check_estimator(
            checked, tests_to_run=list(only) or None, tests_to_exclude=list(exclude) or None, verbose=False
        )
    failures = tuple(f"{name}: {_line(end)}" for name, end in found.items() if end != "PASSED")
    version = load("sktime", "sktime", "sktime's checks").__version__
    named = "NGRCForecaster" if estimator is None else " ".join(repr(estimator).split())
    return Count(f"sktime {version}", named, len(found), 0, failures)


def sklearn_count(estimator: Any) -> Count:
    """Count the `check_estimator` of scikit-learn, of one estimator; no failure is expected."""
    suite = load("sklearn.utils.estimator_checks", "sklearn", "scikit-learn's checks")
    found = suite.check_estimator(estimator, on_fail=None, on_skip=None)
    ran = [one for one in found if one["status"] != "skipped"]
    failures = tuple(
        f"{one['check_name']}: {_line(one['exception'])}" for one in ran if one["status"] != "passed"
    )
    version = load("sklearn", "sklearn", "scikit-learn's checks").__version__
    named = " ".join(repr(estimator).split())
    return Count(f"scikit-learn {version}", named, len(ran), len(found) - len(ran), failures)


def sklearn_estimators() -> tuple[Any, ...]:
    """The estimators that are checked: as they come, and away from every default that a check can stand."""
    from ngrc.adapters.sklearn import DelayFeatures, RidgeReadout

    return (
        DelayFeatures(),
        DelayFeatures(lags=(1,), degree=3, periods=(2,), seasonal=1, horizon=2, scale=(1.0, 2.0)),
        RidgeReadout(),
        RidgeReadout(ridge=0.1, intercept="penalised", columns="raw", horizon=2),
        RidgeReadout(ridges=(0.01, 1.0), intercept="none", solver="dual"),
    )


def _line(end: Any) -> str:
    """The first line of an error, with its class."""
    return f"{type(end).__name__}: {(str(end).strip().splitlines() or [''])[0]}"


def main(say: Callable[[Count], None] = print) -> int:
    """Run every check of both suites and print the counts; 1 where one failed."""
    counts = []
    for estimator in sklearn_estimators():
        counts.append(sklearn_count(estimator))
        say(counts[-1])
    counts.append(sktime_count())
    say(counts[-1])
    return int(any(count.failures for count in counts))


if __name__ == "__main__":
    # Read when SciPy is first imported: without it scikit-learn skips its checks of array namespaces.
    os.environ.setdefault("SCIPY_ARRAY_API", "1")
    sys.exit(main())
