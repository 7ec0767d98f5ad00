"""Every comparison of Experiment 4 but those of the halved step."""

from collections.abc import Callable, Sequence

import numpy as np

from ngrc._types import AnyArray, FloatArray
from ngrc.study.harness.compare import (
    against_formula,
    equal,
    exact,
    holds,
    incomparable,
    monte_carlo,
)
from ngrc.study.harness.estimate import estimate
from ngrc.study.harness.printed import printed
from ngrc.study.harness.record import Cell, Check
from ngrc.study.volterra.cells import MEASURES, Replication, latent_path
from ngrc.study.volterra.printed import CHANGE, HIGH, LOW, REPS, ROWS, TITLES
from ngrc.study.volterra.recurrences import PILOT, Variant, nearest
from ngrc.theory import euler_amplification, euler_step_bound

NAME = "volterra"
TABLE, NUMERICS, SYSTEM = (
    "tab:sim_volterra_response",
    "app:volterra_numerics",
    "subsec:sim_nonlinear_volterra",
)
OPEN_BAND = "0.97 left out of the band, as in the printed counts"


def response_checks(measures: FloatArray, shown: Sequence[Variant]) -> list[Check]:
    """The five means of every row."""
    checks = []
    for i, (name, title) in enumerate(TITLES.items()):
        for j, measure in enumerate(MEASURES):
            cell = Cell(NAME, TABLE, f"{title}, {measure.replace('_', ' ')}")
            reason = _elsewhere(name, shown, _column(j))
            paper = printed(ROWS[name].measures[j])
            checks.append(monte_carlo(cell, estimate(measures[:, i, j]), paper, REPS, reason))
    return checks


def recovery_checks(delays: FloatArray, shown: Sequence[Variant]) -> list[Check]:
    """Recovered shares and mean delays, the upper end of the band left out as in the printed counts."""
    checks = []
    for i, (name, title) in enumerate(TITLES.items()):
        paper, recovered = ROWS[name], np.isfinite(delays[:, i])
        share = paper.recovered / REPS
        # A printed 0/100 leaves no spread: its error is that of the one success it could have missed.
        spread = np.sqrt(share * (1 - share) / REPS) if share else 1 / REPS
        elsewhere = _elsewhere(name, shown, lambda one: np.isfinite(one.delays))
        reason = "; ".join(filter(None, (OPEN_BAND, elsewhere)))
        cell = Cell(NAME, TABLE, f"{title}, recovery fraction")
        text = f"{share:.2f}±{spread:.6f}"
        checks.append(monte_carlo(cell, estimate(recovered.astype(float)), printed(text), REPS, reason))
        if paper.delay is not None:
            checks.append(_delay_check(title, delays[recovered, i], paper.delay, paper.recovered))
    return checks


def _delay_check(title: str, delays: FloatArray, text: str, recovered: int) -> Check:
    cell, paper = Cell(NAME, TABLE, f"{title}, recovery delay"), printed(text)
    if delays.size < 2:
        return incomparable(cell, paper.value, f"{delays.size} of our replications recovered: no error")
    return monte_carlo(cell, estimate(delays), paper, recovered)


def _elsewhere(name: str, shown: Sequence[Variant], measure: Callable[[Variant], AnyArray]) -> str:
    """What a row of ResCP is at the setting nearest the print: the test of the reason that settings are not printed."""
    if not name.startswith("rescp"):
        return ""
    group = nearest([one for one in shown if one.settings != PILOT])
    (other,) = (one for one in group if one.policy == name)
    return (
        f"settings by our pilot, as the paper's are not printed; {float(measure(other).mean()):.3f} with: "
        f"{other.settings}, recurrence of the {other.method.recurrence}"
    )


def _column(place: int) -> Callable[[Variant], AnyArray]:
    return lambda one: one.measures[:, place]


def condition_checks(replications: Sequence[Replication]) -> list[Check]:
    """Where the two conditions part and the noise on either side, from the residuals and observations used."""
    parted = {one.change for one in replications}
    # The farthest from the print, so that one replication that parts elsewhere is seen.
    farthest = max(parted, key=lambda step: abs(step - CHANGE))
    noise = np.array([one.noise for one in replications])
    checks = [
        equal(Cell(NAME, SYSTEM, "test step at which the conditions part"), farthest, CHANGE, kind="printed")
    ]
    for side, part, scale in (
        ("before", slice(None, CHANGE), LOW),
        ("from it on", slice(CHANGE, None), HIGH),
    ):
        variances = estimate((noise[:, part] ** 2).mean(axis=1))
        cell = Cell(NAME, SYSTEM, f"variance of the noise, {side}")
        checks.append(against_formula(cell, variances, scale**2))
    return checks


def claim_checks(measures: FloatArray, delays: FloatArray) -> list[Check]:
    """The text's orderings."""
    places = {name: i for i, name in enumerate(TITLES)}
    mean, recovered = measures.mean(axis=0), np.isfinite(delays).mean(axis=0)
    fifo, everything = places["rescp-fifo"], places["rescp-all"]
    late = [MEASURES.index(name) for name in ("high_noise_coverage", "high_noise_width")]
    rises = int((mean[fifo, late] > mean[everything, late]).sum() + (recovered[fifo] > recovered[everything]))
    under = int((mean[[fifo, everything], 0] < 0.95).sum())
    others = np.delete(recovered, places["adaptive"])
    most = int((recovered[places["adaptive"]] > others).sum())
    seeing = [places[name] for name in ("rolling", "gaussian", "adaptive", "weighted")]
    frozen = max(mean[places[name], late[0]] for name in ("bayes", "split"))
    above = int((mean[seeing, late[0]] > frozen).sum())
    statements = {
        "ResCP policies that undercover with constant noise": (under, 2),
        "methods that see recent errors and cover more than both frozen ones": (above, len(seeing)),
        "high-noise coverage, width and recoveries that FIFO raises over all history": (rises, 3),
        "methods that recover less often than adaptive conformal": (most, others.size),
    }
    checks = [holds(Cell(NAME, TABLE, name), ours, count) for name, (ours, count) in statements.items()]
    if len(measures) >= REPS:
        return checks
    # A count of recoveries in a handful of replications orders nothing.
    why = f"recoveries are ordered at {REPS} replications, not at {len(measures)}"
    return [*checks[:2], *(_unjudged(check, why) for check in checks[2:])]


def _unjudged(check: Check, why: str) -> Check:
    return incomparable(
        Cell(check.target, check.table, check.cell), check.expected, why, check.ours, kind=check.kind
    )


def numeric_checks() -> list[Check]:
    """The latent path, halved, and the stability of its integration."""
    coarse, fine = latent_path(), latent_path(0.0025, 40)
    gap = np.abs(coarse - fine)
    rms = float(np.sqrt(np.mean(gap**2)))
    numbers = {
        "largest difference, step halved": (gap.max(), "0.00126"),
        "RMS difference, step halved": (rms, "0.000886"),
        "RMS difference in % of the range": (100 * rms / np.ptp(coarse), "0.044"),
        "stability bound": (euler_step_bound(0.2, 2 * np.pi), "0.01012"),
        "amplification at 0.1": (euler_amplification(0.1, 0.2, 2 * np.pi), "1.164"),
        "amplification at 0.005": (euler_amplification(0.005, 0.2, 2 * np.pi), "0.99949"),
    }
    states = equal(Cell(NAME, NUMERICS, "retained states"), coarse.size, 3221, kind="printed")
    digits = (
        exact(Cell(NAME, NUMERICS, cell), float(ours), printed(paper))
        for cell, (ours, paper) in numbers.items()
    )
    return [states, *digits]
