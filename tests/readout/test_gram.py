import numpy as np
import pytest

from ngrc.features import FeatureMap
from ngrc.readout.gram import column_means, explicit_gram
from tests.readout.twins import example_rows, paper_map


@pytest.mark.parametrize(
    "feature_map", [paper_map(3), paper_map(2, 3, 3), paper_map(2, periods=(24.0,), half_lives=(5.0,))]
)
@pytest.mark.parametrize("count", [30, 5000])
def test_moments_of_the_explicit_design(feature_map: FeatureMap, count: int) -> None:
    rows = example_rows(feature_map, "season", count)
    gram = explicit_gram(rows)
    design, target = rows.design, rows.target
    standardised = (design - design.mean(axis=0)) / design.std(axis=0)
    assert gram.count == rows.count
    np.testing.assert_allclose(gram.means, design.mean(axis=0), atol=1e-13)
    np.testing.assert_allclose(gram.scales, design.std(axis=0), rtol=1e-12)
    np.testing.assert_allclose(gram.matrix, standardised.T @ standardised / rows.count, atol=1e-12)
    np.testing.assert_allclose(gram.cross, standardised.T @ target / rows.count, atol=1e-12)
    assert gram.target_mean == pytest.approx(target.mean(), abs=1e-14)


def test_constant_columns_become_zeros() -> None:
    rows = example_rows(paper_map(2), "signs", 200)
    gram = explicit_gram(rows)
    squares = [2, 4]
    assert gram.scales[squares].tolist() == [1.0, 1.0]
    assert np.abs(gram.matrix[squares]).max() < 1e-15
    np.testing.assert_allclose(np.diagonal(gram.matrix)[[0, 1, 3]], 1.0)


def test_means_by_blocks() -> None:
    rows = example_rows(paper_map(3), "walk", 5000)
    np.testing.assert_allclose(column_means(rows), rows.design.mean(axis=0), atol=1e-13)
