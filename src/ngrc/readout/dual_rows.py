"""From rows of a feature map to the dual readout: products stay products, everything else is explicit."""

from collections.abc import Sequence

from ngrc.features.blocks import hstack
from ngrc.features.products import Products
from ngrc.features.rows import Rows
from ngrc.readout.convention import STANDARD, Convention
from ngrc.readout.dual import Decomposition, fit_dual
from ngrc.readout.dual_columns import ExplicitColumns, JoinedColumns, ProductColumns
from ngrc.readout.dual_cost import check_design, check_rows
from ngrc.readout.dual_penalty import choose_dual_penalty
from ngrc.readout.dual_readout import DualReadout
from ngrc.readout.penalty import Validation, inner_rows


def row_columns(rows: Rows) -> JoinedColumns:
    """The rows' columns in the order of `rows.design`, those of `Products` not made yet."""
    where = rows.inputs, rows.horizon, rows.first, rows.stop
    pieces: list[ExplicitColumns | ProductColumns] = []
    for group in rows.feature_map.groups:
        if isinstance(group, Products):
            factors = hstack([delays.columns(*where) for delays in group.delays], rows.count)
            pieces.append(ProductColumns(factors, group.degree, group.lowest))
        else:
            check_design(rows.count, group.count(rows.horizon))
            pieces.append(ExplicitColumns(group.columns(*where)))
    return JoinedColumns(tuple(pieces))


def fit_dual_rows(
    rows: Sequence[Rows],
    ridges: Sequence[float],
    convention: Convention = STANDARD,
    fixed: float | None = None,
) -> tuple[list[DualReadout], list[Validation] | None]:
    """One dual readout per task, from one decomposition where tasks have the same columns.

    Parameters
    ----------
    rows
        One per task, at the same origins: they differ by horizon or by the series that is forecast.
    ridges
        Candidate penalties, scored task by task as `readout.penalty.choose_penalty` does.
    convention
        Intercept and scaling of the columns.
    fixed
        A penalty for all tasks instead.

    Returns
    -------
    readouts, validations
        One per task; no validations where the penalty is fixed.
    """
    # Columns of one origin differ by horizon where a group looks at the target's own time, and not otherwise.
    moving = any(group.moving for group in rows[0].feature_map.groups)
    families = [task.horizon if moving else 0 for task in rows]
    check_rows(rows[0].count, len(set(families)))
    readouts: dict[int, DualReadout] = {}
    validations: dict[int, Validation] = {}
    for family in dict.fromkeys(families):
        places = [place for place, own in enumerate(families) if own == family]
        columns = row_columns(rows[places[0]])
        penalties = dict.fromkeys(places, 0.0 if fixed is None else fixed)
        if fixed is None:
            inner = columns.part(0, inner_rows(columns.count, max(rows[place].horizon for place in places)))
            parts = Decomposition.of(inner, convention)
            for place in places:
                task = rows[place]
                validations[place] = choose_dual_penalty(
                    columns, task.target, ridges, task.horizon, convention, parts
                )
                penalties[place] = validations[place].best
        parts = Decomposition.of(columns, convention)
        for place in places:
            readouts[place] = fit_dual(columns, rows[place].target, penalties[place], convention, parts)
    order = range(len(rows))
    return [readouts[place] for place in order], None if fixed is not None else [
        validations[i] for i in order
    ]
