"""Digits that the kernel matrix lost, won back from blocks of columns."""

from collections.abc import Iterator

import numpy as np

from ngrc._types import FloatArray
from ngrc.readout.dual_columns import Columns
from ngrc.readout.dual_frame import Frame
from ngrc.readout.dual_spectrum import DualSpectrum
from ngrc.readout.refine import OUTSIDE, ROUNDS, TOLERANCE

# Numbers in one array of all columns of some rows: 64 MB, of which four or five are alive at once.
COLUMNS = 1 << 23
# A leverage that a round moves by less has its eighth digit.
SETTLED = 1e-9


def frame_triangle(frame: Frame) -> FloatArray:
    """Triangle of a QR decomposition of Z' in blocks of columns, shape (at most n, n): ZZ' = T'T is never formed."""
    triangle = np.empty((0, frame.count))
    # Every block's QR also redoes the triangle: with twice its columns that costs half as much again.
    for block in frame.blocks(size=max(512, 2 * frame.count)):
        triangle = np.asarray(np.linalg.qr(np.vstack((triangle, block.T)), mode="r"))
    return triangle


def refine_weights(
    frame: Frame, spectrum: DualSpectrum, response: FloatArray, weights: FloatArray, penalties: FloatArray
) -> tuple[FloatArray, FloatArray]:
    """Improve approximate weights of columns until their forecasts stand still.

    The gradient g = Z'(y - Zw)/n - lambda w is formed from the columns, and the step (Z'Z/n + lambda I)^-1 g is
    (g - Z'(K/n + lambda I)^-1 Zg / n) / lambda by Woodbury's identity: four passes over the columns each round.

    Parameters
    ----------
    frame, spectrum
        Fit rows, and a decomposition of their kernel matrix.
    response
        Target, centred where the columns are, shape (n,).
    weights
        Shape (width, m).
    penalties
        Shape (m,), finite and above zero.

    Returns
    -------
    weights, changes
        Refined weights, and by how much the last round moved forecasts, shape (m,), as in `readout.refine`.
    """
    fitted, changes = frame.forecasts(weights), np.full(penalties.size, np.inf)
    for _ in range(ROUNDS):
        gradient = frame.transposed(response[:, None] - fitted) / frame.count - penalties * weights
        step = column_step(frame, spectrum, gradient, penalties)
        weights, before = weights + step, fitted
        fitted = frame.forecasts(weights)
        inside = np.sqrt(np.mean(np.square(fitted - before), axis=0))
        changes = inside + OUTSIDE * np.linalg.norm(step, axis=0)
        if np.all(changes <= TOLERANCE):
            break
    return weights, changes


def column_step(
    frame: Frame, spectrum: DualSpectrum, gradient: FloatArray, penalties: FloatArray
) -> FloatArray:
    """(Z'Z/n + lambda I)^-1 of every column of `gradient`, shape (width, m), up to the decomposition's rounding."""
    shift = spectrum.solve(frame.forecasts(gradient), penalties) / frame.count
    return (gradient - frame.transposed(shift)) / penalties


def refined_leverage(frame: Frame, spectrum: DualSpectrum, new: Columns, penalty: float) -> FloatArray:
    """z'A^-1 z with A = Z'Z + n lambda I of new rows, shape (m,), free of the kernel's rounding.

    With u near A^-1 z, z'A^-1 z = 2 z'u - u'Au + (u - A^-1 z)'A(u - A^-1 z): the first two terms have the square of
    u's own error, which every round shrinks by the share of rounding in lambda.
    """
    parts = [
        frame_leverage(frame, spectrum, part, penalty)
        for part in row_parts(new, COLUMNS // max(1, frame.width))
    ]
    return np.concatenate(parts)


def frame_leverage(frame: Frame, spectrum: DualSpectrum, new: Columns, penalty: float) -> FloatArray:
    """`refined_leverage` of so few rows that several arrays of all their columns can be held."""
    z = np.concatenate([block.T for block in frame.blocks(new)])
    penalties = np.full(new.count, penalty)
    gradient, weights, leverages = z / frame.count, np.zeros_like(z), np.zeros(new.count)
    for _ in range(ROUNDS):
        weights += column_step(frame, spectrum, gradient, penalties)
        gradient = (z - frame.transposed(frame.forecasts(weights))) / frame.count - penalty * weights
        before = leverages
        leverages = np.einsum("ij,ij->j", z + frame.count * gradient, weights)
        if np.all(np.abs(leverages - before) <= SETTLED * leverages):
            break
    return leverages


def row_parts(columns: Columns, size: int) -> Iterator[Columns]:
    """Consecutive rows, at most `size` at once and at least one."""
    for start in range(0, columns.count, max(1, size)):
        yield columns.part(start, min(start + max(1, size), columns.count))
