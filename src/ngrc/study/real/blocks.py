"""The paper's test block for any model, and the last value scored on it."""

from dataclasses import dataclass, replace

import numpy as np

from ngrc.metrics import rmse
from ngrc.presets import paper_model
from ngrc.series import Series
from ngrc.splits import Blocks, FixedOrigin


@dataclass(frozen=True, slots=True)
class PaperBlocks:
    """The paper's calibration and test targets of a dataset, whatever a map reaches back to.

    A map that reads a week back has its first target later than the paper's. Its fit block begins there and ends where
    the paper's ends, so that all maps are scored on the same targets.

    Examples
    --------
    >>> PaperBlocks("exchange").splits(7587, 3, 1) == FixedOrigin().splits(7587, 14, 1)
    True
    >>> PaperBlocks("exchange").splits(7587, 100, 1)[0].fit, FixedOrigin().splits(7587, 14, 1)[0].fit
    (slice(100, 3043, None), slice(14, 3043, None))
    """

    dataset: str

    def splits(self, n: int, first_target: int, horizon: int) -> tuple[Blocks, ...]:
        """The paper's one cut, its fit block shortened at its beginning where the map needs it."""
        (blocks,) = FixedOrigin().splits(n, paper_model(self.dataset, horizon).first_target, horizon)
        start = max(blocks.start, first_target)
        if start >= blocks.fit.stop:
            raise ValueError(
                f"the map's first target {first_target} lies beyond the fit block, which ends at {blocks.fit.stop}; "
                "use fewer cycles or lags"
            )
        return (replace(blocks, start=start, fit_rows=blocks.fit.stop - start),)


def last_value(dataset: str, series: Series, horizon: int) -> float:
    """RMSE of repeating the last observation over the paper's test block, in units of the standardised series."""
    (blocks,) = PaperBlocks(dataset).splits(len(series), 0, horizon)
    values, test = series.values, blocks.test
    scale = float(np.std(values[: blocks.scale_end]))
    return rmse(values[test], values[test.start - horizon : test.stop - horizon]) / scale
