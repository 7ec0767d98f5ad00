"""One penalty's coefficients, checked for lost digits; effective dimension and inverse root where they are wanted."""

from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from scipy.linalg import rq
from scipy.linalg.lapack import dposv, dpotrs, dtrtri

from ngrc._types import BoolArray, FloatArray
from ngrc.features.rows import Rows
from ngrc.readout.fitted import Solver
from ngrc.readout.gram import Gram
from ngrc.readout.orthogonal import design_spectrum
from ngrc.readout.refine import TOLERANCE, hopeless, needs_refinement, refine
from ngrc.readout.spectrum import Spectrum


@dataclass(frozen=True, slots=True)
class Solution:
    """Ridge on the standardised columns, intercept aside.

    Parameters
    ----------
    weights
        Coefficients, shape (p - 1,).
    decomposition
        What they come from: the lower triangle L of C + lambda I = LL', above which stands anything, or the spectrum
        of the design; None at an infinite penalty, which leaves nothing.
    """

    weights: FloatArray
    decomposition: FloatArray | Spectrum | None

    @property
    def solver(self) -> Solver:
        """Which of the two it is."""
        return "svd" if isinstance(self.decomposition, Spectrum) else "gram"

    def root(self, penalty: float) -> FloatArray:
        """Upper triangular W with W W' = (C + lambda I)^+, shape (p - 1, p - 1)."""
        if self.decomposition is None:
            return np.zeros((self.weights.size, self.weights.size))
        if isinstance(self.decomposition, Spectrum):
            # W W' is all that counts, so that the triangle of W = RQ stands in for W, as from a Cholesky factor.
            return np.asarray(rq(self.decomposition.root(penalty), mode="r", check_finite=False), np.float64)
        inverse = dtrtri(self.decomposition, lower=1)[0]
        return np.asarray(inverse.T * _upper(self.weights.size))

    def dimension(self, penalty: float, root: FloatArray) -> float:
        """Effective dimension of these columns, tr C (C + lambda I)^-1."""
        if self.decomposition is None:
            return 0.0
        if isinstance(self.decomposition, Spectrum):
            return self.decomposition.effective_dimension(penalty)
        # p - lambda tr (C + lambda I)^-1, the last trace being the squared norm of the root.
        return self.weights.size - penalty * float(np.vdot(root.T, root.T))


# Few, as that of 4,000 columns is 16 MB. A mask takes longer to make than a hundred columns to multiply.
@lru_cache(maxsize=4)
def _upper(size: int) -> BoolArray:
    """Ones on and above the diagonal."""
    return np.triu(np.ones((size, size), dtype=bool))


def solve(rows: Rows, gram: Gram, penalty: float) -> Solution:
    """Solve from the moments, or from the design where the moments cannot be trusted."""
    if np.isinf(penalty):
        return Solution(np.zeros(gram.means.size), None)
    return solve_gram(rows, gram, penalty) or solve_design(rows, gram, penalty)


def solve_gram(rows: Rows, gram: Gram, penalty: float) -> Solution | None:
    """Cholesky of C + lambda I, refined where needed; None where refinement does not settle."""
    if hopeless(gram, penalty):
        return None
    shifted = gram.matrix.copy()
    shifted.reshape(-1)[:: shifted.shape[0] + 1] += penalty
    # The transpose of a symmetric matrix is itself, and already in the order that LAPACK wants. Its routines are called
    # by name: scipy's wrappers around them take as long as they do at a hundred columns.
    factor, weights, failed = dposv(shifted.T, gram.cross, lower=1, overwrite_a=1)
    if failed:
        return None

    def inverse_times(right: FloatArray) -> FloatArray:
        return np.asarray(dpotrs(factor, right, lower=1)[0])

    if needs_refinement(gram, weights, penalty):
        refined, changes = refine(rows, gram, weights[:, None], np.array([penalty]), inverse_times)
        if not changes[0] <= TOLERANCE:  # a NaN is not settled either
            return None
        weights = refined[:, 0]
    return Solution(weights, factor)


def solve_design(rows: Rows, gram: Gram, penalty: float) -> Solution:
    """Singular values of the design itself."""
    spectrum = design_spectrum(rows, gram)
    return Solution(spectrum.path(np.array([penalty]))[:, 0], spectrum)
