"""Cells on real rows: the standardised NGRC features of a dataset, with simulated responses on them."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import NamedTuple
from zlib import crc32

import numpy as np

from ngrc._normal import gaussian_radius
from ngrc._types import FloatArray, IntArray
from ngrc.features.inputs import Inputs
from ngrc.features.monomials import monomials
from ngrc.features.rows import Rows
from ngrc.features.scaling import Scale, column_scales
from ngrc.presets import paper_model
from ngrc.splits import FixedOrigin
from ngrc.study.dependent.rowwise import RowVariances, coverage_of, mixture_quantile
from ngrc.study.dependent.trial import (
    CALIBRATION,
    DIRECTIONS,
    LEVEL,
    RIDGES,
    TEST,
    Design,
    Noise,
    Trial,
    readouts,
    spans,
)
from ngrc.study.harness.processes import each
from ngrc.study.harness.progress import track
from ngrc.study.harness.target import Settings
from ngrc.study.real.sources import Source

RATIOS = (0.25, 0.75, 1.5)
ORDERS = ("in order", "shuffled")
"""Blocks as time has them, or the same rows dealt to the blocks at random: the control without nonstationarity."""


class Layout(NamedTuple):
    """One design: a dataset, an aspect ratio and the order of its rows."""

    dataset: str
    ratio: float
    order: str

    def stream(self, seed: int) -> np.random.Generator:
        """A random stream of its own, whatever other layouts are run."""
        name = crc32(f"{self.dataset}, {self.ratio:g}, {self.order}".encode())
        return np.random.default_rng(np.random.SeedSequence(seed, spawn_key=(name,)))


@dataclass(frozen=True, slots=True)
class Observation:
    """What one layout gave.

    Parameters
    ----------
    layout
        Which rows.
    ratio
        p/n with the whole number of rows that was taken.
    samples
        Shape (replications, directions, ridges, strengths, measures).
    rowwise
        W_C^2 by `rowwise`, shape (directions, ridges, strengths).
    coverage
        Bayesian coverage by `rowwise`, same shape.
    boundaries
        Multiples of gamma/lambda at which W_B is the row-by-row W_C, by direction and ridge; None where nowhere.
    effective
        tr S (S + lambda I)^-1 / n by ridge.
    """

    layout: Layout
    ratio: float
    samples: FloatArray
    rowwise: FloatArray
    coverage: FloatArray
    boundaries: tuple[tuple[float | None, ...], ...]
    effective: tuple[float, ...]


def simulate(found: Sequence[Source], replications: int, settings: Settings) -> tuple[Observation, ...]:
    """Every layout of every dataset."""
    calls = [
        partial(_observe, Layout(source.key, ratio, order), source.series.values, replications, settings.seed)
        for source in found
        for ratio in RATIOS
        for order in ORDERS
    ]
    return tuple(track(each(calls, settings.jobs, batch=1), len(calls), "real designs"))


def _observe(layout: Layout, series: FloatArray, replications: int, seed: int) -> Observation:
    rng = layout.stream(seed)
    design = design_of(layout, series, rng=rng)
    bases, trial = spans(design.covariance), Trial(design)
    noise = Noise.draw(design, replications, rng)
    samples = [trial.run(readouts(bases[name], replications, rng), noise) for name in DIRECTIONS]
    rowwise = [[row_by_row(trial, bases[name], index) for index in range(len(RIDGES))] for name in DIRECTIONS]
    return Observation(
        layout,
        design.ratio,
        np.stack(samples, axis=1),
        np.array([[found.widths for found in line] for line in rowwise]),
        np.array([[found.coverages for found in line] for line in rowwise]),
        tuple(tuple(found.boundary for found in line) for line in rowwise),
        tuple(trial.spectrum.effective_dimension(ridge) / len(design.fit) for ridge in RIDGES),
    )


class RowByRow(NamedTuple):
    """W_C^2 and Bayesian coverage per strength, and where W_C equals W_B."""

    widths: FloatArray
    coverages: FloatArray
    boundary: float | None


def row_by_row(trial: Trial, basis: FloatArray, index: int) -> RowByRow:
    """What `rowwise` predicts for readouts in a span, under the penalty of that index."""
    design, ridge = trial.design, RIDGES[index]
    scores, ahead = (
        RowVariances.of(trial.spectrum, block, basis, ridge) for block in (design.calibration, design.test)
    )
    snrs, radii = trial.snrs(ridge), gaussian_radius(LEVEL) * trial.spread[index]
    # W_B/2 is the root mean square over the test rows.
    half = float(np.sqrt(np.mean(radii**2)))
    return RowByRow(
        4.0 * mixture_quantile(scores.at(snrs), LEVEL) ** 2,
        coverage_of(radii, ahead.at(snrs)),
        scores.boundary(half, LEVEL, design.ratio / ridge),
    )


def design_of(layout: Layout, series: FloatArray, *, rng: np.random.Generator) -> Design:
    """The paper's feature rows of a series in three blocks, standardised by the fit rows.

    As many fit rows as the aspect ratio asks for, and `CALIBRATION` and `TEST` rows, evenly spread over the paper's
    40/40/20 blocks. Sigma is the second moment of the calibration and test rows together.
    """
    model = paper_model(layout.dataset)
    wanted = (round((model.feature_map.count(model.horizon) - 1) / layout.ratio), CALIBRATION, TEST)
    (blocks,) = FixedOrigin().splits(series.size, model.first_target, model.horizon)
    # A row reads `first_target` values before its target: with this gap no value is seen by two blocks.
    gap = model.first_target
    ranges = [(blocks.fit, 0), (blocks.calibration, gap), (blocks.test, gap)]
    targets = np.concatenate(
        [_spread(block.start + skip, block.stop, count)
         for (block, skip), count in zip(ranges, wanted, strict=True)]
    )  # fmt: skip
    if layout.order == "shuffled":
        targets = rng.permutation(targets)
    x = Scale.of(series[: blocks.scale_end]).standardise(series)
    rows = Rows.of(model.feature_map, Inputs({"x": x}), x, model.horizon)
    places = targets - rows.first
    columns = monomials(rows.delays[places], model.degree, rows.extras[places])
    return _standardised(*np.split(columns, np.cumsum(wanted)[:-1]))


def _spread(start: int, stop: int, count: int) -> IntArray:
    """That many times from start to stop - 1, evenly spread."""
    if count > stop - start:
        raise ValueError(f"a block of {stop - start} rows cannot give {count}; give a longer series")
    return np.linspace(start, stop - 1, count).round().astype(np.int64)


def _standardised(fit: FloatArray, calibration: FloatArray, test: FloatArray) -> Design:
    means = fit.mean(axis=0)
    scales = column_scales(means, fit.var(axis=0))
    R, C, T = ((block - means) / scales for block in (fit, calibration, test))
    return Design(R, C, T, (C.T @ C + T.T @ T) / (len(C) + len(T)))
