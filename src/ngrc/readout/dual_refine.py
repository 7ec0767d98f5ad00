"""Digits that the kernel matrix lost, won back from blocks of columns."""

import numpy as np

from ngrc._types import FloatArray
from ngrc.readout.dual_columns import Columns
from ngrc.readout.dual_frame import Frame
from ngrc.readout.dual_spectrum import DualSpectrum
from ngrc.readout.refine import OUTSIDE, ROUNDS, TOLERANCE


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
        shift = spectrum.solve(frame.forecasts(gradient), penalties) / frame.count
        step = (gradient - frame.transposed(shift)) / penalties
        weights, before = weights + step, fitted
        fitted = frame.forecasts(weights)
        inside = np.sqrt(np.mean(np.square(fitted - before), axis=0))
        changes = inside + OUTSIDE * np.linalg.norm(step, axis=0)
        if np.all(changes <= TOLERANCE):
            break
    return weights, changes


def refined_leverage(frame: Frame, spectrum: DualSpectrum, new: Columns, penalty: float) -> FloatArray:
    """z'A^-1 z with A = Z'Z + n lambda I of new rows, shape (m,), free of the kernel's rounding.

    With u near A^-1 z, z'A^-1 z = 2 z'u - u'Au + (u - A^-1 z)'A(u - A^-1 z): the first two terms have the square of
    u's own error. u = (z - Z'(K + n lambda I)^-1 Zz) / (n lambda) and its products come in blocks of columns.
    """
    scale = frame.count * penalty
    kernel = frame.cross(new).kernel
    shift = spectrum.solve(kernel, np.full(new.count, penalty)) / frame.count
    image, straight, squared = np.zeros_like(kernel), np.zeros(new.count), np.zeros(new.count)
    for mine, theirs in frame.pairs(new):
        direction = (theirs - shift.T @ mine) / scale
        image += mine @ direction.T
        straight += np.einsum("ij,ij->i", theirs, direction)
        squared += np.einsum("ij,ij->i", direction, direction)
    return np.asarray(2.0 * straight - np.einsum("ij,ij->j", image, image) - scale * squared)
