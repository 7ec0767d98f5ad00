"""The shared factorisation against plain linear algebra."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ngrc.study.simulated.ridge import gram_spectrum, leverages, readouts
from ngrc.theory import spectrum


@settings(deadline=None, max_examples=40)
@given(st.integers(2, 30), st.integers(1, 30), st.integers(0, 10_000), st.sampled_from([1e-3, 0.05, 2.0]))
def test_readouts_and_leverages_are_the_explicit_inverse(
    rows: int, columns: int, seed: int, ridge: float
) -> None:
    rng = np.random.default_rng(seed)
    R, T, Y = (rng.standard_normal(shape) for shape in ((rows, columns), (5, columns), (rows, 2)))
    design = gram_spectrum(R)
    inverse = np.linalg.inv(R.T @ R / rows + ridge * np.eye(columns))
    found = readouts(design, R.T @ Y / rows, ridge)
    np.testing.assert_allclose(found, inverse @ R.T @ Y / rows, rtol=1e-7, atol=1e-9)
    expected = [np.einsum("ij,jk,ik->i", T, inverse, T) / rows]
    expected.append(
        np.einsum("ij,jk,ik->i", T, np.linalg.inv(R.T @ R / rows + 3 * ridge * np.eye(columns)), T) / rows
    )
    np.testing.assert_allclose(leverages(design, T, [ridge, 3 * ridge]), expected, rtol=1e-7, atol=1e-9)


@pytest.mark.parametrize("shape", [(40, 12), (12, 40), (15, 15)])
def test_spectrum_agrees_with_the_singular_value_decomposition(shape: tuple[int, int]) -> None:
    R = np.random.default_rng(3).standard_normal(shape)
    quick, sure = gram_spectrum(R), spectrum(R)
    np.testing.assert_allclose(quick.values, sure.values, rtol=1e-9, atol=1e-12)
    vector = np.arange(shape[1], dtype=np.float64)
    np.testing.assert_allclose(quick.shrunk(vector, 0.3), sure.shrunk(vector, 0.3), rtol=1e-8, atol=1e-9)
    np.testing.assert_allclose(quick.vectors.T @ quick.vectors, np.eye(min(shape)), atol=1e-9)
