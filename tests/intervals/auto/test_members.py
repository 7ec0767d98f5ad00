"""Ends of every member, against sorted lists of what each is made of."""

import numpy as np
import pytest

from ngrc._kernels.auto import MEMBERS_COUNT, members_families, members_learn, members_look
from ngrc._kernels.local import BINS_OCTAVE, readout_learn, readout_look
from ngrc._types import FloatArray
from ngrc.intervals.auto import members as crew
from ngrc.intervals.context import Context
from ngrc.intervals.local.readout import start_readout, width
from tests.intervals.local.test_bins import by_sorting

WIDTH = 2.0 ** (1.0 / BINS_OCTAVE)
ALPHAS = np.array([0.47, 0.103, 0.021])
COUNT = 260


def walked() -> tuple[FloatArray, FloatArray, FloatArray, float]:
    """Ends of all members of the last target, sizes of all targets, known residuals and their unit."""
    rng = np.random.default_rng(0)
    scale = np.where(np.arange(COUNT) % 24 < 12, 1.0, 3.0)
    residuals, forecasts = scale * rng.gumbel(size=COUNT), rng.normal(size=COUNT)
    probabilities = np.concatenate([ALPHAS / 2, 1 - ALPHAS / 2])
    readout = start_readout(residuals[:200], Context(forecasts[:200], (24.0,)), 1, probabilities)
    members = crew.start_members(readout)
    sizes, ends = np.zeros(COUNT), np.zeros((MEMBERS_COUNT, 6))
    row = np.zeros(width(readout))
    for target in range(COUNT):
        sizes[target] = readout_look(readout, forecasts[target], target, row)
        members_look(members, row, sizes[target], ALPHAS, ends)
        if target < COUNT - 1:
            members_learn(members, sizes[target], residuals[target])
            readout_learn(readout, row, sizes[target], residuals[target], forecasts[target], target)
    quantiles = np.stack([sizes[-1] * (readout.weights[penalty] @ row) for penalty in range(2)])
    np.testing.assert_allclose(ends[-2:], quantiles, rtol=1e-9)
    return ends, sizes, residuals[:-1], float(readout.columns.constants[0])


def close(said: float, wanted: float) -> bool:
    return bool(1 / WIDTH <= said / wanted <= WIDTH)


def test_ends_are_quantiles_of_sorted_lists_to_the_width_of_a_cell() -> None:
    ends, sizes, residuals, _ = walked()
    scores = residuals / sizes[:-1]
    for level, alpha in enumerate(ALPHAS):
        for place, decay in enumerate((0.95, 0.98, 0.99, 0.997, 1.0)):
            # A memory that holds fewer than three misses is replaced by the next longer one.
            memory = min(
                longer
                for longer in (0.95, 0.98, 0.99, 0.997, 1.0)
                if longer >= decay and 3 * (1 - longer) <= alpha
            )
            radius = by_sorting(np.abs(residuals), 1 - alpha, memory)
            assert close(ends[place, 3 + level], radius)
            assert ends[place, level] == -ends[place, 3 + level]
        for place, decay in enumerate((0.995, 1.0)):
            assert close(ends[5 + place, 3 + level], sizes[-1] * by_sorting(np.abs(scores), 1 - alpha, decay))
            assert ends[5 + place, level] == -ends[5 + place, 3 + level]
            assert close(ends[7 + place, level], sizes[-1] * by_sorting(scores, alpha / 2, decay))
            assert close(ends[7 + place, 3 + level], sizes[-1] * by_sorting(scores, 1 - alpha / 2, decay))


def test_before_the_first_fit_signed_quantiles_stand_in_for_the_readouts() -> None:
    rng = np.random.default_rng(1)
    readout = start_readout(rng.normal(size=60), None, 1, np.array([0.05, 0.95]))
    members = crew.start_members(readout)
    row, ends = np.zeros(width(readout)), np.zeros((MEMBERS_COUNT, 2))
    for residual in rng.normal(size=60):
        size = readout_look(readout, 0.0, 0, row)
        members_learn(members, size, residual)
    members_look(members, row, 1.0, np.array([0.1]), ends)
    assert (ends[-3:] == ends[-3]).all()
    assert ends[-3, 0] < 0 < ends[-3, 1]


def test_beginning_weights_are_those_of_the_families_named() -> None:
    assert crew.taking_part(crew.FAMILIES) == pytest.approx(crew.PRIOR)
    assert sum(crew.PRIOR) == pytest.approx(1.0)
    assert crew.taking_part(("scaled",)).nonzero()[0].tolist() == [5, 6, 7, 8]
    assert crew.taking_part(("quantile", "plain")).nonzero()[0].tolist() == [0, 1, 2, 3, 4, 9, 10]


def test_weights_by_family_are_sums_of_the_members() -> None:
    weights = np.random.default_rng(2).random((4, MEMBERS_COUNT))
    leaned = np.full((4, 3), np.nan)
    members_families(weights, leaned)
    wanted = [weights[:, :5].sum(axis=1), weights[:, 5:9].sum(axis=1), weights[:, 9:].sum(axis=1)]
    np.testing.assert_allclose(leaned, np.transpose(wanted), rtol=1e-12)
