"""One paired replication of Experiment 4: the same path and innovations with and without the change of noise."""

from dataclasses import dataclass

import numpy as np

from ngrc._types import FloatArray
from ngrc.backtesting.scoring import evaluate
from ngrc.datasets import volterra
from ngrc.intervals import IntervalMethod, ResCP
from ngrc.metrics import running_mean
from ngrc.model import NGRC
from ngrc.study.volterra.settings import BLOCKS, CHANGE, HIGH, LAGS, LOW, METHODS, RESERVOIR, RIDGE

LEVEL, TRAILING, BAND = 0.95, 100, (0.93, 0.97)
STATES = LAGS + BLOCKS.fit + BLOCKS.calibration + BLOCKS.test

ROWS: dict[str, IntervalMethod] = {
    name: method for name, method in METHODS.items() if name not in ("asymmetric", "rescp")
} | {
    "rescp-all": ResCP(temperature=RESERVOIR.temperature, window="all", sampler="stochastic"),
    "rescp-fifo": ResCP(temperature=RESERVOIR.temperature, window="fifo", sampler="stochastic"),
}
"""The eight rows of the response table."""

MEASURES = (
    "constant_coverage",
    "constant_width",
    "first50_coverage",
    "high_noise_coverage",
    "high_noise_width",
)


@dataclass(frozen=True, slots=True)
class Replication:
    """Summaries and curves of every row; delays are NaN where coverage never settled."""

    measures: FloatArray
    """Shape (rows, 5), in the order of `MEASURES`."""
    delays: FloatArray
    """Shape (rows, 2): the band closed, and with its upper end left out."""
    curves: FloatArray
    """Shape (rows, 2, test): trailing coverage and width under the change."""


def latent_path(step: float = 0.005, every: int = 20) -> FloatArray:
    """The retained latent states, one more than any row uses, as in the paper: shape (3221,)."""
    return volterra(STATES + 1, step=step, every=every)


def replication(
    rng: np.random.Generator, *, path: FloatArray | None = None, rows: tuple[str, ...] = tuple(ROWS)
) -> Replication:
    """Draw innovations, fit once per condition and run every row over both conditions."""
    latent = (latent_path() if path is None else path)[:STATES]
    innovations = rng.standard_normal(STATES)
    # Paired: the same path and innovations, so that the two conditions differ in the scale after the change alone.
    scale = np.full(STATES, LOW)
    constant = _covered(latent + scale * innovations, rows)
    scale[STATES - BLOCKS.test + CHANGE :] = HIGH
    changed = _covered(latent + scale * innovations, rows)
    measures, delays, curves = [], [], []
    for (steady, steady_width), (inside, width) in zip(constant, changed, strict=True):
        late = slice(CHANGE, None)
        measures.append(
            [
                steady.mean(),
                steady_width.mean(),
                inside[CHANGE : CHANGE + 50].mean(),
                inside[late].mean(),
                width[late].mean(),
            ]
        )
        trailing = running_mean(inside, TRAILING)
        delays.append([recovery_delay(trailing, closed=closed) for closed in (True, False)])
        curves.append([trailing, width])
    return Replication(np.array(measures), np.array(delays), np.array(curves))


def _covered(y: FloatArray, rows: tuple[str, ...]) -> list[tuple[FloatArray, FloatArray]]:
    """Whether each test outcome is covered (0 or 1) and the width of its interval, for every row."""
    model = NGRC(LAGS, ridge=RIDGE)
    (blocks,) = BLOCKS.splits(y.size, model.first_target, 1)
    # The series is taken in its own units, as the printed widths are; the columns are standardised all the same.
    model.fit(y[: blocks.fit.stop], scale=(0.0, 1.0))
    residuals = y - model.predict(y)
    stream = blocks.stream(residuals, model.leverage(y), model.fit_scale_)
    test = residuals[blocks.test]
    results = []
    for name in rows:
        # Around a forecast of zero the band is the offsets themselves.
        band = evaluate(ROWS[name], name, stream, np.zeros(test.size), LEVEL)
        results.append((((band.lower <= test) & (test <= band.upper)).astype(float), band.upper - band.lower))
    return results


def recovery_delay(trailing: FloatArray, *, closed: bool) -> float:
    """Test steps from the change until trailing coverage enters [0.93, 0.97] for good; NaN if it never does.

    A coverage over 100 steps is a whole number of hundredths, so it is rounded before the comparison. `closed`
    False leaves 0.97 itself out, which is what a running mean's rounding did to the printed counts.
    """
    curve = np.round(trailing[CHANGE:], 9)
    inside = (curve >= BAND[0]) & ((curve <= BAND[1]) if closed else (curve < BAND[1]))
    # "For good": the step after the last one outside, which only the whole curve can tell.
    outside = np.flatnonzero(~inside)
    first = int(outside[-1]) + 1 if outside.size else 0
    return float(first) if first < curve.size else float("nan")
