"""What the penalty acts on: the fit rows' columns, centred and scaled or as they are, and their kernel matrix."""

from collections.abc import Iterator
from dataclasses import dataclass, field

import numpy as np

from ngrc._types import FloatArray
from ngrc.features.scaling import column_scales
from ngrc.readout.convention import Convention
from ngrc.readout.dual_columns import Columns

# Numbers in one block of columns: 32 MB, of which two or three are alive at once, and wide enough for BLAS.
BLOCK = 1 << 22


def block_width(rows: int) -> int:
    """Columns per block of so many rows; at 64 a matrix product still runs at two thirds of full speed."""
    return max(64, BLOCK // max(1, rows))


@dataclass(frozen=True, slots=True)
class Cross:
    """Inner products between m new rows and the n fit rows, as the penalty sees them.

    Parameters
    ----------
    kernel
        Shape (n, m).
    squares
        Each new row's inner product with itself, shape (m,).
    """

    kernel: FloatArray
    squares: FloatArray


@dataclass(frozen=True, slots=True)
class Frame:
    """Fit rows under a convention; Z are their columns as the penalty sees them.

    Parameters
    ----------
    columns
        Raw columns of the fit rows.
    convention
        How they become Z.
    means, scales
        Z = (columns - means) / scales, shape (width,), of standardised columns; empty for raw ones.
    row_means
        For raw columns, the mean of each row of the raw kernel matrix, shape (n,); else empty.
    """

    columns: Columns
    convention: Convention
    means: FloatArray = field(repr=False)
    scales: FloatArray = field(repr=False)
    row_means: FloatArray = field(repr=False)

    @property
    def count(self) -> int:
        """Number of fit rows n."""
        return self.columns.count

    @property
    def width(self) -> int:
        """Number of columns p - 1."""
        return self.columns.width

    def blocks(self, new: Columns | None = None, size: int | None = None) -> Iterator[FloatArray]:
        """Z of new rows, or of the fit rows themselves, in blocks of columns."""
        rows = self.columns if new is None else new
        size = block_width(max(self.count, rows.count)) if size is None else size
        if self.convention.columns == "standardised":
            stop = 0
            for block in rows.blocks(size):
                start, stop = stop, stop + block.shape[1]
                yield (block - self.means[start:stop]) / self.scales[start:stop]
        elif self.convention.centred:
            for mine, block in zip(self.columns.blocks(size), rows.blocks(size), strict=True):
                yield block - mine.mean(axis=0)
        else:
            yield from rows.blocks(size)

    def pairs(self, new: Columns) -> Iterator[tuple[FloatArray, FloatArray]]:
        """Z of the fit rows and of new rows, the same columns of both at once."""
        size = block_width(max(self.count, new.count))
        return zip(self.blocks(size=size), self.blocks(new, size), strict=True)

    def forecasts(self, weights: FloatArray, new: Columns | None = None) -> FloatArray:
        """Z w of new rows, or of the fit rows, shape (rows, m) from weights of shape (width, m)."""
        rows = self.columns if new is None else new
        total, stop = np.zeros((rows.count, weights.shape[1])), 0
        for block in self.blocks(new):
            start, stop = stop, stop + block.shape[1]
            total += block @ weights[start:stop]
        return total

    def transposed(self, right: FloatArray) -> FloatArray:
        """Z' times `right`, shape (width, m) from (n, m)."""
        parts = [block.T @ right for block in self.blocks()]
        return np.concatenate(parts) if parts else np.zeros((0, right.shape[1]))

    def cross(self, new: Columns) -> Cross:
        """Inner products of new rows with the fit rows, and with themselves."""
        if self.convention.columns == "standardised":
            kernel, squares = np.zeros((self.count, new.count)), np.zeros(new.count)
            for mine, theirs in self.pairs(new):
                kernel += mine @ theirs.T
                squares += np.einsum("ij,ij->i", theirs, theirs)
            return Cross(kernel, squares)
        kernel, squares = self.columns.kernel(new), new.squares()
        if not self.convention.centred:
            return Cross(kernel, squares)
        # With m the mean of the fit rows: (r_i - m)'(r - m) = r_i'r - m'r - r_i'm + m'm.
        shift, grand = kernel.mean(axis=0), float(self.row_means.mean())
        centred = kernel - shift - self.row_means[:, None] + grand
        return Cross(centred, np.maximum(squares - 2.0 * shift + grand, 0.0))


def standardised_frame(columns: Columns, convention: Convention) -> tuple[Frame, FloatArray, float]:
    """Frame of standardised columns, its kernel matrix ZZ' and that matrix's size, in one pass over the columns."""
    means, scales = np.empty(columns.width), np.empty(columns.width)
    kernel = np.zeros((columns.count, columns.count))
    stop = 0
    for block in columns.blocks(block_width(columns.count)):
        start, stop = stop, stop + block.shape[1]
        here = slice(start, stop)
        # Without an intercept nothing is centred, and a column's scale is its root mean square.
        means[here] = block.mean(axis=0) if convention.centred else 0.0
        scaled = block - means[here]
        scales[here] = column_scales(means[here], np.mean(np.square(scaled), axis=0))
        scaled /= scales[here]
        kernel += scaled @ scaled.T
    frame = Frame(columns, convention, means, scales, np.empty(0))
    return frame, kernel, float(np.linalg.norm(kernel))


def raw_frame(columns: Columns, convention: Convention) -> tuple[Frame, FloatArray, float]:
    """Frame of raw columns, its kernel matrix and the size of that matrix before anything was taken off it."""
    kernel = columns.kernel(columns)
    size = float(np.linalg.norm(kernel))
    row_means = np.empty(0)
    if convention.centred:
        row_means = kernel.mean(axis=0)
        kernel += float(row_means.mean()) - row_means - row_means[:, None]
    return Frame(columns, convention, np.empty(0), np.empty(0), row_means), kernel, size
