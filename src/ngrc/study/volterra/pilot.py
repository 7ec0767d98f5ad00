"""The pilot of Experiment 4: ResCP's settings chosen once, on an independent sequence of constant variance.

The paper prints neither the grid of reservoirs nor what was chosen. The grid here is ours: around the configuration of
the appendix "Reservoir Conformal Prediction". Scored is the Winkler score of the all-history policy on the last tenth
of the calibration residuals, as that appendix does; two longer stretches show what hangs on it.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import product

import numpy as np

from ngrc._shares import share
from ngrc._ties import within_rounding
from ngrc._types import FloatArray
from ngrc.intervals import ResCP
from ngrc.intervals.base import Stream
from ngrc.intervals.rescp.reservoir import Recurrence
from ngrc.metrics import interval_scores
from ngrc.study.harness.processes import each
from ngrc.study.harness.progress import track
from ngrc.study.volterra.cells import LEVEL, STATES, latent_path, stream
from ngrc.study.volterra.settings import BLOCKS, LOW

NAME = "volterra-pilot"
"""Names the pilots' random streams, which no evaluation shares."""
TEMPERATURES = (0.05, 0.10, 0.15, 0.25)
RADII, LEAKS, SCALINGS, CONNECTIVITIES = (0.9, 1.2, 1.5), (0.5, 0.9), (0.25, 1.0), (0.1, 0.2)
APPENDIX = ResCP(window="all", sampler="stochastic")
"""The appendix's reservoir, which is the library's own; its temperature is open."""

STRETCHES = {
    "last 10 %": share(0.9, BLOCKS.calibration),
    "last 40 %": share(0.6, BLOCKS.calibration),
    "800 more": BLOCKS.calibration,
}
"""Where each validation stretch begins; the first is the pilot's, the last is as long as a test."""
TENTH = next(iter(STRETCHES))


@dataclass(frozen=True, slots=True)
class Scores:
    """Winkler scores and absolute coverage errors of candidates on sequences, both of shape (candidates, sequences)."""

    winkler: FloatArray
    miss: FloatArray

    def best(self, sequence: int) -> int:
        """The candidate of the smallest Winkler score; ties by coverage error, then by order."""
        tied = np.flatnonzero(within_rounding(self.winkler[:, sequence]))
        return int(min(tied, key=lambda candidate: self.miss[candidate, sequence]))


def pilot(rng: np.random.Generator, *, path: FloatArray | None = None) -> FloatArray:
    """Residuals of a pilot's calibration and test rows, fitted as an evaluation is."""
    latent = (latent_path() if path is None else path)[:STATES]
    return stream(latent + LOW * rng.standard_normal(STATES)).residuals


def validation(residuals: FloatArray, stretch: str) -> Stream:
    """A pilot's residuals as a stream whose wanted part is the named stretch."""
    start = STRETCHES[stretch]
    return Stream(residuals if start == BLOCKS.calibration else residuals[: BLOCKS.calibration], start)


def reservoirs(recurrence: Recurrence) -> tuple[ResCP, ...]:
    """Our grid of reservoirs, their temperature open."""
    return tuple(
        replace(APPENDIX, recurrence=recurrence, spectral_radius=radius, leak=leak, input_scaling=scaling,
                connectivity=connectivity)
        for radius, leak, scaling, connectivity in product(RADII, LEAKS, SCALINGS, CONNECTIVITIES)
    )  # fmt: skip


def candidates(grid: Sequence[ResCP]) -> list[ResCP]:
    """Every reservoir at every temperature, in the order of `score`."""
    return [replace(reservoir, temperature=value) for reservoir in grid for value in TEMPERATURES]


def score(grid: Sequence[ResCP], streams: Sequence[Stream], jobs: int) -> Scores:
    """Scores of all candidates on all streams; one call per reservoir, so that each is drawn once."""
    calls = [partial(_score_reservoir, reservoir, tuple(streams)) for reservoir in grid]
    parts = np.concatenate(list(track(each(calls, jobs, batch=1), len(calls), NAME)))
    return Scores(parts[..., 0], parts[..., 1])


def _score_reservoir(reservoir: ResCP, streams: tuple[Stream, ...]) -> FloatArray:
    """Shape (temperatures, streams, 2)."""
    table = []
    for method in candidates([reservoir]):
        bands = [(stream.residuals[stream.start :], method.run(stream, LEVEL)) for stream in streams]
        scored = [interval_scores(outcomes, band.lower, band.upper, LEVEL) for outcomes, band in bands]
        table.append([(one.winkler, abs(one.coverage - LEVEL)) for one in scored])
    return np.array(table)
