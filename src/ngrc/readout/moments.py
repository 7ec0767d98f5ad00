"""The design's moments, by the quickest way that keeps their digits."""

from ngrc.features.rows import Rows
from ngrc.readout.convention import STANDARD, Convention
from ngrc.readout.gram import Gram, explicit_gram
from ngrc.readout.structured import Shift, row_sums, structured_gram


def design_gram(rows: Rows, convention: Convention = STANDARD) -> Gram:
    """Moments of `rows`: from columns that are held, from lagged products where the map has a core, or from blocks."""
    if rows.feature_map.core is None or rows.explicit is not None:
        return explicit_gram(rows, convention)
    shift = Shift.of(rows)
    return structured_gram(rows, row_sums(rows, shift), shift, convention) or explicit_gram(rows, convention)


def nested_grams(rows: Rows, inner: int, convention: Convention = STANDARD) -> tuple[Gram, Gram]:
    """Moments of the first `inner` rows and of all of them, from one pass where the sums allow it."""
    first, rest = rows.part(0, inner), rows.part(inner, rows.count)
    if rows.feature_map.core is None or rows.explicit is not None:
        return explicit_gram(first, convention), explicit_gram(rows, convention)
    # One shift for both, or their sums could not be added. It is near the means of all rows too; where it is not,
    # `structured_gram` notices and the explicit way takes over.
    shift = Shift.of(first)
    sums = row_sums(first, shift)
    total = sums + row_sums(rest, shift)
    return (
        structured_gram(first, sums, shift, convention) or explicit_gram(first, convention),
        structured_gram(rows, total, shift, convention) or explicit_gram(rows, convention),
    )
