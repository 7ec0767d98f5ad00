"""Lost outcomes, at horizons 1 and 3: every method against its definition over what was observed."""

from collections.abc import Callable
from math import ceil, fsum, sqrt

import numpy as np
import pytest

from ngrc._normal import gaussian_radius
from ngrc._types import FloatArray
from ngrc.intervals import (
    PID,
    SAOCP,
    Adaptive,
    Asymmetric,
    Bayes,
    DtACI,
    Gaussian,
    History,
    IntervalMethod,
    NexCP,
    ResCP,
    Rolling,
    Split,
    Student,
    Unprojected,
    Weighted,
)
from ngrc.online import Online
from tests import twins

START, SIZE, LEVEL = 60, 130, 0.8
Ends = list[tuple[float, float]]


def residuals() -> FloatArray:
    rng = np.random.default_rng(3)
    return np.round(rng.standard_t(4, SIZE) * np.where(np.arange(SIZE) > 90, 2.0, 1.0), 2)


def lost_at(horizon: int) -> set[int]:
    """One that was pending, two in a row, and single ones."""
    return {START - horizon + 1, START + 7, START + 8, START + 20, START + 41}


def observed(horizon: int, t: int) -> list[float]:
    """Residuals known when the interval for position t is issued."""
    values, lost = residuals(), lost_at(horizon)
    return [float(values[j]) for j in range(t - horizon + 1) if j not in lost]


def served(method: IntervalMethod, horizon: int) -> Ends:
    values, lost, known = residuals(), lost_at(horizon), START - horizon + 1
    history = History(values[:known], horizon, fit_scale=1.3)
    online = Online(
        method,
        history,
        LEVEL,
        np.zeros(horizon - 1),
        pending_targets=range(known, START) if horizon > 1 else None,
    )
    ends = []
    for t in range(START, SIZE):
        due = t - horizon
        if t > START:
            if due in lost:
                online.skip(target=due)
            else:
                online.observe(values[due], target=due)
        interval = online.issue(0.0, target=t)
        ends.append((interval.lower, interval.upper))
    return ends


def symmetric(width: Callable[[list[float]], float], horizon: int) -> Ends:
    widths = [width([abs(e) for e in observed(horizon, t)]) for t in range(START, SIZE)]
    return [(-value, value) for value in widths]


def answers(horizon: int) -> list[twins.Event]:
    """What is known when each interval is issued, and which one has just been resolved; none by a lost outcome."""
    lost = lost_at(horizon)
    resolved = [
        due if due >= START and due not in lost else None for due in range(START - horizon, SIZE - horizon)
    ]
    return [
        (observed(horizon, t), None if due is None else due - START)
        for t, due in zip(range(START, SIZE), resolved, strict=True)
    ]


def mirrored(widths: list[float]) -> Ends:
    return [(-width, width) for width in widths]


def adaptive(rate: float, horizon: int) -> Ends:
    """Coverage errors come from observed targets of issued intervals alone."""
    values, lost, current = residuals(), lost_at(horizon), 1.0 - LEVEL
    widths: list[float] = []
    for t in range(START, SIZE):
        due = t - horizon
        if due >= START and due not in lost:
            error = abs(values[due]) > widths[due - START]
            current = min(max(current + rate * ((1.0 - LEVEL) - error), 0.001), 0.999)
        scores = sorted(abs(e) for e in observed(horizon, t))
        rank = ceil((len(scores) + 1) * (1.0 - current) - 1e-9)
        widths.append(scores[min(rank, len(scores)) - 1])
    return [(-width, width) for width in widths]


def rescp(method: ResCP, horizon: int) -> Ends:
    """Row j is the state after the observed residuals of targets up to j - H; a lost target has no row."""
    values, lost, known = residuals(), lost_at(horizon), START - horizon + 1
    reservoir, history = method.reservoir, values[:known]
    rows, state = np.zeros((SIZE + horizon, method.size)), np.zeros(method.size)
    for j in range(SIZE):
        if j not in lost:
            drive = reservoir.matrix @ state
            drive += reservoir.input_weights * (values[j] - history.mean()) / history.std()
            state = (1 - method.leak) * state + np.tanh(drive)
        rows[j + horizon] = state
    norms = np.linalg.norm(rows, axis=1)
    units = rows / np.where(norms > 0, norms, 1.0)[:, np.newaxis]
    tails = np.linspace(0.001, 1.0 - LEVEL - 0.001, method.pairs)
    ends = []
    for t in range(START, SIZE):
        places = [j for j in range(t - horizon + 1) if j not in lost]
        places = places if method.window == "all" else places[-int(method.window or 0) :]
        weights = np.exp((units[places] @ units[t] - 1.0) / float(method.temperature or 0))
        weights *= np.arange(len(places))
        order = np.argsort(values[places], kind="stable")
        mass, ordered = np.cumsum(weights[order]), values[places][order]
        lower, upper = (
            ordered[np.searchsorted(mass, share * (1 + 1e-12) * mass[-1])] for share in (tails, LEVEL + tails)
        )
        best = int(np.argmax(upper - lower <= (upper - lower).min() + 1e-11))
        ends.append((float(lower[best]), float(upper[best])))
    return ends


def calibrated(horizon: int) -> list[float]:
    return [float(value) for value in residuals()[: START - horizon + 1]]


RESERVOIR = ResCP(temperature=0.2, window="all", size=30)
SLIDING = ResCP(temperature=0.2, window=12, size=30)  # its buffers drop old rows as it goes
CASES: list[tuple[IntervalMethod, Callable[[int], Ends]]] = [
    (Bayes(), lambda h: [(-1.3 * gaussian_radius(LEVEL), 1.3 * gaussian_radius(LEVEL))] * (SIZE - START)),
    (
        Split(),
        lambda h: symmetric(lambda _: twins.split_quantile([abs(e) for e in calibrated(h)], LEVEL), h),
    ),
    (Asymmetric(), lambda h: [twins.signed_pair(calibrated(h), LEVEL)] * (SIZE - START)),
    (Rolling(25), lambda h: symmetric(lambda known: twins.split_quantile(known[-25:], LEVEL), h)),
    (
        Gaussian(25),
        lambda h: symmetric(
            lambda known: gaussian_radius(LEVEL) * sqrt(fsum(e * e for e in known[-25:]) / 25), h
        ),
    ),
    (
        Student(),
        lambda h: symmetric(
            lambda known: (
                twins.student_quantile(max(len(known) / h, 1.0), LEVEL)
                * sqrt(fsum(e * e for e in known) / len(known) * (1 + 1 / len(known)))
            ),
            h,
        ),
    ),
    (Adaptive(0.03), lambda h: adaptive(0.03, h)),
    (Weighted(0.9), lambda h: symmetric(lambda known: twins.decayed_quantile(known, 0.9, LEVEL), h)),
    (Unprojected(0.1), lambda h: mirrored(twins.unprojected(answers(h), 0.1, LEVEL)[0])),
    (PID(0.2), lambda h: mirrored(twins.pid(answers(h), 0.2, LEVEL))),
    (DtACI(), lambda h: mirrored(twins.dtaci(answers(h), DtACI().rates, 500, LEVEL)[0])),
    (SAOCP(), lambda h: mirrored(twins.saocp(answers(h), LEVEL))),
    (NexCP(0.9), lambda h: symmetric(lambda known: twins.nexcp_quantile(known, 0.9, LEVEL), h)),
    (RESERVOIR, lambda h: rescp(RESERVOIR, h)),
    (SLIDING, lambda h: rescp(SLIDING, h)),
]


@pytest.mark.parametrize(("method", "twin"), CASES, ids=[method.name for method, _ in CASES])
@pytest.mark.parametrize("horizon", [1, 3])
def test_intervals_after_a_loss_rest_on_what_was_observed(
    method: IntervalMethod, twin: Callable[[int], Ends], horizon: int
) -> None:
    np.testing.assert_allclose(served(method, horizon), twin(horizon), rtol=1e-12, atol=1e-12)
