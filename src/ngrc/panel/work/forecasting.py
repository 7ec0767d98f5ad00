"""The coming values of each series, with intervals in the columns that other packages use."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from ngrc._text import percent
from ngrc._types import AnyArray
from ngrc.ahead import Outlook, PathForecaster, look_ahead
from ngrc.ahead.calibrated import BANDS, Band
from ngrc.intervals.base import IntervalMethod
from ngrc.intervals.defaults import resolve
from ngrc.panel.layout import Layout
from ngrc.panel.one import Recorded, series_of, universal
from ngrc.panel.task import Field
from ngrc.validation import check_count, check_levels, check_path


@dataclass(frozen=True, slots=True)
class Forecasting:
    """`look_ahead` on each series; parameters are those of `look_ahead`.

    `name` is what the columns are called by: NGRC, NGRC-lo-95, NGRC-hi-95.
    """

    horizon: int = 1
    level: tuple[float, ...] = (0.95,)
    model: PathForecaster | None = None
    method: str | IntervalMethod | None = None
    band: Band = "pointwise"
    smooth: bool | None = None
    fit: float | None = None
    refit_every: int | None = None
    window: int | None = None
    seed: int = 0
    name: str = "NGRC"

    def __post_init__(self) -> None:
        # Once, before anything runs: what is wrong here would be wrong for every series.
        check_path(self.horizon)
        # The only way to set a field of a frozen dataclass: per cent and lists come in.
        object.__setattr__(self, "level", check_levels(self.level))
        if self.band not in BANDS:
            raise ValueError(f"band must be 'pointwise' or 'path', got {self.band!r}")
        check_method(self.method, self.seed)
        check_model(self.model)

    def fields(self, layout: Layout) -> tuple[Field, ...]:
        """Time, forecast, and the ends from the outermost lower one to the outermost upper one."""
        return (Field(layout.time, "time"), *self.forecasts())

    def forecasts(self) -> tuple[Field, ...]:
        """Forecast and ends."""
        return tuple(Field(name, "float") for name in (self.name, *self._ends()))

    def answer(self, record: Recorded, layout: Layout) -> Mapping[str, AnyArray]:
        """Forecasts of the steps after the last observation."""
        outlook = self.outlook(record, layout)
        assert outlook.times is not None
        return {layout.time: universal(outlook.times, record.dates.style), **self.columns(outlook)}

    def outlook(self, record: Recorded, layout: Layout) -> Outlook:
        """The look ahead from the end of a record."""
        series, channels = series_of(record, layout)
        return look_ahead(
            series, self.model, exog=channels, known=layout.known, steps=self.horizon, method=self.method,
            level=self.level, band=self.band, smooth=self.smooth, fit=self.fit, refit_every=self.refit_every,
            window=self.window, seed=self.seed,
        )  # fmt: skip

    def columns(self, outlook: Outlook) -> dict[str, AnyArray]:
        """Forecast and ends by name."""
        ends = {name: outlook.bands[level][side] for name, (level, side) in self._ends().items()}
        columns = {self.name: outlook.forecast, **ends}
        wrong = [name for name, column in columns.items() if np.any(np.isnan(column))]
        if wrong:
            raise ValueError(f"the forecast has no number in {wrong[0]}; look at this series with look_ahead")
        return columns

    def _ends(self) -> dict[str, tuple[float, int]]:
        """Level and side (0 lower, 1 upper) by column, in the order in which other packages list them."""
        rising = sorted(self.level)
        lower = {f"{self.name}-lo-{percent(level)}": (level, 0) for level in reversed(rising)}
        return lower | {f"{self.name}-hi-{percent(level)}": (level, 1) for level in rising}


def check_method(method: str | IntervalMethod | None, seed: int) -> None:
    """Refuse a method that is none, before any series is read."""
    if method is not None:
        resolve(method, seed=check_count(seed, "seed", 0))


def check_model(model: object) -> None:
    """Refuse a class where an unfitted model is expected, before any series is read."""
    if isinstance(model, type) or (model is not None and not hasattr(model, "get_params")):
        raise ValueError(f"model must be an unfitted model such as NGRC(lags=12), got {model!r}")
