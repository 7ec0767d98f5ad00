"""Scores of one map on the paper's own test block."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, NamedTuple

import numpy as np

from ngrc.backtesting.entry import backtest
from ngrc.metrics import rmse
from ngrc.model import NGRC
from ngrc.presets import paper_model
from ngrc.series import Series
from ngrc.splits import Blocks, FixedOrigin
from ngrc.study.map.maps import Arguments
from ngrc.study.real.cases import LEVEL
from ngrc.study.real.parallel import remembered

METHODS = ("split", "adaptive")
"""One interval method that is fixed once, and one that follows the residuals."""


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


@dataclass(frozen=True, slots=True)
class Plan:
    """One map at one horizon.

    Parameters
    ----------
    dataset, horizon
        Where.
    arguments
        Of `NGRC`.
    beside
        Which columns stand beside the series; empty where none do.
    """

    dataset: str
    horizon: int
    arguments: Arguments
    beside: str = ""


class Score(NamedTuple):
    """Errors over the test block in units of the standardised series, and the size of the model."""

    rmse: float
    winkler: Mapping[str, float]
    columns: int
    penalty: float


def scores(plans: Mapping[Plan, tuple[Series, Any]], *, jobs: int) -> dict[Plan, Score]:
    """The score of every plan, from its series and the frame beside it (None where there is none)."""
    calls = {plan: partial(score, plan, series, beside) for plan, (series, beside) in plans.items()}
    return dict(zip(plans, remembered(calls, name="maps", jobs=jobs), strict=True))


def score(plan: Plan, series: Series, beside: Any = None) -> Score:
    """Fit one map and score its forecasts and intervals."""
    model = NGRC(horizon=plan.horizon, **dict(plan.arguments))
    result = backtest(
        series, model, exog=beside, level=LEVEL, methods=METHODS, split=PaperBlocks(plan.dataset)
    )
    run = result.run()
    assert run.facts.features is not None
    assert run.facts.ridge is not None
    return Score(
        run.rmse / run.scale.std,
        {method: run.band(method).winkler / run.scale.std for method in METHODS},
        run.facts.features,
        run.facts.ridge,
    )


def last_value(dataset: str, series: Series, horizon: int) -> float:
    """RMSE of repeating the last observation, on the same targets in the same units."""
    (blocks,) = PaperBlocks(dataset).splits(len(series), 0, horizon)
    values, test = series.values, blocks.test
    scale = float(np.std(values[: blocks.scale_end]))
    return rmse(values[test], values[test.start - horizon : test.stop - horizon]) / scale
