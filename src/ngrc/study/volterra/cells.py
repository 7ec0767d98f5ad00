"""One paired replication of Experiment 4: the same path and innovations with and without the change of noise."""

from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np

from ngrc._types import FloatArray
from ngrc.backtesting.scoring import evaluate
from ngrc.datasets import volterra
from ngrc.intervals import IntervalMethod, ResCP
from ngrc.intervals.base import Stream
from ngrc.metrics import running_mean
from ngrc.model import NGRC
from ngrc.study.volterra.settings import BLOCKS, CHANGE, HIGH, LAGS, LOW, METHODS, RIDGE

LEVEL, TRAILING, BAND = 0.95, 100, (0.93, 0.97)
STATES = LAGS + BLOCKS.fit + BLOCKS.calibration + BLOCKS.test

Methods = Mapping[str, IntervalMethod]


def rows(reservoir: ResCP) -> dict[str, IntervalMethod]:
    """The eight rows of the response table, ResCP's two with this reservoir and temperature."""
    plain = {name: method for name, method in METHODS.items() if name not in ("asymmetric", "rescp")}
    return plain | policies(reservoir)


def policies(reservoir: ResCP) -> dict[str, IntervalMethod]:
    """The two histories of ResCP, which share all other settings."""
    return {
        "rescp-all": replace(reservoir, window="all"),
        "rescp-fifo": replace(reservoir, window="fifo"),
    }


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
    change: int
    """The first test step whose residual differs between the two conditions."""
    noise: FloatArray
    """Noise of the test observations under the change, observation minus latent state, shape (test,)."""


def latent_path(step: float = 0.005, every: int = 20) -> FloatArray:
    """The retained latent states, one more than any row uses, as in the paper: shape (3221,)."""
    return volterra(STATES + 1, step=step, every=every)


def replication(rng: np.random.Generator, *, methods: Methods, path: FloatArray | None = None) -> Replication:
    """Draw innovations, fit once per condition and run every method over both conditions."""
    latent = (latent_path() if path is None else path)[:STATES]
    innovations = rng.standard_normal(STATES)
    # Paired: the same path and innovations, so that the two conditions differ in the scale after the change alone.
    scale = np.full(STATES, LOW)
    steady = stream(latent + scale * innovations)
    scale[STATES - BLOCKS.test + CHANGE :] = HIGH
    observed = latent + scale * innovations
    changed = stream(observed)
    summaries = [
        _summary(*_covered(method, steady), *_covered(method, changed)) for method in methods.values()
    ]
    measures, delays, curves = (np.array(part) for part in zip(*summaries, strict=True))
    differing = np.flatnonzero(steady.residuals[steady.start :] != changed.residuals[changed.start :])
    noise = (observed - latent)[-BLOCKS.test :]
    return Replication(measures, delays, curves, int(differing[0]), noise)


def stream(y: FloatArray) -> Stream:
    """Residuals of the calibration and test rows around a readout that was fitted once."""
    model = NGRC(LAGS, ridge=RIDGE)
    (blocks,) = BLOCKS.splits(y.size, model.first_target, 1)
    # The series is taken in its own units, as the printed widths are; the columns are standardised all the same.
    model.fit(y[: blocks.fit.stop], scale=(0.0, 1.0))
    return blocks.stream(y - model.predict(y), model.leverage(y), model.fit_scale_)


def _covered(method: IntervalMethod, stream: Stream) -> tuple[FloatArray, FloatArray]:
    """Whether each test outcome is covered (0 or 1) and the width of its interval."""
    test = stream.residuals[stream.start :]
    # Around a forecast of zero the band is the offsets themselves.
    band = evaluate(method, method.name, stream, np.zeros(test.size), LEVEL)
    return ((band.lower <= test) & (test <= band.upper)).astype(float), band.upper - band.lower


def _summary(
    steady: FloatArray, steady_width: FloatArray, inside: FloatArray, width: FloatArray
) -> tuple[list[float], list[float], list[FloatArray]]:
    """The measures, delays and curves of one method."""
    late = slice(CHANGE, None)
    first = inside[CHANGE : CHANGE + 50]
    measures = [steady.mean(), steady_width.mean(), first.mean(), inside[late].mean(), width[late].mean()]
    trailing = running_mean(inside, TRAILING)
    delays = [recovery_delay(trailing, closed=closed) for closed in (True, False)]
    return measures, delays, [trailing, width]


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
