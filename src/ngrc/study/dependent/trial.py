"""One design with a known truth: both squared widths, what the traces make of them, and both coverages.

For rows of any law, y = R w0 + e with e ~ N(0, I), S = R'R/n, A = (S + lambda I)^-1 and Sigma = E[r r'] of a new row,

    (W_B^2 - W_C^2) / 4 z^2  ~  lambda/n tr(Sigma A^2) - lambda^2 w0'A Sigma A w0.

With SNR = |w0|^2 and alignment k = p w0'A Sigma A w0 / (|w0|^2 tr(Sigma A^2)) the sign changes at

    SNR = (gamma / lambda) / k,   gamma = p/n,

and k = 1 on average over an isotropic w0, whatever R and Sigma are.
"""

from dataclasses import dataclass
from typing import Self

import numpy as np

from ngrc._normal import gaussian_radius
from ngrc._types import FloatArray
from ngrc.order import conformal_rank
from ngrc.readout.spectrum import Spectrum

# Penalties, level and noise variance (one) of Experiment 2. Signals are multiples of the boundary gamma/lambda of
# independent rows, by powers of four so that a boundary displaced ten times still lies between two of them.
RIDGES, STRENGTHS, LEVEL = (0.05, 0.2, 1.0), (0.0625, 0.25, 1.0, 4.0, 16.0), 0.95
# Scores and test rows: twice Experiment 2's scores, as the corrected quantile of dependent ones is less certain.
CALIBRATION, TEST = 800, 800
DIRECTIONS = ("random", "large", "small")
"""Gaussian readouts: isotropic, or in the span of the largest or of the smallest eigenvectors of Sigma."""
SHARE = 0.1
"""Share of the eigenvectors that span the last two."""
MEASURES = (
    "bayes", "split", "bayes_trace", "split_trace", "split_own", "bayes_coverage", "split_coverage",
    "alignment", "output",
)  # fmt: skip
"""Squared widths simulated, by traces, and by those of the calibration rows alone; coverages; k; w0'Sigma w0."""
(BAYES, SPLIT, BAYES_TRACE, SPLIT_TRACE, SPLIT_OWN, BAYES_COVERAGE, SPLIT_COVERAGE, ALIGNMENT, OUTPUT) = (
    range(len(MEASURES))
)


@dataclass(frozen=True, slots=True)
class Design:
    """Three blocks of rows, shapes (rows, p), and the covariance of a new row for the traces, shape (p, p)."""

    fit: FloatArray
    calibration: FloatArray
    test: FloatArray
    covariance: FloatArray

    @property
    def ratio(self) -> float:
        """The aspect ratio gamma = p/n."""
        return float(self.fit.shape[1] / self.fit.shape[0])


@dataclass(frozen=True, slots=True)
class Noise:
    """Errors of the three blocks, one column per replication on the same rows."""

    fit: FloatArray
    calibration: FloatArray
    test: FloatArray

    @classmethod
    def draw(cls, design: Design, replications: int, rng: np.random.Generator) -> Self:
        """Standard normal errors for every row."""
        blocks = (design.fit, design.calibration, design.test)
        return cls(*(rng.standard_normal((len(block), replications)) for block in blocks))


def spans(covariance: FloatArray) -> dict[str, FloatArray]:
    """Orthonormal columns that span the readouts of each of `DIRECTIONS`, shapes (p, q)."""
    vectors = np.linalg.eigh(covariance)[1]
    width = max(round(SHARE * len(vectors)), 1)
    return {"random": np.eye(len(vectors)), "large": vectors[:, -width:], "small": vectors[:, :width]}


def readouts(basis: FloatArray, replications: int, rng: np.random.Generator) -> FloatArray:
    """Readouts spread evenly over a span, of expected squared norm one, shape (p, replications)."""
    width = basis.shape[1]
    signals: FloatArray = basis @ rng.standard_normal((width, replications)) / np.sqrt(width)
    return signals


class Trial:
    """One design under every penalty of `RIDGES`; what depends on neither signal nor noise is computed once."""

    def __init__(self, design: Design) -> None:
        self.design = design
        self.spectrum = Spectrum.of_smaller_gram(design.fit)
        self._own = design.calibration.T @ design.calibration / len(design.calibration)
        self._traces = [self.spectrum.traces(ridge, design.covariance) for ridge in RIDGES]
        self._own_traces = [self.spectrum.traces(ridge, self._own) for ridge in RIDGES]
        self.spread = np.sqrt(1.0 + self.spectrum.leverages(design.test, RIDGES))

    def run(self, signals: FloatArray, noise: Noise) -> FloatArray:
        """Measures for readouts of expected norm one, shape (p, q) -> (q, ridges, strengths, measures)."""
        fit, rows = self.design.fit, len(self.design.fit)
        moments = [fit.T @ (fit @ signals) / rows, fit.T @ noise.fit / rows]
        output = _forms(signals, self.design.covariance)
        found = np.empty((signals.shape[1], len(RIDGES), len(STRENGTHS), len(MEASURES)))
        for index, ridge in enumerate(RIDGES):
            # Ridge is linear in the response: what it misses of signal and of noise is put together per strength.
            signal = signals - self.spectrum.solve(moments[0], ridge)
            error = -self.spectrum.solve(moments[1], ridge)
            cells = found[:, index]
            self._predict(cells, index, signal)
            self._simulate(cells, index, signal, error, noise)
            cells[..., OUTPUT] = np.outer(output, self.snrs(ridge))
        return found

    def snrs(self, ridge: float) -> FloatArray:
        """Multiples `STRENGTHS` of gamma/lambda."""
        return np.array(STRENGTHS) * self.design.ratio / ridge

    def _predict(self, cells: FloatArray, index: int, signal: FloatArray) -> None:
        """What traces say; `signal` is lambda A w0, what ridge misses of the readout."""
        rows, columns = self.design.fit.shape
        traces, own, snrs = self._traces[index], self._own_traces[index], self.snrs(RIDGES[index])
        factor = (2.0 * gaussian_radius(LEVEL)) ** 2
        bias = _forms(signal, self.design.covariance)
        cells[..., BAYES_TRACE] = factor * (1.0 + traces.resolvent / rows)
        cells[..., SPLIT_TRACE] = factor * (1.0 + np.outer(bias, snrs) + traces.sandwich / rows)
        cells[..., SPLIT_OWN] = factor * (
            1.0 + np.outer(_forms(signal, self._own), snrs) + own.sandwich / rows
        )
        cells[..., ALIGNMENT] = (bias * columns / (RIDGES[index] ** 2 * traces.squared))[:, None]

    def _simulate(
        self, cells: FloatArray, index: int, signal: FloatArray, error: FloatArray, noise: Noise
    ) -> None:
        """Widths and coverages of both intervals; the Bayesian one knows the noise variance."""
        radius = gaussian_radius(LEVEL) * self.spread[index]
        calibration, test = self.design.calibration, self.design.test
        scores = calibration @ signal, calibration @ error + noise.calibration
        ahead = test @ signal, test @ error + noise.test
        rank = conformal_rank(len(calibration), LEVEL) - 1
        cells[..., BAYES] = 4.0 * np.mean(radius**2)
        for cell, snr in zip(np.moveaxis(cells, 1, 0), self.snrs(RIDGES[index]), strict=True):
            quantile = np.partition(np.abs(np.sqrt(snr) * scores[0] + scores[1]), rank, axis=0)[rank]
            residual = np.abs(np.sqrt(snr) * ahead[0] + ahead[1])
            cell[:, SPLIT] = 4.0 * quantile**2
            cell[:, BAYES_COVERAGE] = np.mean(residual <= radius[:, None], axis=0)
            cell[:, SPLIT_COVERAGE] = np.mean(residual <= quantile, axis=0)


def _forms(vectors: FloatArray, matrix: FloatArray) -> FloatArray:
    """Quadratic forms v'Mv of every column, shape (p, q) -> (q,)."""
    forms: FloatArray = np.einsum("iq,iq->q", vectors, matrix @ vectors)
    return forms
