"""Models by name: the paper's feature map of each dataset, and the lags used where the user says nothing."""

from dataclasses import dataclass

from ngrc.automatic import AutoNGRC
from ngrc.model import NGRC
from ngrc.readout.penalty import PAPER_RIDGES

MOST_LAGS = 24
"""A day of hours, which make 325 quadratic columns; a longer memory is for the user to ask for."""
ROWS_PER_FEATURE = 10
"""Fit rows per column that the default keeps, so that p/n is at most 0.10, `diagnosis.advice.SMALL_DIMENSION`."""
FIT_SHARE = 0.4
"""Share of the series by whose rows the default lags are measured, that of `splits.FixedOrigin`."""


@dataclass(frozen=True, slots=True)
class Preset:
    """The paper's feature map of one dataset."""

    lags: int
    periods: tuple[float, ...] = ()


# Lags and Fourier periods of appendix "NGRC Feature Construction and Ridge Tuning": a day and a week of 10-minute
# (solar) and hourly (Beijing) observations; ozone and exchange have no Fourier columns.
PAPER = {
    "ozone": Preset(21),
    "solar": Preset(36, (144.0, 1008.0)),
    "beijing": Preset(24, (24.0, 168.0)),
    "exchange": Preset(14),
}


def paper_model(dataset: str, horizon: int = 1, *, degree: int = 2) -> NGRC:
    """The paper's NGRC of a dataset: its lags, periods and penalty grid (appendix "Additional Real-Data Details")."""
    if dataset not in PAPER:
        raise ValueError(
            f"the paper's preset exists for {', '.join(sorted(PAPER))}, got {dataset!r}; leave the preset out "
            "and choose lags and periods yourself"
        )
    preset = PAPER[dataset]
    return NGRC(preset.lags, horizon=horizon, degree=degree, periods=preset.periods, ridges=PAPER_RIDGES)


def default_model() -> AutoNGRC:
    """The model of one series where the user names none: it chooses its own columns."""
    return AutoNGRC()


def default_vector_model(observations: int) -> NGRC:
    """The model of several series that are forecast together, where the user names none."""
    return NGRC(default_lags(observations))


def default_lags(observations: int) -> int:
    """Most lags, at most 24, that leave ten fit rows per quadratic feature when 40 % of the series is fitted.

    Examples
    --------
    >>> [default_lags(n) for n in (50, 1000, 5000, 50_000)]
    [1, 7, 18, 24]
    """
    most = FIT_SHARE / ROWS_PER_FEATURE * observations
    lags = 1
    # k lags make (k + 1)(k + 2) / 2 columns with the intercept; the test is for one lag more than there are now.
    while lags < MOST_LAGS and (lags + 2) * (lags + 3) // 2 <= most:
        lags += 1
    return lags
