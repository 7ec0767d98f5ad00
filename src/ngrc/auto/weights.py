"""Weights of the best few: no less than zero, one in all, by the errors that they share."""

from collections.abc import Sequence
from itertools import pairwise

import numpy as np

from ngrc._types import FloatArray
from ngrc.auto.trial import Arena, Trial

SHRINKAGE = 0.01
"""Share of the best squared error added to every member's own: it draws weights that differ by chance together."""
LEAST = 0.05
"""A member with less is left out: it would cost its columns and change nothing that anybody sees."""


def combine(trials: Sequence[Trial], arenas: Sequence[Arena]) -> FloatArray:
    """Weights of the trials, in their order."""
    products = np.zeros((len(trials), len(trials)))
    for place, arena in enumerate(arenas):
        errors = np.stack([trial.errors[place] for trial in trials], axis=1)
        # Two views, as in the score: every block by its own size, and all errors alike.
        reference = arena.reference
        sizes = np.repeat(np.sqrt(reference), _lengths(len(errors), arena.ledger.folds.blocks))
        for relative in (errors / sizes[:, None], errors / np.sqrt(reference.mean())):
            products += relative.T @ relative / len(errors)
    return simplex(products)


def _lengths(rows: int, blocks: int) -> list[int]:
    edges = [rows * block // blocks for block in range(blocks + 1)]
    return [end - begin for begin, end in pairwise(edges)]


def simplex(products: FloatArray) -> FloatArray:
    """Weights w >= 0 with sum one that minimise w'Pw, drawn towards equal ones.

    Examples
    --------
    >>> simplex(np.array([[1.0, 0.0], [0.0, 1.0]])).round(3)
    array([0.5, 0.5])
    >>> simplex(np.array([[1.0, 1.0], [1.0, 9.0]])).round(3)
    array([1., 0.])
    """
    many = len(products)
    own = np.diagonal(products)
    # Of the best member's error, so that one which is nearly exact keeps the others out.
    size = max(float(own.min()), 1e-12 * float(own.max()))
    if many == 1 or not size > 0.0:
        return np.asarray(np.eye(many)[int(own.argmin())])
    shrunk = products / size + SHRINKAGE * np.eye(many)
    # The minimum has its weights on one of the subsets of a few members: every subset is solved, P_SS w = 1.
    chosen = (np.arange(1, 2**many)[:, None] >> np.arange(many)) % 2 == 1
    both = chosen[:, :, None] & chosen[:, None, :]
    solved = np.linalg.solve(np.where(both, shrunk, np.eye(many)), chosen[:, :, None].astype(float))[:, :, 0]
    # Of weights in proportion to w >= 0 the error is one over their sum.
    found = max(solved, key=lambda weights: float(weights.sum()) if weights.min() >= 0.0 else 0.0)
    found[found < LEAST * found.sum()] = 0.0
    return np.asarray(found / found.sum())
