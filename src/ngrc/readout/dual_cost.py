"""Which of the two forms of the readout is cheaper, and what neither can hold."""

from typing import Literal

MOST_COLUMNS = 20_000
"""Most columns of the primal: the second moments of more would take over 3 GiB (8 p^2 bytes) by themselves."""
MOST_ROWS = 10_000
"""Most rows of the dual: kernel matrix, eigenvectors and LAPACK's 2 n^2 of workspace are 3 GiB (32 n^2 bytes)."""
MOST_WORK = 1e12
"""Most products n^2 p of the dual over standardised columns: a few minutes."""
MOST_NUMBERS = 400_000_000
"""Most numbers of a design that is held as it is: 3 GiB."""

# In units of one multiplication of a symmetric product (ZZ' at 30 per nanosecond on the core this was measured on):
# eigenvectors of a matrix took 0.3 ns per m^3 at m = 600 and 1,200;
EIGENVECTORS = 10.0
# a QR decomposition in blocks of columns five to six times as long as the product, and a dual fit whose smallest
# penalties are near rounding needs both.
ORTHOGONAL = 6.0


def choose_solver(count: int, columns: int, degree: int, kept: int = 1) -> Literal["primal", "dual"]:
    """The cheaper form of the readout that fits into memory; an error where neither does.

    Parameters
    ----------
    count
        Fit rows n.
    columns
        Columns p.
    degree
        Highest degree of the products: up to 2 the moments come from lagged sums, at next to no cost.

    kept
        Decompositions that the dual makes and holds at once: one per horizon where columns move with the target.

    Examples
    --------
    >>> choose_solver(5_000, 300, 2), choose_solver(500, 3_000, 3)
    ('primal', 'dual')
    """
    most = most_rows(kept)
    if columns > MOST_COLUMNS and count > most:
        raise ValueError(
            f"{columns:,} columns over {count:,} fit rows fit into memory neither as p^2 moments (at most "
            f"{MOST_COLUMNS:,} columns) nor as an n^2 kernel (at most {most:,} rows); use fewer lags, a smaller "
            "product_lags or a lower degree, or fit fewer rows"
        )
    if columns > MOST_COLUMNS:
        return "dual"
    if count > most:
        return "primal"
    return "dual" if kept * dual_cost(count, columns) < primal_cost(count, columns, degree) else "primal"


def primal_cost(count: int, columns: int, degree: int) -> float:
    """Work of the primal: eigenvectors of p x p moments, and above degree 2 their sum over explicit columns."""
    moments = count * columns**2 if degree > 2 else 0
    return moments + EIGENVECTORS * float(columns) ** 3


def dual_cost(count: int, columns: int) -> float:
    """Work of the dual: the columns' products with themselves, and eigenvectors of n x n numbers."""
    return ORTHOGONAL * float(count) ** 2 * columns + EIGENVECTORS * float(count) ** 3


def most_rows(kept: int = 1) -> int:
    """Most rows of the dual where so many decompositions are held at once."""
    # 8 n^2 bytes of eigenvectors each, and 24 n^2 while one is computed.
    return int((4 * MOST_ROWS**2 / (3 + kept)) ** 0.5)


def check_rows(count: int, kept: int = 1) -> None:
    """Refuse kernel matrices that would not fit into memory; `kept` decompositions are held at once."""
    most = most_rows(kept)
    if count > most:
        raise ValueError(
            f"the dual readout holds n^2 numbers of {count:,} fit rows; at most {most:,} are taken here: fit fewer "
            "rows, or use fewer columns and solver='primal'"
        )


def check_columns(columns: int) -> None:
    """Refuse moments that would not fit into memory."""
    if columns > MOST_COLUMNS:
        raise ValueError(
            f"the primal readout holds p^2 numbers of {columns:,} columns; at most {MOST_COLUMNS:,} are taken: use "
            "fewer lags, a smaller product_lags, a lower degree or solver='dual'"
        )


def check_work(count: int, columns: int) -> None:
    """Refuse standardised columns whose kernel would take hours to sum."""
    if float(count) ** 2 * columns > MOST_WORK:
        raise ValueError(
            f"{columns:,} standardised columns over {count:,} fit rows take n^2 p = {float(count) ** 2 * columns:.0e} "
            f"products, over {MOST_WORK:.0e}; use columns='raw', whose kernel needs no column, fewer lags, a smaller "
            "product_lags or a lower degree"
        )


def check_design(count: int, columns: int) -> None:
    """Refuse explicit columns that would not fit into memory."""
    if count * columns > MOST_NUMBERS:
        raise ValueError(
            f"{count:,} rows of {columns:,} explicit columns are over 3 GiB; use fewer lags or fit fewer rows"
        )
