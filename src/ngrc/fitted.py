"""What a fit settled: map, preparation and readouts, and the forecasts that follow from them."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from ngrc._types import FloatArray
from ngrc.archive import check_shape, check_that
from ngrc.features.inputs import SERIES, Inputs
from ngrc.features.map import FeatureMap
from ngrc.features.preparation import Preparation, levels
from ngrc.features.rows import Rows
from ngrc.features.target import Goal
from ngrc.observed import Observed
from ngrc.readout.blend import Blend
from ngrc.readout.coefficients import Coefficients
from ngrc.readout.dual_readout import DualReadout
from ngrc.readout.dual_rows import row_columns
from ngrc.readout.fitted import Readout
from ngrc.readout.forecast import forecast_rows
from ngrc.readout.penalty import Validation
from ngrc.readout.tasks import TaskReadout, Tasks
from ngrc.readout.tasks.forecast import forecast_tasks

AnyReadout = Readout | TaskReadout | DualReadout | Blend


@dataclass(frozen=True, slots=True)
class Fitted:
    """A fitted model as a value, applied to any data; of those it was fitted to only the dual readout keeps rows.

    Parameters
    ----------
    feature_map, goal
        The columns, and what the readouts were fitted to.
    preparation
        How raw values become inputs.
    horizons
        The horizons that are forecast, in rising order.
    path
        Whether those are all horizons up to the longest, and not one alone.
    vector
        Whether the series has a second axis.
    readouts, validations
        One per horizon and channel, by horizon and then by channel; no validations where the penalty was given.
    change_limits, value_range
        By horizon, how far a forecast outside the range of the fit block may lie from the last value, and that range,
        in the series' own units; None without limits.
    """

    feature_map: FeatureMap
    goal: Goal
    preparation: Preparation
    horizons: tuple[int, ...]
    path: bool
    vector: bool
    readouts: tuple[AnyReadout, ...]
    validations: tuple[Validation, ...] | None
    change_limits: tuple[float, ...] | None = None
    value_range: tuple[float, float] | None = None

    @classmethod
    def migrated(cls, kept: dict[str, Any]) -> dict[str, Any]:
        """Fields of a file of 0.3.0 or earlier, which has no limits."""
        return kept if "change_limits" in kept else {**kept, "change_limits": None, "value_range": None}

    def check_kept(self) -> None:
        """Refuse parts that do not fit each other: compiled code reads weights by the map's columns."""
        channels, steps = len(self.channels), self.horizons
        check_that(channels > 0 and len(self.preparation.links) == channels, "every channel has a link")
        check_that(bool(steps) and min(steps) >= 1 and sorted(set(steps)) == list(steps), "horizons rise")
        check_that(len(self.readouts) == len(steps) * channels, "there is a readout per horizon and channel")
        check_that(len(self.validations or self.readouts) == len(self.readouts), "there is a validation each")
        limits = self.change_limits
        check_that(limits is None or len(limits) == len(steps), "there is a limit per horizon")
        check_that(limits is None or all(limit >= 0.0 for limit in limits), "limits are not negative")
        check_that((limits is None) == (self.value_range is None), "limits come with a range")
        low, high = (0.0, 0.0) if self.value_range is None else self.value_range
        check_that(low <= high, "a range rises")
        for place, readout in enumerate(self.readouts):
            columns = self.feature_map.count(steps[place // channels]) - 1
            if isinstance(readout, Blend):
                # Before its weights are asked for, which are as many as it says.
                check_that(readout.columns == columns, f"a blend has {columns} columns")
            weights = readout.coefficients
            check_shape(weights, (columns,), "coefficients")
            check_that(bool(np.all(np.isfinite(weights))), "coefficients are finite")

    @property
    def channels(self) -> tuple[str, ...]:
        """Names of the series' channels."""
        return tuple(self.preparation.series)

    @property
    def horizon(self) -> int:
        """The longest horizon."""
        return self.horizons[-1]

    @property
    def features(self) -> int:
        """Number of columns of the longest horizon, the intercept included where there is one."""
        none = np.isinf(self.readouts[-1].intercept_penalty)
        return self.feature_map.count(self.horizon) - int(none)

    @property
    def decomposed(self) -> int:
        """Rows and columns of the matrix that the fit decomposed."""
        readout = self.readouts[-1]
        return readout.count if isinstance(readout, DualReadout) else self.feature_map.count(self.horizon)

    def reach(self, horizon: int) -> int:
        """How far behind its origin a forecast reads."""
        return max(self.feature_map.reach(horizon), self.goal.reach(horizon))

    def readout(self, horizon: int, channel: int = 0) -> AnyReadout:
        """The readout of one horizon and channel."""
        if horizon not in self.horizons or not 0 <= channel < len(self.channels):
            raise ValueError(
                f"there is no readout of horizon {horizon} and channel {channel}; the model has the horizons "
                f"{self.horizons[0]} to {self.horizon} and {len(self.channels)} channel(s)"
            )
        return self.readouts[self.horizons.index(horizon) * len(self.channels) + channel]

    def shaped(self, numbers: Sequence[float]) -> Any:
        """A number of a single readout; an array by horizon, by channel, or by both where there are several."""
        if len(self.horizons) == 1 and not self.vector:
            return numbers[0]
        table = np.array(numbers).reshape(len(self.horizons), len(self.channels))
        table = table if self.vector else table[:, 0]
        return table if len(self.horizons) > 1 else table[0]

    def coefficients(self, horizon: int, channel: int) -> Coefficients:
        """Weights of one readout by feature name."""
        if horizon not in self.horizons or not 0 <= channel < len(self.channels):
            raise ValueError(
                f"there is no readout of horizon {horizon} and channel {channel}; the model has the horizons "
                f"{self.horizons[0]} to {self.horizon} and {len(self.channels)} channel(s)"
            )
        readout, names = self.readout(horizon, channel), self.feature_map.names(horizon)
        values = np.concatenate(((readout.intercept,), readout.coefficients))
        if np.isinf(readout.intercept_penalty):
            # There is no intercept; a constant that is penalised like any column is one of them, by that name.
            names, values = names[1:], values[1:]
        return Coefficients(names, values, horizon, self.channels[channel], self.goal.parts(horizon))

    def see(self, observed: Observed, start: int = 0) -> "Sight":
        """New data as this model sees it; `start` is its first time index counted from the first fitted observation."""
        if observed.names != self.channels:
            raise ValueError(
                f"the model was fitted to {_listed(self.channels)}, got {_listed(observed.names)}; give the same "
                "channels"
            )
        missing = [name for name in self.preparation.beside if name not in observed.beside]
        if missing:
            raise ValueError(
                f"the model was fitted with {', '.join(missing)} beside the series; give exog with it"
            )
        linked = self.preparation.linked(observed.values)
        x = self.preparation.standardise(linked)
        inputs = self.preparation.inputs(x, observed.beside, observed.times, start)
        return Sight(self, observed, linked, x, inputs)


@dataclass(frozen=True, slots=True)
class Sight:
    """Data as a fitted model sees it: raw, in the link's units, standardised, and as inputs."""

    fitted: Fitted
    observed: Observed
    linked: FloatArray
    x: FloatArray
    inputs: Inputs

    def rows(self, horizon: int, channel: int = 0, first: int = 0, stop: int | None = None) -> Rows:
        """Rows of the targets first..stop-1, by default all that have an outcome."""
        fitted = self.fitted
        return Rows.of(fitted.feature_map, self.inputs, self.x[:, channel], horizon, first, stop, fitted.goal)

    def coming(self, horizon: int, channel: int, count: int) -> Rows:
        """The last `count` rows whose origins lie in the data, the very last one made at the last observation."""
        self._check_history(horizon, count)
        size = self.observed.size
        return self.rows(horizon, channel, size + horizon - count, size + horizon)

    def _check_history(self, horizon: int, count: int) -> None:
        """Refuse data too short for so many rows."""
        size, needed = self.observed.size, self.fitted.reach(horizon) + count
        if size < needed:
            raise ValueError(
                f"forecasting needs at least {needed} observations, got {size}; give a longer history"
            )

    def levels(self, rows: Rows, said: FloatArray, channel: int) -> FloatArray:
        """What a readout says of `rows`, in the series' units."""
        fitted, values = self.fitted, self.observed.values[:, channel]
        return levels(
            rows,
            said,
            values,
            self.linked[:, channel],
            fitted.preparation.scales[channel],
            fitted.preparation.links[channel],
            self._limited,
        )

    def _limited(self, forecasts: FloatArray, rows: Rows) -> FloatArray:
        """Forecasts within the range of the fit block, or no farther from the last value than past changes support."""
        fitted = self.fitted
        if fitted.change_limits is None or fitted.value_range is None:
            return forecasts
        limit, (low, high) = fitted.change_limits[fitted.horizons.index(rows.horizon)], fitted.value_range
        last = self.observed.values[rows.first - rows.horizon : rows.stop - rows.horizon, 0]
        return np.clip(forecasts, np.minimum(last - limit, low), np.maximum(last + limit, high))

    def forecasts(self, rows: Rows, channel: int) -> FloatArray:
        """Forecasts of `rows` in the series' units."""
        return self.levels(rows, say(self.fitted.readout(rows.horizon, channel), rows), channel)

    def leverage(self, rows: Rows, channel: int) -> FloatArray:
        """Leverages of `rows`, shape (n,)."""
        readout = self.fitted.readout(rows.horizon, channel)
        if isinstance(readout, DualReadout):
            return readout.leverage(row_columns(rows))
        # Block by block: the whole design has n x p numbers, 300 MB for a year of 10-minute values and 36 lags.
        parts = [readout.leverage(block.design) for block in rows.blocks()]
        return np.concatenate(parts) if parts else np.empty(0)

    def by_target(self, values: Callable[[Rows, int], FloatArray], since: int = 0) -> FloatArray:
        """Values of the longest horizon by target time, shaped like the series; NaN before `since` or without a row."""
        result = np.full(self.x.shape, np.nan)
        for channel in range(self.x.shape[1]):
            rows = self.rows(self.fitted.horizon, channel, since)
            result[rows.first : rows.stop, channel] = values(rows, channel)
        return result if self.fitted.vector else result[:, 0]

    def ahead(self, values: Callable[[Rows, int], FloatArray]) -> FloatArray:
        """Values of the H coming targets, shape (H,) or (H, channels)."""
        fitted = self.fitted
        columns = []
        for channel in range(len(fitted.channels)):
            if not fitted.path:
                columns.append(values(self.coming(fitted.horizon, channel, fitted.horizon), channel))
                continue
            columns.append(np.concatenate([values(rows, channel) for rows in self._last(channel)]))
        return np.stack(columns, axis=1) if fitted.vector else columns[0]

    def _last(self, channel: int) -> list[Rows]:
        """One row per horizon, all made at the last observation."""
        fitted, size = self.fitted, self.observed.size
        # The longest first, which says how far known inputs must reach.
        *nearer, longest = fitted.horizons
        rows = self.coming(longest, channel, 1)
        if not nearer or fitted.feature_map.moving():
            return [*(self.coming(horizon, channel, 1) for horizon in nearer), rows]
        for horizon in nearer:
            self._check_history(horizon, 1)
        # Where nothing moves all have the same columns: made once.
        rows = rows.whole()
        times = [(horizon, size + horizon) for horizon in nearer]
        return [*(replace(rows, horizon=h, first=stop - 1, stop=stop) for h, stop in times), rows]

    def paths(self, since: int = 0, before: int | None = None) -> FloatArray:
        """Forecasts of every horizon by target time, shape (n, horizons, channels); NaN where there are none.

        Of targets before `since` none need be made: origins before since - 1, from which the nearest lies there, are
        left out, and so are those from `before` on.
        """
        shape = self.observed.size, len(self.fitted.horizons), len(self.fitted.channels)
        result = np.full(shape, np.nan)
        self.write_paths(result[since:], since, before)
        return result

    def write_paths(self, result: FloatArray, since: int = 0, before: int | None = None) -> None:
        """Write the same of the targets from `since` on into `result`, shape (n - since, horizons, channels)."""
        fitted, size = self.fitted, self.observed.size
        before = size if before is None else before
        begin = max(since - 1, *(fitted.reach(horizon) for horizon in fitted.horizons))
        # Origins from which every horizon has an outcome: there the common columns are made once for all.
        bulk = range(begin, min(size - fitted.horizon, before))
        if len(bulk):
            self._fill(result, bulk, since)
        for place, horizon in enumerate(fitted.horizons):
            for first, stop in _edges(
                max(since - 1, fitted.reach(horizon)), bulk, min(size - horizon, before)
            ):
                for channel in range(len(fitted.channels)):
                    rows = self.rows(horizon, channel, first + horizon, stop + horizon)
                    said = self.forecasts(rows, channel)
                    result[rows.first - since : rows.stop - since, place, channel] = said

    def _fill(self, result: FloatArray, origins: range, since: int) -> None:
        fitted = self.fitted
        rows = tasks_rows(fitted.feature_map, fitted.goal, self.inputs, self.x, fitted.horizons, origins)
        dual = any(isinstance(readout, DualReadout) for readout in fitted.readouts)
        tasks = None if dual else Tasks.of(rows, held=False)
        if tasks is None:
            said = [say(readout, row) for row, readout in zip(rows, fitted.readouts, strict=True)]
        else:
            together = forecast_tasks(
                tasks,
                [np.array([readout.intercept]) for readout in fitted.readouts],
                [readout.coefficients[:, None] for readout in fitted.readouts],
            )
            said = [part[:, 0] for part in together]
        for number, (row, part) in enumerate(zip(rows, said, strict=True)):
            place, channel = divmod(number, len(fitted.channels))
            result[row.first - since : row.stop - since, place, channel] = self.levels(row, part, channel)


def say(readout: AnyReadout, rows: Rows) -> FloatArray:
    """What a readout says of `rows`, in units of the scale, shape (n,)."""
    if isinstance(readout, DualReadout):
        return readout.predict(row_columns(rows))
    return forecast_rows(rows, readout.intercept, readout.coefficients)


def tasks_rows(
    feature_map: FeatureMap,
    goal: Goal,
    inputs: Inputs,
    x: FloatArray,
    horizons: tuple[int, ...],
    origins: range,
) -> list[Rows]:
    """Rows of every horizon and channel at the same origins, none holding its columns."""
    return [
        Rows(
            feature_map, inputs, x[:, channel], horizon, origins.start + horizon, origins.stop + horizon, goal
        )
        for horizon in horizons
        for channel in range(x.shape[1])
    ]


def _edges(begin: int, bulk: range, stop: int) -> Iterator[tuple[int, int]]:
    """Ranges of origins from begin to stop - 1 before and after those that were done in bulk."""
    if not len(bulk):
        yield from [(begin, stop)] if begin < stop else []
        return
    if begin < bulk.start:
        yield begin, bulk.start
    if bulk.stop < stop:
        yield bulk.stop, stop


def _listed(names: tuple[str, ...]) -> str:
    return (
        "one scalar series"
        if names == (SERIES,)
        else f"the channel{'s' * (len(names) > 1)} {', '.join(names)}"
    )
