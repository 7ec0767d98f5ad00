"""The design's moments, by the quickest way that keeps their digits."""

from ngrc.features.rows import Rows
from ngrc.readout.gram import Gram, explicit_gram
from ngrc.readout.structured import Shift, row_sums, structured_gram


def design_gram(rows: Rows) -> Gram:
    """Moments of `rows`: from lagged products at degree 1 and 2, from explicit blocks otherwise."""
    if rows.feature_map.degree > 2:
        return explicit_gram(rows)
    shift = Shift.of(rows)
    return structured_gram(rows, row_sums(rows, shift), shift) or explicit_gram(rows)


def nested_grams(rows: Rows, inner: int) -> tuple[Gram, Gram]:
    """Moments of the first `inner` rows and of all of them, from one pass where the sums allow it."""
    first, rest = rows.part(0, inner), rows.part(inner, rows.count)
    if rows.feature_map.degree > 2:
        return explicit_gram(first), explicit_gram(rows)
    # One shift for both, or their sums could not be added. It is near the means of all rows too; where it is not,
    # `structured_gram` notices and the explicit way takes over.
    shift = Shift.of(first)
    sums = row_sums(first, shift)
    total = sums + row_sums(rest, shift)
    return (
        structured_gram(first, sums, shift) or explicit_gram(first),
        structured_gram(rows, total, shift) or explicit_gram(rows),
    )
