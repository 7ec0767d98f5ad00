"""The bank of smoothings: weighted by errors that were known, and without those that left the numbers."""

from itertools import pairwise

import numpy as np
import pytest

from ngrc.auto.bank import Bank, bank_shares, bank_trial, smoothings, weighted
from ngrc.features.smoothing import Smoothing
from ngrc.features.smoothings import Gains
from tests.auto.test_trial import arena_of, values


@pytest.mark.parametrize("horizon", [1, 3])
def test_every_fold_of_the_bank_is_weighted_by_errors_before_it(horizon: int) -> None:
    y = values(90)
    arena, data = arena_of(y, horizon, first=24 + horizon)
    bank = smoothings(y.size, 12.0)
    many = len(bank.gains)
    trial = bank_trial((arena,), Bank(bank, (arena.fixed_errors(bank),)))
    targets = range(arena.ledger.first, y.size)
    table = np.array(
        [
            [data.smoothed(gain, 12).forecast(target - horizon, horizon) for gain in bank.gains]
            for target in targets
        ]
    )
    errors = y[arena.ledger.first :, None] - arena.scale.restore(table)
    np.testing.assert_allclose(arena.fixed_errors(bank), errors, atol=1e-9)
    edges, expected = arena.ledger.folds.edges, []
    for begin, end in pairwise(edges):
        known = begin - horizon + 1
        shares = bank_shares([errors[:known]], many)
        expected.append(errors[begin:end] @ shares)
    np.testing.assert_allclose(trial.errors[0], np.concatenate(expected), atol=1e-9)
    assert trial.columns == 0
    assert trial.recipe.smoothing is not None
    kept = trial.recipe.smoothing.gains
    # At last all errors count.
    whole = bank_shares([errors], many)
    assert trial.recipe.shares[0] / trial.recipe.shares[1] == pytest.approx(
        whole[bank.gains.index(kept[0])] / whole[bank.gains.index(kept[1])]
    )
    assert sum(trial.recipe.shares) == pytest.approx(1.0)
    assert len(trial.recipe.shares) == len(kept)


def test_shares_fall_with_the_mean_size_of_errors() -> None:
    rng = np.random.default_rng(2)
    tables = [rng.normal(size=(rows, 3)) * np.array([1.0, 2.0, 4.0]) for rows in (40, 30)]
    sizes = np.array([np.abs(table).mean(axis=0) / np.median(np.abs(table).mean(axis=0)) for table in tables])
    shares = bank_shares(tables, 3)
    assert shares.sum() == pytest.approx(1.0)
    scores = sizes.mean(axis=0)
    powers = np.log(shares[1:] / shares[0]) / np.log(scores[0] / scores[1:])
    assert powers[0] == pytest.approx(powers[1])
    assert powers[0] > 1.0
    np.testing.assert_allclose(bank_shares([], 4), 0.25)
    np.testing.assert_allclose(bank_shares([np.zeros((5, 2))], 2), 0.5)
    broken = bank_shares([np.array([[1.0, np.nan, np.inf]])], 3)
    assert np.isfinite(broken).all()
    assert broken[0] > 1.0 - 1e-9


def test_a_smoothing_that_overflowed_has_no_share_of_the_error() -> None:
    group = Smoothing((Gains(0.5), Gains(1.0), Gains(0.2)))
    rng = np.random.default_rng(3)
    table = np.column_stack((rng.normal(size=(20, 2)), np.full(20, np.inf)))
    bank = Bank(group, (table,))
    shares = bank.shares()
    assert shares[2] == 0.0
    assert bank.error() == pytest.approx(float((np.abs(table[:, :2]) @ shares[:2]).mean()))
    assert bank.recipe().smoothing == Smoothing(group.gains[:2])
    np.testing.assert_allclose(weighted(table, shares), table[:, :2] @ shares[:2])
    # Where it is weighted nonetheless, no number is made up.
    assert np.isinf(weighted(table, np.array([0.5, 0.25, 0.25]))).all()


def test_seasons_are_for_series_that_hold_them() -> None:
    assert smoothings(500, None).period == smoothings(13, 12.0).period == 1
    assert smoothings(60, 12.0).period == 12
    assert smoothings(60, 12.4).period == 12
    whole = smoothings(60, 12.0)
    assert any(gain.season is None for gain in whole.gains)
    assert len(set(whole.gains)) == len(whole.gains)
