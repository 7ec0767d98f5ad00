"""Gaps of the study's datasets."""

from dataclasses import replace

from ngrc.series import Series


def with_filled_as_observed(series: Series) -> Series:
    """The series with values that were carried forward counted as outcomes, as the paper counts them.

    Its printed coverages, widths and errors are over every target of the test block, filled ones included. The
    series' notes still say how many were filled. A file of a user's own keeps its gaps apart: they are not scored.

    Examples
    --------
    >>> import numpy as np
    >>> series = Series(np.array([1.0, 1.0, 2.0]), filled=1, missing=np.array([False, True, False]))
    >>> with_filled_as_observed(series).missing is None
    True
    """
    return replace(series, missing=None)
