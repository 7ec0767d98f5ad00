"""Scores of one map on the paper's own test block."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any, NamedTuple

from ngrc.backtesting.entry import backtest
from ngrc.model import NGRC
from ngrc.series import Series
from ngrc.study.map.maps import Arguments
from ngrc.study.real.blocks import PaperBlocks
from ngrc.study.real.cases import LEVEL
from ngrc.study.real.parallel import remembered

METHODS = ("split", "adaptive")
"""One interval method that is fixed once, and one that follows the residuals."""


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
