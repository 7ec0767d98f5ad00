"""Ridge regression on any explicit design, columns as they are: the theory's convention."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from ngrc._types import FloatArray
from ngrc.readout.spectrum import check_penalty

# Squaring the design doubles its condition; above this share of the largest eigenvalue a penalty hides that.
SAFE_PENALTY = 1e-6


@dataclass(frozen=True, slots=True)
class RidgeSolution:
    """Ridge regression (R'R/n + lambda D)^-1 R'y/n on an explicit design.

    Parameters
    ----------
    penalty
        lambda.
    coefficients
        Shape (p,).
    effective_dimension
        tr S (S + lambda D)^-1 with S = R'R/n.
    solver
        "gram" or "svd", whichever decomposition was needed.
    decomposition
        The design's decomposition, shared by all penalties of a path.
    """

    penalty: float
    coefficients: FloatArray
    effective_dimension: float
    solver: Literal["gram", "svd"]
    decomposition: "Decomposition"

    def leverage(self, rows: FloatArray) -> FloatArray:
        """Return r'(R'R + n lambda D)^-1 r of every row of `rows`, shape (m, p) to (m,).

        At lambda = 0 the pseudo-inverse stands for the inverse.
        """
        return self.decomposition.leverage(rows, self.penalty)


@dataclass(frozen=True, slots=True)
class Decomposition:
    """Right singular basis V and S's eigenvalues of the penalised columns, the free column projected out.

    `slopes` are the free column's regression on the others, `free_square` its squared norm; both are
    None when every column is penalised.
    """

    count: int
    values: FloatArray
    basis: FloatArray
    slopes: FloatArray | None
    free_square: float | None
    solver: Literal["gram", "svd"]

    def inverse(self, penalty: float) -> FloatArray:
        """1 / (eigenvalue + penalty), zero where both vanish."""
        shifted = self.values + penalty
        return np.divide(1.0, shifted, out=np.zeros_like(shifted), where=shifted > 0)

    def leverage(self, rows: FloatArray, penalty: float) -> FloatArray:
        """See `RidgeSolution.leverage`."""
        total = np.zeros(rows.shape[0])
        if self.slopes is not None and self.free_square is not None:
            total = self.count * rows[:, 0] ** 2 / self.free_square
            rows = rows[:, 1:] - np.outer(rows[:, 0], self.slopes)
        inside = rows @ self.basis
        total = total + inside**2 @ self.inverse(penalty)
        if penalty > 0:
            total += np.square(rows - inside @ self.basis.T).sum(axis=1) / penalty
        return np.asarray(total / self.count)


def ridge_solve(
    design: FloatArray, target: FloatArray, penalty: float, *, penalise_intercept: bool = True
) -> RidgeSolution:
    """Ridge on the columns as they are.

    Parameters
    ----------
    design
        R, shape (n, p); any n and p, any rank.
    target
        y, shape (n,).
    penalty
        lambda >= 0; at 0 the solution of least norm.
    penalise_intercept
        True: D is the identity. False: the first column goes free, D = diag(0, 1, ..., 1).

    Examples
    --------
    >>> design = np.array([[1.0, 0.0], [1.0, 1.0], [1.0, 2.0]])
    >>> ridge_solve(design, np.array([1.0, 2.0, 3.0]), 0.0).coefficients.round(9)
    array([1., 1.])
    """
    return ridge_path(design, target, (penalty,), penalise_intercept=penalise_intercept)[0]


def ridge_path(
    design: FloatArray, target: FloatArray, penalties: Sequence[float], *, penalise_intercept: bool = True
) -> tuple[RidgeSolution, ...]:
    """Solutions of `ridge_solve` for several penalties from one decomposition.

    Examples
    --------
    >>> solutions = ridge_path(np.eye(2), np.array([2.0, 4.0]), (0.5, 1.5))
    >>> [solution.coefficients.tolist() for solution in solutions]
    [[1.0, 2.0], [0.5, 1.0]]
    """
    penalties = [check_penalty(penalty) for penalty in penalties]
    design, target = np.asarray(design, dtype=np.float64), np.asarray(target, dtype=np.float64)
    if design.ndim != 2 or target.shape != design.shape[:1] or not design.size:
        raise ValueError(f"design must be (n, p) and target (n,), got {design.shape} and {target.shape}")
    if not (np.isfinite(design).all() and np.isfinite(target).all()):
        raise ValueError("design and target must be finite, got NaN or infinite values; drop those rows")
    free = None if penalise_intercept else design[:, 0]
    columns, response, slopes = _project(design, target, free)
    decomposition, projection = _decompose(columns, response, min(penalties), free, slopes)
    solutions = []
    for penalty in penalties:
        inverse = decomposition.inverse(penalty)
        coefficients = decomposition.basis @ (inverse * projection)
        dimension = float(decomposition.values @ inverse)
        if free is not None:
            first = free @ (target - design[:, 1:] @ coefficients) / (free @ free)
            coefficients, dimension = np.concatenate(((first,), coefficients)), dimension + 1.0
        solutions.append(RidgeSolution(penalty, coefficients, dimension, decomposition.solver, decomposition))
    return tuple(solutions)


def _project(
    design: FloatArray, target: FloatArray, free: FloatArray | None
) -> tuple[FloatArray, FloatArray, FloatArray | None]:
    """Remove the free column from the others and from the target."""
    if free is None:
        return design, target, None
    square = float(free @ free)
    if square == 0.0:
        raise ValueError("the free first column must not be all zero; penalise it or drop it")
    slopes = free @ design[:, 1:] / square
    return design[:, 1:] - np.outer(free, slopes), target - free * (free @ target / square), slopes


def _decompose(
    columns: FloatArray,
    response: FloatArray,
    smallest_penalty: float,
    free: FloatArray | None,
    slopes: FloatArray | None,
) -> tuple[Decomposition, FloatArray]:
    """Eigenvalues and basis from the smaller Gram matrix, or from the SVD where squaring would spoil them."""
    count, width = columns.shape
    floor = max(columns.shape) * np.finfo(np.float64).eps
    solver: Literal["gram", "svd"] = "svd"
    if smallest_penalty > SAFE_PENALTY * np.square(columns).sum() / count:
        solver = "gram"
        tall = count >= width
        moment = columns.T @ columns if tall else columns @ columns.T
        squares, vectors = np.linalg.eigh(moment)
        kept = squares > floor * squares[-1]
        squares, vectors = squares[kept], vectors[:, kept]
        basis = vectors if tall else columns.T @ (vectors / np.sqrt(squares))
    else:
        _, singular, transposed = np.linalg.svd(columns, full_matrices=False)
        kept = singular > floor * singular[0] if singular.size else np.zeros(0, dtype=bool)
        squares, basis = singular[kept] ** 2, transposed[kept].T
    free_square = None if free is None else float(free @ free)
    decomposition = Decomposition(count, squares / count, basis, slopes, free_square, solver)
    return decomposition, basis.T @ (columns.T @ response) / count
