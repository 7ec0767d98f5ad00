"""The design's own singular values, where its moments would lose too many digits."""

import numpy as np

from ngrc._types import FloatArray
from ngrc.features.rows import Rows
from ngrc.readout.gram import Gram
from ngrc.readout.spectrum import Regression


def design_spectrum(rows: Rows, gram: Gram) -> Regression:
    """Spectrum of Z'Z/n from a QR of Z in row blocks and an SVD of its triangle; Z'Z is never formed.

    Parameters
    ----------
    rows
        Rows of the raw design.
    gram
        Their moments, for the columns' means and scales.
    """
    return Regression.of_triangle(design_triangle(rows, gram), rows.count)


def design_triangle(rows: Rows, gram: Gram) -> FloatArray:
    """Triangular factor of the standardised columns with the centred target as the last one."""
    return standardised_triangle(rows, gram, (rows.target - gram.target_mean)[:, None])


def standardised_triangle(rows: Rows, gram: Gram, responses: FloatArray) -> FloatArray:
    """Triangular factor of the standardised columns with centred responses, shape (n, m), as the last ones."""
    width = gram.means.size
    triangle = np.empty((0, width + responses.shape[1]))
    # Every block's QR also redoes the triangle: with four times its rows that costs a quarter more. At few columns
    # the calls themselves count: blocks of 64 rows took seven times as long as blocks of 512.
    for block in rows.blocks(max(512, 4 * width)):
        columns = (block.design - gram.means) / gram.scales
        here = slice(block.first - rows.first, block.stop - rows.first)
        joined = np.hstack((columns, responses[here]))
        triangle = np.asarray(np.linalg.qr(np.vstack((triangle, joined)), mode="r"))
    return triangle
