"""Weights of the best few: no less than zero, one in all, by the errors that they share."""

from collections.abc import Sequence
from itertools import pairwise

import numpy as np
from scipy.optimize import nnls

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
    root = np.linalg.cholesky(shrunk).T
    # The sum is held to one by a row that outweighs all others.
    heavy = 1e4 * np.sqrt(float(np.trace(shrunk)))
    found, _ = nnls(np.vstack((root, np.full((1, many), heavy))), np.append(np.zeros(many), heavy))
    found[found < LEAST * found.sum()] = 0.0
    return np.asarray(found / found.sum())
