"""Whole paths drawn from the marginals of the steps and the ranks of past residual paths.

Errors of neighbouring steps go together, and how is in the past: the residuals of all steps from one origin. Of such a
path only the rank within each step is kept, and each rank becomes the quantile of that rank in the step's predictive
law, so that the steps are as uncertain as their intervals say and go together as they did (the Schaake shuffle; Clark
and others 2004, doi:10.1175/1525-7541(2004)005<0243:TSSAMF>2.0.CO;2).

Student's interval is the exception: its factor pays for a scale that few residuals tell, which is one error of all
paths and no property of any. With it in every step's law, paths would spread by a multiple of the past ones.
"""

import numpy as np

from ngrc._normal import gaussian_quantiles
from ngrc._types import FloatArray

LEAST_RANK = 2.0**-54
"""Half the least difference of two numbers that the generator draws."""


def drawn_ranks(residuals: FloatArray, count: int, rng: np.random.Generator) -> FloatArray:
    """Ranks in (0, 1) of `count` past paths, drawn with replacement, within each step.

    A path of rank r among m stands for the probabilities from (r - 1) / m to r / m, of which one is drawn for all its
    steps: every step's ranks are uniform, and steps that rose together still do.

    Parameters
    ----------
    residuals
        One past path per row, shape (m, steps).
    count
        How many to draw.
    rng
        Source of randomness.

    Examples
    --------
    >>> drawn_ranks(np.array([[3.0, -1.0]]), 2, np.random.default_rng(0)).round(2).tolist()
    [[0.04, 0.04], [0.02, 0.02]]
    """
    paths, steps = residuals.shape
    # Equal residuals (power at night) are ranked at random, or the order of the origins would show as dependence.
    ties = rng.random(residuals.shape)
    ranks = np.empty(residuals.shape)
    for step in range(steps):
        order = np.lexsort((ties[:, step], residuals[:, step]))
        ranks[order, step] = np.arange(paths)
    chosen = rng.integers(paths, size=count)
    # A draw of exactly zero would be the end of an endless law.
    return np.asarray(np.maximum((ranks[chosen] + rng.random((count, 1))) / paths, LEAST_RANK))


def through_scales(ranks: FloatArray, residuals: FloatArray) -> FloatArray:
    """Values of normal laws around zero at the given ranks, each step's scale that of its past residuals.

    Parameters
    ----------
    ranks
        Probabilities in (0, 1), shape (count, steps).
    residuals
        One past path per row, shape (m, steps).

    Examples
    --------
    >>> through_scales(np.array([[0.5, 0.975]]), np.array([[1.0, 3.0], [-1.0, -3.0]])).round(2).tolist()
    [[0.0, 5.88]]
    """
    return np.asarray(gaussian_quantiles(ranks) * np.sqrt(np.mean(residuals**2, axis=0)))


def through_quantiles(ranks: FloatArray, probabilities: FloatArray, values: FloatArray) -> FloatArray:
    """Values of one step at the given ranks, between and beyond quantiles that are known.

    Linear in the normal score of the probability, also beyond the outermost quantiles: for a normal law this is
    exact, and a tail that nobody has seen is that of a normal law with the last slope.

    Parameters
    ----------
    ranks
        Probabilities in (0, 1).
    probabilities, values
        Rising probabilities, two at least, and the quantiles there, never falling; infinite ones are left out.

    Examples
    --------
    >>> through_quantiles(np.array([0.5, 0.9]), np.array([0.1, 0.5, 0.9]), np.array([-1.0, 0.0, 1.0])).tolist()
    [0.0, 1.0]
    """
    known = np.isfinite(values)
    if known.sum() < 2:
        raise ValueError(
            f"samples need two finite quantiles per step, got {known.sum()}; there are too few past residuals"
        )
    scores, heights = gaussian_quantiles(probabilities[known]), values[known]
    wanted = gaussian_quantiles(ranks)
    drawn = np.interp(wanted, scores, heights)
    for beyond, (inner, outer) in (
        (wanted < scores[0], (1, 0)),
        (wanted > scores[-1], (-2, -1)),
    ):
        slope = (heights[outer] - heights[inner]) / (scores[outer] - scores[inner])
        drawn = np.where(beyond, heights[outer] + slope * (wanted - scores[outer]), drawn)
    return np.asarray(drawn)
