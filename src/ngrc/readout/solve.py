"""One penalty's coefficients, effective dimension and inverse root, checked for lost digits."""

from dataclasses import dataclass

import numpy as np
from scipy.linalg import rq
from scipy.linalg.lapack import dpotrf, dpotrs, dtrtri

from ngrc._types import FloatArray
from ngrc.features.rows import Rows
from ngrc.readout.fitted import Solver
from ngrc.readout.gram import Gram
from ngrc.readout.orthogonal import design_spectrum
from ngrc.readout.refine import TOLERANCE, hopeless, needs_refinement, refine


@dataclass(frozen=True, slots=True)
class Solution:
    """Ridge on the standardised columns, intercept aside.

    Parameters
    ----------
    weights
        Coefficients, shape (p - 1,).
    dimension
        Effective dimension of these columns.
    root
        Upper triangular W with W W' = (C + lambda I)^+, shape (p - 1, p - 1).
    solver
        Which decomposition they come from.
    """

    weights: FloatArray
    dimension: float
    root: FloatArray
    solver: Solver


def solve(rows: Rows, gram: Gram, penalty: float) -> Solution:
    """Solve from the moments, or from the design where the moments cannot be trusted."""
    if np.isinf(penalty):
        width = gram.means.size
        return Solution(np.zeros(width), 0.0, np.zeros((width, width)), "gram")
    return solve_gram(rows, gram, penalty) or solve_design(rows, gram, penalty)


def solve_gram(rows: Rows, gram: Gram, penalty: float) -> Solution | None:
    """Cholesky of C + lambda I, refined where needed; None where refinement does not settle."""
    if hopeless(gram, penalty):
        return None
    shifted = gram.matrix.copy()
    shifted.flat[:: shifted.shape[0] + 1] += penalty
    # The transpose of a symmetric matrix is itself, and already in the order that LAPACK wants. Its routines are called
    # by name: scipy's wrappers around them take as long as they do at a hundred columns.
    factor, failed = dpotrf(shifted.T, lower=1, overwrite_a=1)
    if failed:
        return None

    def inverse_times(right: FloatArray) -> FloatArray:
        return np.asarray(dpotrs(factor, right, lower=1)[0])

    weights = inverse_times(gram.cross)
    if needs_refinement(gram, weights, penalty):
        refined, changes = refine(rows, gram, weights[:, None], np.array([penalty]), inverse_times)
        if not changes[0] <= TOLERANCE:  # a NaN is not settled either
            return None
        weights = refined[:, 0]
    inverse, _ = dtrtri(factor, lower=1, overwrite_c=1)
    # tr C (C + lambda I)^-1 = p - lambda tr (C + lambda I)^-1, the last trace being the squared norm of L^-1.
    dimension = gram.means.size - penalty * float(np.vdot(inverse, inverse))
    return Solution(weights, dimension, inverse.T, "gram")


def solve_design(rows: Rows, gram: Gram, penalty: float) -> Solution:
    """Singular values of the design itself."""
    spectrum = design_spectrum(rows, gram)
    weights = spectrum.path(np.array([penalty]))[:, 0]
    # W W' is all that counts, so that the triangle of W = RQ stands in for W, as from a Cholesky factor.
    root = np.asarray(rq(spectrum.root(penalty), mode="r", check_finite=False), dtype=np.float64)
    return Solution(weights, spectrum.effective_dimension(penalty), root, "svd")
