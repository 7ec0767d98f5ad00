"""Mean ranks over cases, and the difference that two of them need to differ (Demsar 2006, JMLR 7, section 3.2)."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from accuracy.table import Case

CONFIDENCE = 0.95
FEWEST_METHODS, FEWEST_CASES = 3, 2
"""What Friedman's test needs."""


@dataclass(frozen=True, slots=True)
class Ranking:
    """Mean rank per method, the best first, over `cases`; `critical` is Nemenyi's difference at 95 %."""

    methods: tuple[str, ...]
    ranks: tuple[float, ...]
    cases: int
    critical: float
    friedman: float
    """Friedman's p-value: how likely ranks so far apart would be if all methods were equal."""

    def together(self) -> list[tuple[int, int]]:
        """Longest runs of methods, first to last, whose ranks differ by less than the critical difference."""
        runs: list[tuple[int, int]] = []
        for first in range(len(self.ranks)):
            last = max(
                k for k in range(first, len(self.ranks)) if self.ranks[k] - self.ranks[first] < self.critical
            )
            if last > first and (not runs or last > runs[-1][1]):
                runs.append((first, last))
        return runs


def shared_cases(table: Mapping[str, Mapping[Case, float]]) -> list[Case]:
    """Cases that all methods have."""
    first = next(iter(table.values()), {})
    return [case for case in first if all(case in cases for cases in table.values())]


def rankable(table: Mapping[str, Mapping[Case, float]]) -> bool:
    """Whether there are methods and shared cases enough."""
    return len(table) >= FEWEST_METHODS and len(shared_cases(table)) >= FEWEST_CASES


def ranking(table: Mapping[str, Mapping[Case, float]]) -> Ranking:
    """Rank the methods in each case that all of them have; ties share their mean rank.

    Examples
    --------
    >>> cases = [(str(k), 1, "all") for k in range(20)]
    >>> found = ranking({name: dict.fromkeys(cases, error) for name, error in (("a", 1.0), ("b", 2.0), ("c", 2.0))})
    >>> found.methods, found.ranks
    (('a', 'b', 'c'), (1.0, 2.5, 2.5))
    """
    from scipy.stats import friedmanchisquare, rankdata

    if not rankable(table):
        raise ValueError(
            f"a ranking needs {FEWEST_METHODS} methods and {FEWEST_CASES} cases that all of them have; run more"
        )
    methods, cases = tuple(table), shared_cases(table)
    errors = np.array([[table[name][case] for name in methods] for case in cases])
    means = np.asarray(rankdata(errors, axis=1)).mean(axis=0)
    order = np.argsort(means, kind="stable")
    return Ranking(
        tuple(methods[k] for k in order),
        tuple(float(means[k]) for k in order),
        len(cases),
        critical_difference(len(methods), len(cases)),
        float(friedmanchisquare(*errors.T).pvalue),
    )


def critical_difference(methods: int, cases: int, confidence: float = CONFIDENCE) -> float:
    """Nemenyi's q sqrt(k (k + 1) / (6 N)), q the studentised range's quantile over the square root of two.

    Examples
    --------
    >>> round(critical_difference(4, 14), 2)
    1.25
    """
    from scipy.stats import studentized_range

    quantile = float(studentized_range.ppf(confidence, methods, np.inf)) / np.sqrt(2.0)
    return float(quantile * np.sqrt(methods * (methods + 1) / (6.0 * cases)))
