"""Experiment 2 against its traces, against its limits at 400 rows, and against the text."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from ngrc._types import BoolArray, FloatArray
from ngrc.study.harness.compare import against_formula, equal, errors_allowed, incomparable, nominal
from ngrc.study.harness.estimate import Estimate, estimate, standard_error
from ngrc.study.harness.record import Cell, Check
from ngrc.study.phase.cells import (
    BAYES,
    BAYES_COVERAGE,
    BAYES_TRACE,
    CALIBRATION,
    FIT,
    LEVEL,
    RATIOS,
    RIDGES,
    SNRS,
    SPLIT,
    SPLIT_COVERAGE,
    SPLIT_TRACE,
    TEST,
)
from ngrc.study.phase.expected import SURPLUS, Expected, expected
from ngrc.study.simulated.finite import expected_coverage

NAME = "phase"
PHASE, VERIFICATION = "fig:sim_hd_phase", "fig:sim_hd_width_verification"
TRACES = "mean of the finite traces of the same designs"
ORDER = f"{TRACES}, moved by the surplus of the order statistic"
LIMIT = f"limit in proportional dimension, moved to {FIT} rows by its term of order 1/n"


@dataclass(frozen=True, slots=True)
class Place:
    """One cell of the experiment: where it is, and its samples, shape (replications, measures)."""

    ratio: float
    ridge: float
    snr: float
    samples: FloatArray

    @property
    def design(self) -> str:
        """What the Bayesian width depends on."""
        return f"gamma {self.ratio:g}, lambda {self.ridge:g}"

    @property
    def name(self) -> str:
        """All three coordinates."""
        return f"{self.design}, SNR {self.snr:g}"

    def of(self, measure: int) -> FloatArray:
        """One measure in every replication."""
        return self.samples[:, measure]


def places(samples: FloatArray) -> Iterator[Place]:
    """Every cell of samples of shape (replications, ratios, ridges, snrs, measures)."""
    for i, j, k in np.ndindex(samples.shape[1:-1]):
        yield Place(RATIOS[i], RIDGES[j], SNRS[k], samples[:, i, j, k])


def checks(samples: FloatArray) -> list[Check]:
    """All comparisons."""
    rows: list[Check] = []
    for place in places(samples):
        values = expected(place.ratio, place.ridge, place.snr)
        rows += _widths(place, values)
        if place.snr == SNRS[0]:  # the Bayesian width does not depend on the signal
            rows += _bayes(place, values)
        rows.append(_coverage(place, values.coverage))
    return [*rows, *_claims(samples)]


def _widths(place: Place, values: Expected) -> list[Check]:
    trace = (1.0 + SURPLUS) * place.of(SPLIT_TRACE)
    difference, by_trace = place.of(BAYES) - place.of(SPLIT), place.of(BAYES_TRACE) - place.of(SPLIT_TRACE)
    cells = [
        Cell(NAME, PHASE, f"{place.name}, squared width difference against traces"),
        Cell(NAME, VERIFICATION, f"{place.name}, squared split width against traces"),
        Cell(NAME, PHASE, f"{place.name}, squared width difference against its limit"),
        Cell(NAME, PHASE, f"{place.name}, difference of traces against its limit"),
    ]
    return [
        _against_traces(cells[0], difference, place.of(BAYES_TRACE) - trace, ORDER),
        _against_traces(cells[1], place.of(SPLIT), trace, ORDER),
        against_formula(
            cells[2],
            estimate(difference),
            values.difference,
            f"{LIMIT} and the surplus of the order statistic",
        ),
        against_formula(cells[3], estimate(by_trace), values.difference_trace, LIMIT),
    ]


def _bayes(place: Place, values: Expected) -> list[Check]:
    cell = Cell(NAME, VERIFICATION, f"{place.design}, squared Bayesian width against traces")
    limit = Cell(NAME, PHASE, f"{place.design}, Bayesian trace against its limit")
    return [
        _against_traces(cell, place.of(BAYES), place.of(BAYES_TRACE), TRACES),
        against_formula(limit, estimate(place.of(BAYES_TRACE)), values.bayes_trace, LIMIT),
    ]


def _against_traces(cell: Cell, ours: FloatArray, trace: FloatArray, reason: str) -> Check:
    """The traces are of the same designs, so the error is that of the paired difference."""
    paired = estimate(ours - trace)
    mean = Estimate(float(ours.mean()), paired.error, paired.count)
    return against_formula(cell, mean, float(trace.mean()), reason)


def _coverage(place: Place, value: float) -> Check:
    counted = estimate(place.of(BAYES_COVERAGE))
    # Coverages near one can agree in every replication; the error is never below that of counting misses.
    least = float(np.sqrt(value * (1.0 - value) / (TEST * counted.count)))
    ours = Estimate(counted.mean, max(counted.error, least), counted.count)
    return against_formula(Cell(NAME, PHASE, f"{place.name}, Bayesian coverage"), ours, value, LIMIT)


def _claims(samples: FloatArray) -> list[Check]:
    """What the text says of all cells at once."""
    # Cells of one replication share designs and noise: the mean over cells is one sample per replication.
    split = estimate(samples[..., SPLIT_COVERAGE].mean(axis=(1, 2, 3)))
    allowed = errors_allowed(len(samples))
    place = Cell(NAME, "sec:simulations", "split-conformal coverage, all cells")
    exact = expected_coverage(CALIBRATION, LEVEL)
    return [
        against_formula(place, split, exact, "k/(m + 1) of the k-th of m exchangeable scores"),
        nominal(Cell(NAME, place.table, f"{place.cell}, is nominal"), split, LEVEL,
                f"nominal level; k/(m + 1) is {exact:.4f}"),
        _counted("cells with a clear difference of the wrong sign", wrong_signs(samples),
                 int(np.sum(clear_sides(samples) != 0)), f"clear: more than {allowed:.1f} standard errors from zero"),
        _counted("cells that undercover on the side where Bayes is wider", astray(samples),
                 int(np.sum(undercovers(samples))), f"undercover: by more than {allowed:.1f} standard errors"),
    ]  # fmt: skip


def _counted(name: str, wrong: int, clear: int, reason: str) -> Check:
    """Wrong cells among the clear ones: none where there are any; without a clear one nothing is told."""
    cell = Cell(NAME, PHASE, name)
    if clear == 0:
        return incomparable(cell, 0, f"no cell is clear; {reason}", wrong, kind="claim")
    return equal(cell, wrong, 0, kind="claim", reason=f"of {clear}; {reason}")


def boundary() -> FloatArray:
    """SNR lambda - gamma of every cell: below zero Bayes is predicted wider, above narrower; (ratios, ridges, snrs)."""
    distances = [[[snr * ridge - ratio for snr in SNRS] for ridge in RIDGES] for ratio in RATIOS]
    # Rounded, it is exactly zero on the boundary.
    return np.array(distances).round(12)


def clear_sides(samples: FloatArray) -> FloatArray:
    """+1 where Bayes is wider beyond the errors allowed, -1 narrower, else 0.

    The surplus of the order statistic is taken off: on the boundary it would make the conformal interval wider.
    """
    difference = samples[..., BAYES] - samples[..., SPLIT] / (1.0 + SURPLUS)
    mean, error = difference.mean(axis=0), standard_error(difference)
    sides: FloatArray = np.sign(mean) * (np.abs(mean) > errors_allowed(len(samples)) * error)
    return sides


def wrong_signs(samples: FloatArray) -> int:
    """Cells with a clear difference of another sign than predicted; on the boundary either sign is wrong."""
    sides = clear_sides(samples)
    return int(np.sum((sides != 0) & (sides != -np.sign(boundary()))))


def undercovers(samples: FloatArray) -> BoolArray:
    """Where Bayesian coverage lies below nominal by more than the errors allowed."""
    covered = samples[..., BAYES_COVERAGE]
    below: BoolArray = covered.mean(axis=0) + errors_allowed(len(samples)) * standard_error(covered) < LEVEL
    return below


def astray(samples: FloatArray) -> int:
    """Cells that undercover although Bayes is predicted wider."""
    return int(np.sum(undercovers(samples) & (boundary() < 0)))
