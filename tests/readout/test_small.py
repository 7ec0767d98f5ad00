"""Designs so small that their columns are held: the same numbers as by structure."""

import numpy as np
import pytest

from ngrc.features import FeatureMap, Rows
from ngrc.features import rows as rows_module
from ngrc.readout import DEFAULT_RIDGES, Readout, select_readout
from ngrc.readout.growing import row_moments
from ngrc.readout.moments import design_gram, nested_grams
from tests.readout.twins import example_rows, paper_map

MAPS = [paper_map(5), paper_map(4, 3, periods=(24.0,), half_lives=(5.0,)), paper_map(7, degree=1)]


def held(feature_map: FeatureMap, kind: str, monkeypatch: pytest.MonkeyPatch) -> tuple[Rows, Rows]:
    """The same rows by structure, and with all their columns."""
    plain = example_rows(feature_map, kind, 300, horizon=2)
    assert plain.whole().explicit is None
    monkeypatch.setattr(rows_module, "SMALL", 2**16)
    small = plain.whole()
    assert plain.explicit is None
    assert small.explicit is not None
    return plain, small


@pytest.mark.parametrize("feature_map", MAPS)
def test_held_columns_are_the_columns_and_are_made_once(
    feature_map: FeatureMap, monkeypatch: pytest.MonkeyPatch
) -> None:
    plain, small = held(feature_map, "walk", monkeypatch)
    part, twin = small.part(20, 90), plain.part(20, 90)
    np.testing.assert_array_equal(part.design, twin.design)
    np.testing.assert_array_equal(part.extras, twin.extras)
    assert part.explicit is not None
    assert np.shares_memory(part.explicit, small.explicit)


@pytest.mark.parametrize("kind", ["noise", "walk", "season", "late"])
@pytest.mark.parametrize("feature_map", MAPS)
def test_moments_and_readouts_are_those_of_structure(
    feature_map: FeatureMap, kind: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    plain, small = held(feature_map, kind, monkeypatch)
    monkeypatch.setattr(rows_module, "SMALL", 0)
    by_structure = (*nested_grams(plain, 200), design_gram(plain)), row_moments(plain)
    readout, validation = select_readout(plain, DEFAULT_RIDGES)
    monkeypatch.setattr(rows_module, "SMALL", 2**16)
    for ours, twin in zip((*nested_grams(small, 200), design_gram(small)), by_structure[0], strict=True):
        np.testing.assert_allclose(ours.matrix, twin.matrix, atol=1e-11)
        np.testing.assert_allclose(ours.cross, twin.cross, atol=1e-11)
    np.testing.assert_allclose(row_moments(small).covariance, by_structure[1].covariance, atol=1e-11)
    again, scores = select_readout(small, DEFAULT_RIDGES)
    assert again.penalty == readout.penalty
    np.testing.assert_allclose(scores.scores, validation.scores, rtol=1e-8, atol=1e-12)
    _same(again, readout, small)


def _same(ours: Readout, twin: Readout, rows: Rows) -> None:
    np.testing.assert_allclose(ours.predict(rows.design), twin.predict(rows.design), atol=1e-8)
    np.testing.assert_allclose(ours.leverage(rows.design), twin.leverage(rows.design), rtol=1e-6)
    assert ours.fit_scale == pytest.approx(twin.fit_scale, rel=1e-9, abs=1e-12)
    assert ours.d_eff == pytest.approx(twin.d_eff, rel=1e-6)
