"""Forecasts from several cutoffs beside what came: the frame that evaluation packages read."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from ngrc._types import AnyArray
from ngrc.panel.layout import Layout
from ngrc.panel.one import Recorded, universal
from ngrc.panel.task import Field
from ngrc.panel.work.forecasting import Forecasting
from ngrc.validation import check_count

CUTOFF = "cutoff"
"""Column of the last time that a forecast knew."""


@dataclass(frozen=True, slots=True)
class Rolling:
    """Forecasts of the last steps of each series, each made from its past alone.

    Parameters
    ----------
    forecasting
        What is forecast from each cutoff.
    windows
        How many cutoffs; the last one leaves the horizon to be forecast.
    step
        Rows from one cutoff to the next.
    """

    forecasting: Forecasting
    windows: int = 1
    step: int = 1

    def __post_init__(self) -> None:
        check_count(self.windows, "windows")
        check_count(self.step, "step")

    def fields(self, layout: Layout) -> tuple[Field, ...]:
        """Time, cutoff, outcome, forecast and ends."""
        times = (Field(layout.time, "time"), Field(CUTOFF, "time"))
        return (*times, Field(layout.target, "float"), *self.forecasting.forecasts())

    def answer(self, record: Recorded, layout: Layout) -> Mapping[str, AnyArray]:
        """One row per cutoff and step whose outcome is known."""
        size, horizon = record.values.size, self.forecasting.horizon
        stops = [size - horizon - self.step * later for later in reversed(range(self.windows))]
        if stops[0] < 1:
            raise ValueError(
                f"the series is too short for {self.windows} cutoffs: {size} rows; ask for fewer windows or steps"
            )
        parts = [self._window(record, stop, layout) for stop in stops]
        columns = {name: np.concatenate([part[name] for part in parts]) for name in parts[0]}
        # What was not observed cannot be scored.
        known = ~np.isnan(columns[layout.target])
        return {name: column[known] for name, column in columns.items()}

    def _window(self, record: Recorded, stop: int, layout: Layout) -> dict[str, AnyArray]:
        """Forecasts made after `stop` rows."""
        horizon = self.forecasting.horizon
        # Of the columns beside the series those that are known ahead may be read further, and no other is there.
        outlook = self.forecasting.outlook(_known_then(record, stop, horizon, layout), layout)
        times = universal(record.dates.times, record.dates.style)
        return {
            layout.time: times[stop : stop + horizon],
            CUTOFF: np.repeat(times[stop - 1 : stop], horizon),
            layout.target: record.values[stop : stop + horizon],
            **self.forecasting.columns(outlook),
        }


def _known_then(record: Recorded, stop: int, horizon: int, layout: Layout) -> Recorded:
    """What was known after `stop` rows: observed columns end there."""
    then = record.until(stop, horizon if layout.known else 0)
    beside = then.beside.copy()
    beside[stop:, : len(layout.exog)] = np.nan
    return Recorded(then.values, then.dates, beside, then.clock)
