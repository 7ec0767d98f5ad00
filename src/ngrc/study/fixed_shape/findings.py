"""What Experiment 1 showed, in words made from its numbers."""

from collections.abc import Sequence

import numpy as np

from ngrc._types import FloatArray
from ngrc.study.fixed_shape.cells import LAWS, LEVELS, limits
from ngrc.study.fixed_shape.checks import clear_sides
from ngrc.study.harness.compare import ERRORS
from ngrc.study.harness.record import Check
from ngrc.study.simulated.words import chance, listed


def findings(samples: FloatArray, checks: Sequence[Check]) -> tuple[str, ...]:
    """Sentences on width differences, coverage and the formulas."""
    return (*_sides(samples), _coverage(samples), chance(checks))


def _sides(samples: FloatArray) -> list[str]:
    """One sentence per law: at which levels the Bayesian interval is clearly wider or narrower."""
    sides, coverage = clear_sides(samples, 0), samples[..., 1].mean(axis=0)
    sentences = []
    for law, row, covered in zip(LAWS.values(), sides, coverage, strict=True):
        parts = []
        for side, word in ((-1, "narrower"), (1, "wider")):
            where = [
                f"{level:.0%} (covering {share:.1%})"
                for level, share, sign in zip(LEVELS, covered, row, strict=True)
                if sign == side
            ]
            parts += [f"{word} than the conformal one at {listed(where)}"] if where else []
        told = " and ".join(parts) if parts else "not clearly wider or narrower at any level"
        sentences.append(f"{law} residuals: the Bayesian interval is {told}.")
    return [" ".join(sentences) + f" Clear means by more than {ERRORS:g} standard errors."]


def _coverage(samples: FloatArray) -> str:
    mean = samples.mean(axis=0)
    split = np.abs(mean[..., 2] - np.array(LEVELS))
    limit = np.array([[one.coverage_bayes for one in row] for row in limits()])
    bayes = np.abs(mean[..., 1] - limit)
    i, j = np.unravel_index(int(np.argmax(bayes)), bayes.shape)
    return (
        f"Split-conformal coverage lies within {split.max():.4f} of its nominal level for every law and level; "
        f"Bayesian coverage within {bayes.max():.4f} of its limit, the farthest being {tuple(LAWS.values())[i]} "
        f"residuals at {LEVELS[j]:.0%}."
    )
