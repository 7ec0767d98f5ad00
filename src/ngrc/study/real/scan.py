"""ResCP at every temperature and window of its grid, over seeds: which of them give three printed numbers."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import groupby
from typing import NamedTuple

import numpy as np

from ngrc.intervals import ResCP
from ngrc.intervals.base import Stream
from ngrc.intervals.rescp.reservoir import Recurrence
from ngrc.metrics import interval_scores
from ngrc.study.harness.compare import distance as printed_distance
from ngrc.study.harness.compare import errors_allowed
from ngrc.study.harness.estimate import Estimate, estimate
from ngrc.study.harness.printed import Printed
from ngrc.study.real.cases import LEVEL, Scores
from ngrc.study.real.printed.selected import Window

RECURRENCES: tuple[Recurrence, ...] = ("code", "paper")

Measured = Mapping[str, Estimate]
"""Coverage, width and Winkler score over seeds."""


class Setting(NamedTuple):
    """What ResCP may be run with."""

    recurrence: Recurrence
    temperature: float
    window: Window

    def __str__(self) -> str:
        return f"T = {self.temperature:g}, window {self.window}, recurrence {self.recurrence}"


@dataclass(frozen=True, slots=True)
class Grid:
    """Scores of every setting of one recurrence with one seed, and the setting that ResCP selects by itself."""

    scores: Mapping[Setting, Scores]
    selected: Setting


class Reached(NamedTuple):
    """A setting and how far from the print it is, in standard errors."""

    setting: Setting
    distance: float


def grid(stream: Stream, unit: float, method: ResCP, tuned: ResCP | None = None) -> Grid:
    """Run the whole grid on the test block, and select from it on the history.

    Parameters
    ----------
    stream
        Residuals of one point forecaster.
    unit
        The standard deviation that standardised the series.
    method
        ResCP with temperature and window open.
    tuned
        The same with what it selects on the history, where that is known.
    """
    outcomes = stream.residuals[stream.start :]
    found = {}
    for (temperature, window), offsets in method.run_grid(stream, LEVEL).items():
        raw = interval_scores(outcomes, offsets.lower, offsets.upper, LEVEL)
        scores = Scores(raw.coverage, raw.width / unit, raw.winkler / unit)
        found[Setting(method.recurrence, temperature, window)] = scores
    tuned = tuned or method.tuned(stream.history, LEVEL)
    assert tuned.temperature is not None
    assert tuned.window is not None
    return Grid(found, Setting(method.recurrence, tuned.temperature, tuned.window))


@dataclass(frozen=True, slots=True)
class Scan:
    """The grids of one pipeline.

    Parameters
    ----------
    grids
        By recurrence, one per seed.
    trainings
        Trainings of the network that the seeds take in turn; 1 for a model without a seed of its own.
    """

    grids: Mapping[Recurrence, tuple[Grid, ...]]
    trainings: int = 1

    @property
    def seeds(self) -> int:
        """How many seeds each setting was run with."""
        return len(self.grids[RECURRENCES[0]])

    @property
    def allowed(self) -> float:
        """How many standard errors from the print still count as giving it."""
        return errors_allowed(min(self.seeds, self.trainings) if self.trainings > 1 else self.seeds)

    def settings(self, recurrence: Recurrence | None = None) -> Iterator[Setting]:
        """Settings of a recurrence, or of both."""
        for name in RECURRENCES if recurrence is None else (recurrence,):
            yield from self.grids[name][0].scores

    def at(self, setting: Setting) -> Measured:
        """Scores of one setting."""
        return self._measured([grid.scores[setting] for grid in self.grids[setting.recurrence]])

    def own(self, recurrence: Recurrence) -> Measured:
        """Scores of whatever ResCP selects with each seed; the spread holds that of the selection."""
        return self._measured([grid.scores[grid.selected] for grid in self.grids[recurrence]])

    def selections(self, recurrence: Recurrence) -> str:
        """What ResCP selects with how many of the seeds, the most frequent first.

        As text for a table: "0.15 all (7), 0.1 1000 (3)".
        """
        chosen = sorted(f"{s.temperature:g} {s.window}" for s in (g.selected for g in self.grids[recurrence]))
        counts = {name: len(list(group)) for name, group in groupby(chosen)}
        return ", ".join(
            f"{name} ({counts[name]})" for name in sorted(counts, key=lambda name: -counts[name])
        )

    def _measured(self, scores: list[Scores]) -> dict[str, Estimate]:
        values = np.array(scores)
        # Seeds of one training share its forecasts: their mean is one value.
        if self.trainings > 1:
            values = np.array([values[number :: self.trainings].mean(axis=0) for number in range(self.trainings)
                               if number < len(values)])  # fmt: skip
        return {name: estimate(column) for name, column in zip(Scores._fields, values.T, strict=True)}

    def reach(self, printed: Mapping[str, Printed], recurrence: Recurrence | None = None) -> list[Reached]:
        """Every setting with its distance from the print, the closest first."""
        found = [Reached(s, distance(self.at(s), printed)) for s in self.settings(recurrence)]
        return sorted(found, key=lambda reached: reached.distance)


def distance(ours: Measured, printed: Mapping[str, Printed]) -> float:
    """How far the farthest of the three numbers is from its print, in standard errors beyond half a printed unit.

    The print is one run, so that its error is the deviation s over our n seeds: together s sqrt(1 + 1/n), as in
    `compare.monte_carlo`.

    Examples
    --------
    >>> from ngrc.study.harness.printed import printed
    >>> ours = {name: Estimate(0.95, 0.01, 4) for name in Scores._fields}
    >>> paper = {"coverage": printed("0.95"), "width": printed("0.95"), "winkler": printed("1.00")}
    >>> round(distance(ours, paper), 3)  # (0.05 - 0.005) / (0.02 sqrt(1 + 1/4))
    2.012
    """
    return max(abs(printed_distance(ours[name], printed[name], 1)) for name in Scores._fields)
