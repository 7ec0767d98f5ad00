"""One penalty's coefficients, checked for lost digits; effective dimension and inverse root where they are wanted."""

from dataclasses import dataclass

import numpy as np

from ngrc._kernels.models import cholesky_factor, cholesky_inverse, cholesky_solutions
from ngrc._types import FloatArray
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
        What they come from: the lower triangle L of C + lambda I = LL', or the spectrum of the design; None at an
        infinite penalty, which leaves nothing.
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
            # W W' is all that counts, so that the triangle of W = RQ stands in for W, as from a Cholesky factor. It is
            # that of a QR decomposition of W' with the rows of W in reverse order, reversed.
            reverse: FloatArray = np.linalg.qr(self.decomposition.root(penalty)[::-1].T).R
            return reverse[::-1, ::-1].T
        return cholesky_inverse(self.decomposition).T

    def dimension(self, penalty: float, root: FloatArray) -> float:
        """Effective dimension of these columns, tr C (C + lambda I)^-1."""
        if self.decomposition is None:
            return 0.0
        if isinstance(self.decomposition, Spectrum):
            return self.decomposition.effective_dimension(penalty)
        # p - lambda tr (C + lambda I)^-1, the last trace being the squared norm of the root.
        return self.weights.size - penalty * float(np.vdot(root.T, root.T))


def solve(rows: Rows, gram: Gram, penalty: float) -> Solution:
    """Solve from the moments, or from the design where the moments cannot be trusted."""
    if np.isinf(penalty):
        return Solution(np.zeros(gram.means.size), None)
    return solve_gram(rows, gram, penalty) or solve_design(rows, gram, penalty)


def solve_gram(rows: Rows, gram: Gram, penalty: float) -> Solution | None:
    """Cholesky of C + lambda I, refined where needed; None where refinement does not settle."""
    if hopeless(gram, penalty):
        return None
    factor = np.empty_like(gram.matrix)
    if not cholesky_factor(gram.matrix, penalty, factor):
        return None

    def inverse_times(right: FloatArray) -> FloatArray:
        return cholesky_solutions(factor, right)

    weights = inverse_times(gram.cross[:, None])[:, 0]
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
