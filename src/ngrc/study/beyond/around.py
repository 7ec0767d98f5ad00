"""Forecasts that the methods are put around: the paper's NGRC, and the automatic model fitted to the same rows."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import partial
from typing import NamedTuple

from ngrc._types import BoolArray, FloatArray
from ngrc.automatic import AutoNGRC
from ngrc.backtesting.entry import backtest
from ngrc.backtesting.replay import stream_of
from ngrc.backtesting.results import Run
from ngrc.features.limits import Limits, found_limits
from ngrc.features.link import Link
from ngrc.intervals.base import Stream
from ngrc.series import Series
from ngrc.study.beyond.days import scored_days
from ngrc.study.real.blocks import PaperBlocks
from ngrc.study.real.cases import Case, fitted
from ngrc.study.real.parallel import remembered
from ngrc.study.real.sources import Source

PAPER, AUTOMATIC = "the paper's NGRC", "AutoNGRC"
FORECASTERS = (PAPER, AUTOMATIC)


class Place(NamedTuple):
    """Whose forecasts, of what, how far ahead."""

    forecaster: str
    dataset: str
    horizon: int


@dataclass(frozen=True, slots=True)
class Around:
    """All that intervals around one run need, and all that their scores need.

    Parameters
    ----------
    stream
        Residuals, leverage and context in the units of the link.
    forecasts
        Of the test targets, in the series' own units.
    link
        What leads from the one to the other.
    limits
        Bounds that the series was found to obey before the first interval, for methods that keep to them.
    unit
        Standard deviation by which the paper standardises the series.
    days
        Which test targets are scored, by the name of the choice.
    """

    stream: Stream = field(repr=False)
    forecasts: FloatArray = field(repr=False)
    link: Link
    limits: Limits | None = field(repr=False)
    unit: float
    days: dict[str, BoolArray] = field(repr=False)


def surroundings(data: Iterable[Source], horizons: Iterable[int], *, jobs: int) -> dict[Place, Around]:
    """Both forecasters at every horizon of every dataset."""
    series = {source.key: source.series for source in data}
    cases = [Case(dataset, horizon) for dataset in series for horizon in horizons]
    paper = {case: runs[0] for case, runs in fitted(data, cases, jobs=jobs).items()}
    calls = {("beyond", case): partial(fit_automatic, case, series[case.dataset]) for case in cases}
    automatic = dict(zip(cases, remembered(calls, name="automatic models", jobs=jobs), strict=True))
    return {
        Place(forecaster, case.dataset, case.horizon): around(runs[case], case.dataset, series[case.dataset])
        for forecaster, runs in ((PAPER, paper), (AUTOMATIC, automatic))
        for case in cases
    }


def fit_automatic(case: Case, series: Series) -> Run:
    """The automatic model on the rows that the paper's own NGRC is fitted to."""
    model, split = AutoNGRC(horizon=case.horizon), PaperBlocks(case.dataset)
    return backtest(series, model, methods=("split",), split=split).run()


def around(run: Run, dataset: str, series: Series) -> Around:
    """What the methods see of a run, and how they are scored."""
    blocks = run.blocks
    return Around(
        stream=stream_of(run, series),
        forecasts=run.forecasts[blocks.test],
        link=run.link,
        limits=found_limits(series.values[: blocks.test.stop], blocks.history.stop, blocks.test_rows),
        unit=run.scale.std,
        days=scored_days(dataset, series.values, blocks.test),
    )
