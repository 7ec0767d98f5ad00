"""What Experiment 2 showed, in words made from its numbers."""

from collections.abc import Sequence

import numpy as np

from ngrc._types import FloatArray
from ngrc.study.harness.compare import errors_allowed
from ngrc.study.harness.record import Check
from ngrc.study.phase.cells import (
    BAYES,
    BAYES_COVERAGE,
    BAYES_TRACE,
    LEVEL,
    RATIOS,
    RIDGES,
    SNRS,
    SPLIT,
    SPLIT_TRACE,
)
from ngrc.study.phase.checks import boundary, clear_sides, undercovers, wrong_signs
from ngrc.study.simulated.words import chance
from ngrc.theory import phase


def findings(samples: FloatArray, checks: Sequence[Check]) -> tuple[str, ...]:
    """Sentences on the ordering, the traces and the coverage."""
    return (_ordering(samples), _traces(samples), _coverage(samples), chance(checks))


def _ordering(samples: FloatArray) -> str:
    difference = (samples[..., BAYES] - samples[..., SPLIT]).mean(axis=0)
    predicted, clear = -np.sign(boundary()), clear_sides(samples) != 0
    off = predicted != 0
    agreed = int(np.sum((np.sign(difference) == predicted) & off))
    return (
        f"The mean squared-width difference has the predicted sign in {agreed} of {int(off.sum())} cells off the "
        f"boundary; it is clear by {errors_allowed(len(samples)):.1f} standard errors in {int(clear.sum())} cells, of "
        f"which {wrong_signs(samples)} have the wrong sign."
    )


def _traces(samples: FloatArray) -> str:
    mean = samples.mean(axis=0)
    told = []
    for name, width, trace in (("Bayesian", BAYES, BAYES_TRACE), ("split-conformal", SPLIT, SPLIT_TRACE)):
        error = np.abs(mean[..., width] / mean[..., trace] - 1.0)
        i, j, k = np.unravel_index(int(np.argmax(error)), error.shape)
        told.append(
            f"{name} ones within {error.max():.2%} (furthest at gamma {RATIOS[i]:g}, lambda {RIDGES[j]:g}, "
            f"SNR {SNRS[k]:g})"
        )
    return f"Mean squared widths follow the mean of their finite traces: {' and '.join(told)}."


def _coverage(samples: FloatArray) -> str:
    covered = samples[..., BAYES_COVERAGE].mean(axis=0)
    limit = [[[phase(g, r, s**0.5, 1.0, LEVEL).coverage_bayes for s in SNRS] for r in RIDGES] for g in RATIOS]
    sides, below = clear_sides(samples), undercovers(samples)
    parts = [
        f"Bayesian coverage lies between {covered.min():.3f} and {covered.max():.3f}, and nowhere further than "
        f"{np.abs(covered - np.array(limit)).max():.4f} from its limit."
    ]
    for side, word in ((-1, "narrower"), (1, "wider")):
        cells = sides == side
        if cells.any():
            parts.append(
                f"Of the {int(cells.sum())} cells where the Bayesian interval is clearly {word}, "
                f"{int((below & cells).sum())} clearly undercover."
            )
    return " ".join(parts)
