"""The kernel of all unique products of coordinates, and no product ever made.

The products of degree m, each once and with weight one, have the inner product
sum over |a| = m of z^a z'^a = h_m(z_1 z'_1, ..., z_k z'_k), the complete homogeneous symmetric polynomial.
Newton's identities m h_m = P_1 h_(m-1) + ... + P_m h_0 give it from the power sums P_j = (z^j)(z'^j)':
d matrix products of k columns, whatever the number of monomials (Macdonald, Symmetric Functions, I.2).
"""

import numpy as np

from ngrc._types import FloatArray

# Numbers in one array of a block: the 2d arrays of a block then stay near the processor's last cache.
BLOCK = 1 << 19


def polynomial_kernel(left: FloatArray, right: FloatArray, low: int, high: int) -> FloatArray:
    """Inner products of all monomials of degrees `low` to `high` of two sets of rows.

    Parameters
    ----------
    left, right
        Coordinates, shapes (n, k) and (m, k).
    low, high
        Lowest and highest degree, 1 <= low; high < low makes no monomial.

    Returns
    -------
    FloatArray
        Shape (n, m).

    Examples
    --------
    >>> left, right = np.array([[2.0, 3.0]]), np.array([[1.0, 2.0]])
    >>> polynomial_kernel(left, right, 1, 2)  # 2 + 6, and 4 + 12 + 36
    array([[60.]])
    """
    kernel = np.zeros((left.shape[0], right.shape[0]))
    if high < low or left.shape[1] == 0:
        return kernel
    powers = column_powers(right, high)
    step = max(1, BLOCK // max(1, right.shape[0]))
    for start in range(0, left.shape[0], step):
        part = column_powers(left[start : start + step], high)
        sums = [mine @ theirs.T for mine, theirs in zip(part, powers, strict=True)]
        for degree, value in enumerate(homogeneous(sums), start=1):
            if degree >= low:
                kernel[start : start + step] += value
    return kernel


def polynomial_squares(rows: FloatArray, low: int, high: int) -> FloatArray:
    """Squared lengths of the rows' monomials of degrees `low` to `high`, shape (n,): the kernel's diagonal.

    Examples
    --------
    >>> polynomial_squares(np.array([[1.0, 2.0]]), 2, 2)  # 1 + 4 + 16
    array([21.])
    """
    if high < low or rows.shape[1] == 0:
        return np.zeros(rows.shape[0])
    sums = [np.einsum("ij,ij->i", power, power) for power in column_powers(rows, high)]
    return np.asarray(np.sum(homogeneous(sums)[low - 1 :], axis=0))


def column_powers(rows: FloatArray, highest: int) -> list[FloatArray]:
    """Elementwise powers 1 to `highest`, each of the shape of `rows`."""
    powers = [rows]
    for _ in range(1, highest):
        powers.append(powers[-1] * rows)
    return powers


def homogeneous(sums: list[FloatArray]) -> list[FloatArray]:
    """Complete homogeneous symmetric polynomials h_1..h_d from the power sums P_1..P_d.

    Examples
    --------
    >>> homogeneous([np.array(3.0), np.array(5.0)])[1]  # of 1 and 2: 1 + 2 + 4
    np.float64(7.0)
    """
    values: list[FloatArray] = []
    for degree, power in enumerate(sums, start=1):
        total = power.copy()
        for lower in range(1, degree):
            total += sums[lower - 1] * values[degree - lower - 1]
        values.append(total / degree)
    return values
