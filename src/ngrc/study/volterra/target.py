"""Experiment 4: who notices that the noise has risen, and how soon."""

from functools import partial
from typing import Any

import numpy as np
import polars as pl

from ngrc._types import FloatArray
from ngrc.study.harness.compare import equal, exact, monte_carlo
from ngrc.study.harness.estimate import error_columns, estimate, standard_error
from ngrc.study.harness.figure import draw
from ngrc.study.harness.printed import printed
from ngrc.study.harness.record import Cell, Check
from ngrc.study.harness.replicate import replicate
from ngrc.study.harness.target import Outcome, Settings, Target
from ngrc.study.volterra.cells import MEASURES, ROWS, Replication, latent_path, replication
from ngrc.study.volterra.figure import response
from ngrc.study.volterra.settings import BLOCKS, CHANGE
from ngrc.theory import euler_amplification, euler_step_bound

NAME, REPS = "volterra", 100
TABLE, NUMERICS = "tab:sim_volterra_response", "app:volterra_numerics"
TITLES = {
    "bayes": "Bayesian (frozen scale)",
    "split": "SCP (frozen quantile)",
    "rolling": "Rolling SCP",
    "gaussian": "Updated Gaussian",
    "adaptive": "Adaptive CP",
    "weighted": "Time-weighted CP",
    "rescp-all": "ResCP (all history)",
    "rescp-fifo": "ResCP (shift-aware FIFO, N = 800)",
}

# Five means with standard errors, replications that recovered, and their mean delay.
PRINTED = {
    "bayes": ("0.941±0.001", "0.624±0.001", "0.702±0.005", "0.726±0.001", "0.858±0.003", 0, None),
    "split": ("0.949±0.001", "0.645±0.002", "0.606±0.008", "0.595±0.003", "0.645±0.002", 0, None),
    "rolling": ("0.950±0.000", "0.656±0.002", "0.794±0.004", "0.935±0.001", "1.502±0.006", 62, "592.6±5.1"),
    "gaussian": ("0.947±0.001", "0.643±0.002", "0.756±0.005", "0.929±0.001", "1.458±0.005", 58, "587.2±5.5"),
    "adaptive": ("0.949±0.000", "0.650±0.002", "0.832±0.003", "0.938±0.000", "1.544±0.007", 80, "546.6±9.8"),
    "weighted": ("0.945±0.000", "0.642±0.002", "0.828±0.004", "0.933±0.000", "1.476±0.006", 76, "574.4±7.6"),
    "rescp-all": (
        "0.911±0.001",
        "0.583±0.002",
        "0.602±0.006",
        "0.815±0.001",
        "1.127±0.005",
        11,
        "610.3±13.7",
    ),
    "rescp-fifo": (
        "0.901±0.001",
        "0.571±0.002",
        "0.602±0.006",
        "0.830±0.001",
        "1.177±0.005",
        17,
        "603.3±9.8",
    ),
}


def run(settings: Settings) -> Outcome:
    """Replicate both conditions, tabulate the responses, and repeat the cheap rows with the step halved."""
    reps = settings.replications(REPS)
    # The same name and seed twice: the halved step meets the same innovations, so that only the path differs.
    simulate = partial(replicate, count=reps, name=NAME, seed=settings.seed, jobs=settings.jobs)
    replications: list[Replication] = simulate(replication)
    # Without ResCP, the one costly row.
    quick_rows = tuple(name for name in ROWS if not name.startswith("rescp"))
    halved: list[Replication] = simulate(partial(replication, path=latent_path(0.0025, 40), rows=quick_rows))
    measures = np.array([each.measures for each in replications])
    delays = np.array([each.delays for each in replications])
    curves = np.array([each.curves for each in replications])
    change = (
        np.array([each.measures for each in halved]).mean(axis=0) - measures.mean(axis=0)[: len(quick_rows)]
    )
    return Outcome(
        tables={"volterra": _table(measures, delays), "step_halving": _step_table(change)},
        figures={"volterra": draw(partial(response, curves, TITLES, CHANGE))},
        checks=(*_response_checks(measures), *_recovery_checks(delays, reps), *_numeric_checks()),
        captions={
            "volterra": "Trailing coverage over 100 test steps (left) and interval width (right), means over "
            "replications with 95 % Monte-Carlo bands; the dashed line marks the rise of the noise from 0.15 to 0.35.",
            "step_halving": "Largest change of a mean coverage and of a mean width when the integration step "
            "is halved, over all rows but ResCP's.",
        },
        notes=(
            f"{reps} paired replications (the paper: {REPS}), seed {settings.seed}.",
            "ResCP uses temperature 0.10 and the stochastic sampler. The paper tuned it on a pilot and does not print "
            "the outcome; of its grid, 0.10 comes closest to the printed rows.",
            "Recovery is counted with the stated closed band [0.93, 0.97], and again with 0.97 left out, which is how "
            "the printed counts come out: a running mean in floating point puts 97 of 100 just above 0.97.",
        ),
    )


def _table(measures: FloatArray, delays: FloatArray) -> pl.DataFrame:
    mean, error = measures.mean(axis=0), standard_error(measures)
    records = []
    for i, name in enumerate(ROWS):
        record: dict[str, Any] = {"method": TITLES[name]}
        record |= error_columns(MEASURES, mean[i], error[i])
        for k, band in enumerate(("closed", "open")):
            settled = delays[:, i, k][~np.isnan(delays[:, i, k])]
            record |= {
                f"recovered_{band}": settled.size,
                f"delay_{band}": settled.mean() if settled.size else None,
            }
        records.append(record)
    return pl.DataFrame(records)


def _step_table(change: FloatArray) -> pl.DataFrame:
    largest = np.abs(change).max(axis=0)
    return pl.DataFrame({"measure": list(MEASURES), "largest_change": largest})


def _response_checks(measures: FloatArray) -> list[Check]:
    checks = []
    for i, name in enumerate(ROWS):
        for j, measure in enumerate(MEASURES):
            cell, paper = Cell(NAME, TABLE, f"{TITLES[name]}, {measure.replace('_', ' ')}"), PRINTED[name][j]
            ours = estimate(measures[:, i, j])
            checks.append(monte_carlo(cell, ours, printed(str(paper)), REPS))
    return checks


def _recovery_checks(delays: FloatArray, reps: int) -> list[Check]:
    """Recovered shares and delays, the upper end of the band left out as in the printed counts."""
    checks = []
    for i, name in enumerate(ROWS):
        share, delay = int(PRINTED[name][5] or 0) / REPS, PRINTED[name][6]
        recovered = ~np.isnan(delays[:, i, 1])
        cells = [
            Cell(NAME, TABLE, f"{TITLES[name]}, {what}") for what in ("recovery fraction", "recovery delay")
        ]
        # A printed 0/100 leaves no spread: its error is that of the one success it could have missed.
        spread = max(np.sqrt(share * (1 - share) / REPS), 1 / REPS if share == 0 else 0.0)
        ours = estimate(recovered.astype(float))
        checks.append(monte_carlo(cells[0], ours, printed(f"{share:.2f}±{spread:.6f}"), REPS,
                                  reason="0.97 left out of the band, as in the printed counts"))  # fmt: skip
        if delay is not None and recovered.sum() > 1:
            checks.append(monte_carlo(cells[1], estimate(delays[recovered, i, 1]), printed(str(delay)), REPS))
    return checks


def _numeric_checks() -> list[Check]:
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
    return [
        states,
        *(
            exact(Cell(NAME, NUMERICS, cell), float(ours), printed(paper))
            for cell, (ours, paper) in numbers.items()
        ),
    ]


TARGET = Target(
    NAME,
    "Experiment 4: online robustness in a nonlinear Volterra system",
    "One NGRC readout is fitted once to a nonlinear system with memory; then the observation noise more than doubles. "
    "Intervals whose width is frozen keep missing: split conformal falls below 60 % and the Bayesian interval, which "
    "widens through leverage alone, to about 73 %. Rolling, updated Gaussian, adaptive and time-weighted intervals see "
    "recent errors and come back to about 93 %. That the updated Gaussian does as well as the conformal ones "
    "shows that what matters is access to recent errors, not conformality. Blocks are "
    f"{BLOCKS.fit}, {BLOCKS.calibration} and {BLOCKS.test} rows; the noise rises at test step {CHANGE}.",
    run,
)
