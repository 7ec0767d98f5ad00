"""The size of the next error: log |e| by ridge readouts on standardised columns, the penalty chosen by their own past.

Sums of products grow by one row per known residual, and the readouts are solved again as the rows grow by a quarter.
Each penalty's errors of forecasts made before the residual was known add up, and the smallest sum decides. The largest
penalty leaves a constant, so that columns that say nothing of the size do no harm.
"""

from typing import NamedTuple

import numpy as np

from ngrc._kernels.local import SIZE_FLOOR, SIZE_LARGEST, SIZE_PENALTIES
from ngrc._types import FloatArray
from ngrc.archive import check_shape, check_that


class Size(NamedTuple):
    """Sums over known rows, coefficients by penalty, and their errors; row 0 of the columns is the constant."""

    gram: FloatArray
    moment: FloatArray
    weights: FloatArray
    errors: FloatArray
    chosen: FloatArray
    """Index of the penalty, and how many rows there are."""

    def check_kept(self) -> None:
        """Refuse sums of different columns, and a penalty that is none."""
        columns, penalties = self.moment.size, len(SIZE_PENALTIES)
        check_shape(self.gram, (columns, columns), "gram")
        check_shape(self.moment, (columns,), "moment")
        check_shape(self.weights, (penalties, columns), "weights")
        check_shape(self.errors, (penalties,), "errors")
        check_shape(self.chosen, (2,), "chosen")
        check_that(self.chosen[0] in range(penalties) and self.chosen[1] >= 0.0, "a penalty is chosen")


def start_size(columns: int, errors: FloatArray) -> Size:
    """A constant: the mean of log |e| over a history of errors in units, so that first scores are like later ones."""
    weights = np.zeros((len(SIZE_PENALTIES), columns))
    weights[:, 0] = np.mean(np.log(np.minimum(np.abs(errors), SIZE_LARGEST) + SIZE_FLOOR))
    return Size(
        gram=np.zeros((columns, columns)),
        moment=np.zeros(columns),
        weights=weights,
        errors=np.zeros(len(SIZE_PENALTIES)),
        chosen=np.array([len(SIZE_PENALTIES) - 1.0, 0.0]),
    )
