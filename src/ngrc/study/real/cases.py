"""Point forecasts of the analysis and the five deterministic interval methods around them."""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import partial
from math import log
from typing import NamedTuple

from ngrc.backtesting.entry import backtest
from ngrc.backtesting.results import Band, Run
from ngrc.model import NGRC
from ngrc.presets import paper_model
from ngrc.series import Series
from ngrc.splits import FixedOrigin, ShiftedWindows
from ngrc.study.real.parallel import remembered
from ngrc.study.real.sources import Source

LEVEL = 0.95
LEVELS = (0.80, 0.85, 0.90, 0.95, 0.975)
HORIZONS = (1, 3, 7)
# ResCP is random and slow, and runs in a layer of its own (`real.rescp`).
DETERMINISTIC = ("bayes", "split", "asymmetric", "adaptive", "weighted")
METHOD_TITLES = {
    "bayes": "Bayesian ridge",
    "split": "SCP",
    "asymmetric": "Asymmetric SCP",
    "adaptive": "Adaptive CP",
    "weighted": "Time-weighted CP",
    "rescp": "ResCP",
}


class Scores(NamedTuple):
    """How a band scored, width and Winkler score in units of the standardised series as the paper prints them."""

    coverage: float
    width: float
    winkler: float

    @classmethod
    def of(cls, band: Band, unit: float) -> "Scores":
        """Scores of a band; `unit` is the standard deviation that standardised the series."""
        return cls(band.coverage, band.width / unit, band.winkler / unit)


@dataclass(frozen=True, slots=True)
class Case:
    """One point model on one dataset, over one split or the three shifted windows.

    Parameters
    ----------
    dataset
        Decides lags and periods.
    horizon, degree
        As in `NGRC`.
    decays
        Decays of exponentially weighted means that are added as features.
    shifted
        Three shifted 40/20/20 windows instead of the fixed origin's 40/40/20.
    """

    dataset: str
    horizon: int = 1
    degree: int = 2
    decays: tuple[float, ...] = ()
    shifted: bool = False

    @property
    def model(self) -> NGRC:
        """The unfitted model."""
        # The paper's model with memories added; a preset has none.
        plain = paper_model(self.dataset, self.horizon, degree=self.degree)
        return NGRC(**{**plain.get_params(deep=False), "half_lives": tuple(map(half_life, self.decays))})

    @property
    def levels(self) -> tuple[float, ...]:
        """All levels for the paper's one-step model at the fixed origin, which `real-levels` draws; else 95 %."""
        return LEVELS if self == Case(self.dataset) else (LEVEL,)


def half_life(decay: float) -> float:
    """Steps in which decay^t halves.

    Examples
    --------
    >>> half_life(0.5)
    1.0
    """
    return log(2.0) / -log(decay)


def fitted(sources: Iterable[Source], cases: Iterable[Case], *, jobs: int) -> dict[Case, tuple[Run, ...]]:
    """The runs of every case, one per window."""
    series = {source.key: source.series for source in sources}
    wanted = list(cases)
    results = remembered(
        {case: partial(fit, case, series[case.dataset]) for case in wanted}, name="point forecasts", jobs=jobs
    )
    return dict(zip(wanted, results, strict=True))


def fit(case: Case, series: Series) -> tuple[Run, ...]:
    """Fit one case and put the deterministic methods around it."""
    split = ShiftedWindows() if case.shifted else FixedOrigin()
    return backtest(series, case.model, level=case.levels, methods=DETERMINISTIC, split=split).runs


def scores(run: Run, band: Band) -> Scores:
    """Scores of a band in the paper's units."""
    return Scores.of(band, run.scale.std)
