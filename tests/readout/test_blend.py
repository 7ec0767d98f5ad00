"""A combination of readouts against its members."""

import numpy as np
import pytest

from ngrc._types import FloatArray
from ngrc.readout.blend import Blend, Part
from ngrc.readout.fitted import Readout
from tests.readout.twins import slow_ridge

PLACES = (np.array([0, 1, 2]), np.array([4, 1]), np.array([3, 0, 5, 2]))
WEIGHTS = (0.5, 0.3, 0.2)
PENALTIES = (0.1, 1e-3, 2.0)


def problem() -> tuple[FloatArray, FloatArray]:
    rng = np.random.default_rng(0)
    design = rng.normal(2.0, 3.0, (80, 7))
    return design, design @ rng.normal(size=7) + rng.normal(size=80)


def part(design: FloatArray, target: FloatArray, place: int) -> Part:
    columns, penalty = design[:, PLACES[place]], PENALTIES[place]
    direct = slow_ridge(columns, target, penalty)
    coefficients = direct.weights / direct.scales
    width = coefficients.size
    covariance = np.cov(columns.T, bias=True)
    inverse = np.linalg.inv(covariance + penalty * np.diag(direct.scales**2))
    lower = np.linalg.cholesky(inverse[::-1, ::-1])[::-1, ::-1]
    assert lower.shape == (width, width)
    readout = Readout(
        penalty=penalty,
        intercept=direct.intercept - float(direct.means @ coefficients),
        coefficients=coefficients,
        standardised=direct.weights,
        means=direct.means,
        scales=direct.scales,
        count=80,
        d_eff=direct.d_eff,
        fit_scale=1.0,
        solver="gram",
        intercept_penalty=0.0,
        root=lower,
    )
    return Part(WEIGHTS[place], PLACES[place], readout)


def blend() -> tuple[Blend, FloatArray, FloatArray]:
    design, target = problem()
    parts = tuple(part(design, target, place) for place in range(3))
    return Blend(parts, 7, 0.7), design, target


def test_forecasts_and_leverages_are_the_members_weighted_means() -> None:
    mixed, design, target = blend()
    members = [
        slow_ridge(design[:, places], target, penalty)
        for places, penalty in zip(PLACES, PENALTIES, strict=True)
    ]
    asked = np.random.default_rng(1).normal(2.0, 5.0, (9, 7))
    said = sum(
        weight * member.predict(asked[:, places])
        for weight, member, places in zip(WEIGHTS, members, PLACES, strict=True)
    )
    np.testing.assert_allclose(mixed.predict(asked), said, rtol=1e-10)
    np.testing.assert_allclose(mixed.intercept + asked @ mixed.coefficients, said, rtol=1e-10)
    leverages = sum(
        weight * member.leverage(asked[:, places])
        for weight, member, places in zip(WEIGHTS, members, PLACES, strict=True)
    )
    np.testing.assert_allclose(mixed.leverage(asked), leverages, rtol=1e-8)


def test_the_effective_dimension_is_the_trace_of_the_mixed_smoother() -> None:
    mixed, design, target = blend()
    smoother = np.zeros((80, 80))
    for place in range(80):
        unit = np.eye(80)[place]
        for weight, places, penalty in zip(WEIGHTS, PLACES, PENALTIES, strict=True):
            smoother[:, place] += weight * slow_ridge(design[:, places], unit, penalty).predict(
                design[:, places]
            )
    assert mixed.d_eff == pytest.approx(np.trace(smoother), rel=1e-9)
    np.testing.assert_allclose(mixed.predict(design), smoother @ target, rtol=1e-8, atol=1e-8)
    # Its leverage is an upper bound of the squared length of its row, the variance factor of a fitted value.
    assert (mixed.leverage(design) >= np.sum(smoother**2, axis=1) - 1e-12).all()


def test_columns_that_no_member_reads_have_no_weight() -> None:
    mixed, _, _ = blend()
    assert mixed.coefficients.shape == (7,)
    assert mixed.coefficients[6] == 0.0
    assert mixed.coefficients[4] == WEIGHTS[1] * mixed.parts[1].readout.coefficients[0]


def test_the_leading_member_stands_for_the_others() -> None:
    mixed, _, _ = blend()
    assert mixed.lead is mixed.parts[0].readout
    assert (mixed.penalty, mixed.count, mixed.intercept_penalty, mixed.fit_scale) == (0.1, 80, 0.0, 0.7)


def test_no_rows_give_no_forecasts() -> None:
    mixed, _, _ = blend()
    assert mixed.predict(np.empty((0, 7))).shape == (0,)
