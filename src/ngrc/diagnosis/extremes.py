"""How much of the squared error rests on a few targets, and which."""

from collections.abc import Callable
from math import ceil

import numpy as np

from ngrc._types import IntArray
from ngrc.diagnosis.calibration import Calibration
from ngrc.diagnosis.finding import Finding
from ngrc.series.spikes import find_spikes

FEW = 0.01
"""Share of the targets that counts as few."""
MUCH = 1.0 / 3.0
"""Share of the squared error that the few must hold. One Gaussian residual in a hundred holds 0.08, of Laplace's 0.16:
a third says that the score is about them."""
NAMED = 6
"""Targets that are named at most: they fit on a line."""
AFTER = 24
"""Targets after a spike whose forecasts it may have spoilt: the largest default number of lags."""


def by_position(targets: IntArray) -> list[str]:
    """Names of targets in a series without times."""
    return [f"position {target}" for target in targets.tolist()]


def spikes(seen: Calibration, named: Callable[[IntArray], list[str]] = by_position) -> Finding | None:
    """One residual in a hundred that holds a third of the squared error; `named` gives targets their names."""
    squares = seen.residuals**2
    few = ceil(FEW * seen.count)
    largest = np.argsort(-squares, kind="stable")[:few]
    share = float(np.sum(squares[largest]) / np.sum(squares))
    if share <= MUCH:
        return None
    targets = seen.start + largest
    names = named(np.sort(targets[:NAMED]))
    more = ", ..." if few > NAMED else ""
    return Finding(
        "spikes",
        share,
        None,
        None,
        f"{few} of {seen.count} targets hold {100 * share:.0f} % of the squared error (more than {100 * MUCH:.0f} %): "
        f"{', '.join(names)}{more}",
        _remedy(seen, targets[:NAMED]),
    )


def _remedy(seen: Calibration, targets: IntArray) -> str:
    # Looked for through the last target alone: the series beyond it is the test block's.
    isolated = find_spikes(seen.values).positions
    if np.any(np.isin(targets, isolated)):
        return (
            "look at those values, which look like data errors; clip=0.1 keeps them from spoiling the forecasts after "
            "them"
        )
    gaps = targets[:, None] - isolated[None, :]
    if np.any((gaps > 0) & (gaps <= AFTER + seen.horizon)):
        return "clip=0.1: these forecasts were made from spikes in the series"
    return "look at those dates: a column that knows of them (holidays=, known=) could say so in advance"
