"""Chronological folds of the rows that a search may see."""

from dataclasses import dataclass

MOST_FOLDS = 4
"""Each costs a solve per candidate and penalty; with four the last has seen seven eighths of the rows."""
MOST_BLOCKS = 8
"""Blocks of validation rows by which two candidates are compared; their spread is the comparison's error bar."""

FEWEST_BLOCKS = 3
"""With fewer their spread would be no error bar at all."""


@dataclass(frozen=True, slots=True)
class Folds:
    """The second half of the rows in consecutive parts, each forecast by what came before it.

    Parameters
    ----------
    edges
        First row of every part, and the end of the last.
    guards
        Rows before a part that no fit may use, as their targets were not known at its first origin: H - 1.
    blocks
        Number of equal blocks of the validation rows.

    Examples
    --------
    >>> folds = Folds.of(100, horizon=3)
    >>> folds.edges, folds.trained, folds.blocks
    ((50, 62, 75, 87, 100), (48, 60, 73, 85), 8)
    """

    edges: tuple[int, ...]
    guards: int
    blocks: int

    @classmethod
    def of(cls, rows: int, horizon: int) -> "Folds":
        """Folds of so many rows, half of them before the first part.

        Where guards take most of that half, a third of the other rows is fitted by the first fold.
        """
        fitted = max((rows - horizon + 1) // 3, 1)
        start = min(max(rows // 2, fitted + horizon - 1), rows - 1)
        parts = max(1, min(MOST_FOLDS, rows - start))
        edges = tuple(start + (rows - start) * part // parts for part in range(parts + 1))
        # Blocks shorter than two horizons would hold the same outcomes' errors again.
        blocks = max(min(FEWEST_BLOCKS, rows - start), min(MOST_BLOCKS, (rows - start) // (2 * horizon)))
        return cls(edges, horizon - 1, blocks)

    @property
    def trained(self) -> tuple[int, ...]:
        """By fold, how many of the first rows are fitted."""
        return tuple(max(edge - self.guards, 1) for edge in self.edges[:-1])

    @property
    def validated(self) -> int:
        """Number of rows that are forecast."""
        return self.edges[-1] - self.edges[0]
