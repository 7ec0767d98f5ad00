"""Beyond the paper: which interval is wider where rows are lagged windows, or those of real NGRC designs."""

from functools import partial

import numpy as np

from ngrc.study.dependent.agreement import agreement, lagged_table, observed_table
from ngrc.study.dependent.checks import NAME, lagged_checks, observed_checks
from ngrc.study.dependent.figure import lagged_figure, observed_figure, prediction_figure
from ngrc.study.dependent.findings import lagged_findings, observed_findings
from ngrc.study.dependent.lagged import FIT, REPS, replication
from ngrc.study.dependent.observed import ORDERS, simulate
from ngrc.study.dependent.trial import CALIBRATION, TEST
from ngrc.study.harness.compare import errors_allowed
from ngrc.study.harness.figure import draw
from ngrc.study.harness.replicate import replicate
from ngrc.study.harness.target import Outcome, Settings, Target
from ngrc.study.real.sources import TITLES, Source, available

PICTURE = (
    "A triangle points up where the Bayesian interval is clearly wider, down where the conformal one is; a ring is "
    "within the standard errors allowed of equality. Black line: SNR = gamma/lambda. "
)
CAPTIONS = {
    "lagged": PICTURE + "Coloured lines: the boundary by finite traces, one per law of the rows; markers of different "
    "laws stand side by side. Random signals have one boundary for all.",
    "observed": PICTURE + "Real rows in order. Dashed: the boundary by the finite trace; solid: row by row. Lines that "
    "leave the panel, or have no boundary within 10 000 times gamma/lambda, are cut off.",
    "shuffled": PICTURE + "The same rows dealt to the three blocks at random; lines as before.",
    "predictions": "Simulated against predicted, one point per cell; dashed is equality, dotted are equal widths and "
    "nominal coverage. A point in the lower right or upper left quarter has the wrong sign.",
    "lagged_signs": "One row per phase picture of simulated rows: cells off the boundary, those clear of zero by "
    "the standard errors allowed (3 in a full run), and how many of these have the wrong sign by each prediction: SNR "
    "= gamma/lambda (boundary), the same with w0'Sigma w0 for the squared norm (output), finite traces (trace), and "
    "traces with the calibration rows' second moments (own). On the boundary (even) every clear difference is wrong. "
    "Sizes are medians of predicted over simulated differences of clear cells.",
    "observed_signs": "The same on real rows, with the row-by-row quantile (rows).",
    "lagged_cells": "One row per cell; strength is SNR lambda/gamma, alignment the k of the text, output w0'Sigma w0.",
    "observed_cells": "One row per cell, as before; an empty boundary lies nowhere within 10 000 times gamma/lambda.",
}  # fmt: skip


def run(settings: Settings) -> Outcome:
    """Simulate both kinds of rows, count signs and hold exact formulas against them."""
    reps = settings.replications(REPS, quick=4)
    samples = np.array(replicate(replication, reps, name=NAME, seed=settings.seed, jobs=settings.jobs))
    found, missing = available(settings)
    observations = simulate(found, reps, settings) if found else ()
    errors, titles = errors_allowed(reps), {source.key: source.title for source in found}
    cells = lagged_table(samples)
    signs = agreement(cells, ["rows", "direction"], reps)
    tables, figures = {"lagged_signs": signs}, {"lagged": draw(partial(lagged_figure, cells, errors))}
    findings, checks = lagged_findings(cells, signs), lagged_checks(samples, signs)
    real = None
    if observations:
        real = observed_table(observations, titles)
        counted = agreement(real, ["rows", "order", "direction"], reps)
        findings += observed_findings(real, counted)
        checks += observed_checks(observations, counted, titles)
        tables |= {"observed_signs": counted, "lagged_cells": cells, "observed_cells": real}
        names = zip(("observed", "shuffled"), ORDERS, strict=True)
        figures |= {name: draw(partial(observed_figure, real, order, errors)) for name, order in names}
    else:
        tables["lagged_cells"] = cells
    figures["predictions"] = draw(partial(prediction_figure, cells, real))
    return Outcome(
        tables=tables,
        figures=figures,
        checks=tuple(checks),
        captions={name: text for name, text in CAPTIONS.items() if name in tables or name in figures},
        findings=tuple(findings),
        notes=_notes(reps, settings, found, missing),
    )


def _notes(
    reps: int, settings: Settings, found: tuple[Source, ...], missing: dict[str, str]
) -> tuple[str, ...]:
    notes = [
        "A result of ours, not of the paper, which proves the ordering for independent isotropic rows; nothing here is "
        "compared with its print.",
        f"{reps} replications (a full run: {REPS}), seed {settings.seed}. Simulated rows: {FIT} to fit, {CALIBRATION} "
        f"scores, {TEST} test rows, each block on a trajectory of its own; standard errors are over trajectories. "
        "Real rows are fixed; replications and standard errors are over noise and signals on them.",
        "SNR is |w0|^2/sigma^2, not w0'Sigma w0/sigma^2: ridge regression is the posterior mean under w0 ~ N(0, "
        "sigma^2/(n lambda) I), whose expected squared norm is sigma^2 gamma/lambda whatever Sigma is. The table "
        "holds the other one as well.",
        "Real rows are the quadratic NGRC features of the paper's model of each dataset, columns centred and scaled by "
        "the fit rows, with simulated responses y = R w0 + e, e ~ N(0, I), and no intercept. Fit rows lie in the first "
        "40 %, scores in the next 40 %, test rows in the rest, evenly spread; as many values as a row reads are left "
        "out between blocks, so that none is seen by two. Shuffled rows are a control and no forecast.",
        "Sigma is the population's on simulated rows, and the second moment of all held-out rows on real ones; large "
        "and small signals are Gaussian in the span of the upper and the lower tenth of its eigenvectors.",
    ]  # fmt: skip
    notes += [f"{source.title}: {source.stand_in}." for source in found if source.stand_in]
    notes += [f"Not run: {TITLES[key]} ({reason})." for key, reason in missing.items()]
    if settings.quick and found:
        notes.append(f"A quick run takes {', '.join(source.title for source in found)} alone.")
    return tuple(notes)


TARGET = Target(
    NAME,
    "Beyond the paper: the width ordering for dependent rows (our result)",
    "The paper proves which interval is wider, SNR = gamma/lambda being the boundary, for independent isotropic rows. "
    "Here the rows are consecutive windows of a white or AR(1) series, and the feature rows of the paper's models of "
    "four datasets; the responses are simulated, so that truth and noise are known. For every aspect ratio, penalty "
    "and strength of the signal, drawn without a preferred direction or along large or small eigenvectors of the "
    "covariance, the sign of W_B^2 - W_C^2 is held against that boundary, against the finite traces with the "
    "design's own spectrum, and against a quantile that is computed row by row. This is a result of ours, not of the "
    "paper.",
    run,
)
