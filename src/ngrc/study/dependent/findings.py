"""What came out, in sentences made from the counts of this very run."""

from collections.abc import Iterable

import numpy as np
import polars as pl

from ngrc.study.dependent.trial import LEVEL

ALIGNED = pl.col("direction") != "random"
RANDOM = pl.col("direction") == "random"
DEPENDENT = pl.col("rows").str.starts_with("lagged")


def lagged_findings(cells: pl.DataFrame, signs: pl.DataFrame) -> list[str]:
    """Signs, sizes, displaced boundaries and split coverage on simulated rows."""
    random, aligned = signs.filter(RANDOM, DEPENDENT), signs.filter(ALIGNED, DEPENDENT)
    sentences = [
        "Lagged rows, a signal without a preferred direction: the boundary SNR = gamma/lambda of independent isotropic "
        f"rows has the wrong sign in {_count(random, 'wrong_boundary')}, and on it {_even(random)}. On average over "
        "such signals the trace's gap is (sigma^2 lambda/n - |w0|^2 lambda^2/p) tr(Sigma A^2), whose sign neither "
        "covariance nor dependence of the rows can move.",
        "Lagged rows, a signal along large or small eigenvectors: that boundary has the wrong sign in "
        f"{_count(aligned, 'wrong_boundary')}, and on it {_even(aligned)}; the finite trace has the wrong sign in "
        f"{_count(aligned, 'wrong_trace')}. It puts the boundary at 1/k times gamma/lambda, "
        f"k = p w0'A Sigma A w0 / (|w0|^2 tr(Sigma A^2)): {_displaced(cells)}.",
        "With w0'Sigma w0 in the place of |w0|^2 as the signal's strength, the boundary would have the wrong sign in "
        f"{_count(aligned, 'wrong_output')} of aligned signals.",
        f"Sizes: over all {signs.height} phase pictures of simulated rows the finite trace gives "
        f"{_range(signs['size_trace'])} times the simulated difference of squared widths (medians), the "
        f"Marchenko-Pastur limit {_range(signs['size_limit'])} times.",
    ]
    coverage = {
        name: cells.filter(chosen)
        .group_by("rows", "direction")
        .agg(pl.col("split_coverage").mean())["split_coverage"]
        for name, chosen in (("lagged", DEPENDENT), ("independent", ~DEPENDENT))
    }
    sentences.append(
        f"Split conformal covers {_range(coverage['lagged'], 3)} on lagged rows, whose scores depend on each other, "
        f"and {_range(coverage['independent'], 3)} on independent ones (means over the cells of a picture)."
    )
    return sentences


def observed_findings(cells: pl.DataFrame, signs: pl.DataFrame) -> list[str]:
    """The same on real rows, in order and shuffled."""
    sentences = []
    for order, where in (("in order", "as time has them"), ("shuffled", "dealt to the blocks at random")):
        part = signs.filter(pl.col("order") == order)
        sentences.append(
            f"Real rows, {where}: SNR = gamma/lambda has the wrong sign in "
            f"{_count(part.filter(RANDOM), 'wrong_boundary')} of random signals "
            f"({_by_dataset(part.filter(RANDOM), 'wrong_boundary')}) and in "
            f"{_count(part.filter(ALIGNED), 'wrong_boundary')} of aligned ones; over all signals the finite trace in "
            f"{_count(part, 'wrong_trace')} ({_by_dataset(part, 'wrong_trace')}), the trace with each block's own "
            f"second moments in {_count(part, 'wrong_own')}, the row-by-row quantile in {_count(part, 'wrong_rows')}."
        )
    random = signs.filter(RANDOM)
    gap = float((cells["bayes_coverage"] - cells["coverage_rows"]).abs().to_numpy().max())
    boundary = cells.filter(RANDOM, pl.col("strength") == 1.0)["bayes_coverage"].to_numpy()
    ratio = np.sqrt((cells["bayes"] - cells["difference_rows"]).to_numpy() / cells["split"].to_numpy())
    return [
        *sentences,
        "The trace stands for a normal law of the same variance; where rows differ much in leverage the mean of W_B^2 "
        "follows the few great ones and a quantile does not. Row by row the predicted W_C is "
        f"{_range(pl.Series(ratio))} times the simulated one over all cells. It puts the boundary of random signals at "
        f"these multiples of gamma/lambda: in order {_boundaries(cells, 'in order')}; shuffled "
        f"{_boundaries(cells, 'shuffled')}.",
        f"Coverage: for random signals Bayesian coverage lies on the wrong side of {LEVEL:.0%}, by SNR = gamma/lambda, "
        f"in {_count(random, 'wrong_coverage', 'clear_coverage')}, against {_count(random, 'wrong_boundary')} for the "
        f"widths. On the boundary it is {_range(pl.Series(boundary), 3)}, where Bayes' theorem gives {LEVEL:g} on any "
        f"rows. Row by row it is predicted with an error of at most {gap:.3f}.",
        _stationarity(cells),
        f"Effective dimension at p/n up to {float(cells['gamma'].to_numpy().max()):g}: {_dimensions(cells)}.",
    ]


def _boundaries(cells: pl.DataFrame, order: str) -> str:
    """Range of the row-by-row boundary of random signals, by dataset."""
    parts = []
    for (rows,), group in cells.filter(RANDOM, pl.col("order") == "in order").group_by(
        "rows", maintain_order=True
    ):
        # All strengths of a design share its boundary.
        known = group.filter(pl.col("strength") == 1.0)["boundary_rows"]
        lost = known.null_count()
        parts.append(
            f"{rows} {_range(known)}" + (f" (none in {lost} of {len(known)} designs)" if lost else "")
        )
    return "; ".join(parts)


def _stationarity(cells: pl.DataFrame) -> str:
    """Split coverage by dataset, in order and shuffled."""
    parts = []
    for (rows,), group in cells.group_by("rows", maintain_order=True):
        means = {
            order: float(group.filter(pl.col("order") == order)["split_coverage"].to_numpy().mean())
            for order in ("in order", "shuffled")
        }
        parts.append(f"{rows} {means['in order']:.3f} in order and {means['shuffled']:.3f} shuffled")
    return f"Split coverage, nominal on average over shuffles: {'; '.join(parts)}."


def _dimensions(cells: pl.DataFrame) -> str:
    parts = [
        f"{rows} at most {float(group['effective_ratio'].to_numpy().max()):.2f} n"
        for (rows,), group in cells.group_by("rows", maintain_order=True)
    ]
    return "; ".join(parts)


def _displaced(cells: pl.DataFrame) -> str:
    """Range of 1/k by law of rows and direction, at the strongest dependence."""
    strongest = cells.filter(pl.col("rows").str.contains("rho 0.9"), ALIGNED)
    parts = []
    for (rows, direction), group in strongest.group_by("rows", "direction", maintain_order=True):
        # All strengths of a design share its boundary.
        k = group.group_by("gamma", "lambda").agg(pl.col("alignment").mean())["alignment"].to_numpy()
        parts.append(f"{_range(pl.Series(1.0 / k))} for {direction} eigenvectors of {rows}")
    return "; ".join(parts)


def _by_dataset(signs: pl.DataFrame, column: str) -> str:
    parts = [
        f"{rows} {int(group[column].sum())} of {int(group['clear'].sum())}"
        for (rows,), group in signs.group_by("rows", maintain_order=True)
    ]
    return ", ".join(parts)


def _count(signs: pl.DataFrame, column: str, clear: str = "clear") -> str:
    """Counts over several pictures in words.

    Examples
    --------
    >>> _count(pl.DataFrame({"wrong": [0, 2], "clear": [5, 6]}), "wrong")
    '2 of 11 clear cells'
    >>> _count(pl.DataFrame({"wrong": [0], "clear": [5]}), "wrong")
    'none of 5 clear cells'
    """
    wrong, total = int(signs[column].sum()), int(signs[clear].sum())
    return f"{wrong or 'none'} of {total} clear cells"


def _even(signs: pl.DataFrame) -> str:
    return f"{int(signs['wrong_even'].sum()) or 'none'} of {int(signs['even'].sum())} cells clearly differ in width"


def _range(values: Iterable[float | None], places: int = 2) -> str:
    """Least and greatest of the values that are there.

    Examples
    --------
    >>> _range([1.0, None, 0.504])
    '0.50 to 1.00'
    """
    known = [value for value in values if value is not None]
    return f"{min(known):.{places}f} to {max(known):.{places}f}" if known else "nothing to be compared with"
