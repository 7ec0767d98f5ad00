"""Ridge weights of many candidates and penalties from moments."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ngrc._kernels.models import ridge_weights
from ngrc._types import FloatArray, IntArray


@dataclass(frozen=True, slots=True)
class FoldMoments:
    """Moments of p columns by fold.

    Parameters
    ----------
    means, scales
        Shape (folds, p). A scale is the standard deviation times the root of the column's penalty weight.
    matrices
        Covariances of the columns divided by their scales, shape (folds, p, p).
    """

    means: FloatArray
    scales: FloatArray
    matrices: FloatArray


@dataclass(frozen=True, slots=True)
class Chain:
    """Candidates whose sets of columns are nested: one factor of the largest serves all of them.

    Parameters
    ----------
    members
        Numbers of the candidates, from the fewest columns to the most.
    sizes
        By candidate, how many of `places` it has: the first ones.
    places
        Of the columns, shape (p,).
    """

    members: tuple[int, ...]
    sizes: IntArray
    places: IntArray


def nested_chains(columns: Sequence[IntArray]) -> list[Chain]:
    """Candidates, given by the places of their columns, in chains of nested sets.

    Examples
    --------
    >>> chains = nested_chains([np.array([0, 1, 2, 5]), np.array([1]), np.array([1, 2]), np.array([3])])
    >>> [(chain.members, chain.sizes.tolist(), chain.places.tolist()) for chain in chains]
    [((1, 2, 0), [1, 2, 4], [1, 2, 0, 5]), ((3,), [1], [3])]
    """
    sets = [frozenset(places.tolist()) for places in columns]
    found: list[list[int]] = []
    for number in sorted(range(len(sets)), key=lambda number: len(sets[number])):
        fitting = [chain for chain in found if sets[chain[-1]] <= sets[number]]
        if fitting:
            max(fitting, key=lambda chain: len(sets[chain[-1]])).append(number)
        else:
            found.append([number])
    return [_chain(members, columns) for members in found]


def _chain(members: Sequence[int], columns: Sequence[IntArray]) -> Chain:
    places = columns[members[0]]
    for number in members[1:]:
        places = np.concatenate((places, np.setdiff1d(columns[number], places, assume_unique=True)))
    return Chain(tuple(members), np.array([columns[number].size for number in members]), places)


def ridge_paths(
    moments: FoldMoments, sizes: IntArray, cross: FloatArray, penalties: FloatArray
) -> FloatArray:
    """Weights of the raw columns, shape (folds, candidates, p, m) of m penalties on the scaled columns.

    Parameters
    ----------
    moments
        Of the p columns of a chain.
    sizes
        How many of these columns each candidate has, the first ones; its other weights are zero.
    cross
        Cross covariances of the scaled columns with each candidate's target, shape (folds, candidates, p).
    penalties
        Shape (m,); an infinite one leaves no weight. Weights are NaN where a penalty is below the rounding of the
        moments: no candidate may win by noise.
    """
    finite = np.isfinite(penalties)
    weights = np.zeros((*cross.shape, penalties.size))
    if finite.any() and cross.shape[2]:
        weights[..., finite] = ridge_weights(moments.matrices, sizes, cross, penalties[finite])
    weights /= moments.scales[:, None, :, None]
    return weights
