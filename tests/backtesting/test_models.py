"""What a backtest asks of a forecaster: the contract, one copy per run, and facts only where they are told."""

import json
from typing import Any, Self

import numpy as np
import pytest

from ngrc import NGRC, FixedOrigin, ShiftedWindows, backtest
from ngrc._params import Parameters
from ngrc._types import FloatArray
from ngrc.backtesting.summary import summary
from ngrc.features import Scale
from ngrc.forecasters import ModelFacts
from ngrc.splits import Splitter

Y = 20 + np.sin(np.arange(400) / 5) + np.random.default_rng(0).normal(0, 0.3, 400)
EVERY_BUT_BAYES = ["split", "asymmetric", "rolling", "gaussian", "adaptive", "weighted"]


class LastValue(Parameters):
    """The base contract and nothing else; it takes the scale apart as a plain pair."""

    made = 0

    def __init__(self, *, horizon: int = 1) -> None:
        type(self).made += 1
        self.horizon = horizon

    @property
    def first_target(self) -> int:
        return self.horizon

    def fit(self, y: Any, *, first: int = 0, scale: tuple[float, float] | None = None) -> Self:
        assert scale is not None
        mean, std = scale
        assert (scale[0], scale[1]) == (mean, std)
        assert std > 0
        return self

    def predict(self, y: Any) -> FloatArray:
        return np.concatenate([np.full(self.horizon, np.nan), np.asarray(y)[: -self.horizon]])


class Telling(LastValue):
    """Tells a leverage and part of the facts."""

    def leverage(self, y: Any) -> FloatArray:
        return np.full(len(y), 0.01)

    def facts(self) -> ModelFacts:
        return ModelFacts(features=40)


def test_the_base_contract_is_enough() -> None:
    result = backtest(Y, LastValue(), methods=EVERY_BUT_BAYES, split=FixedOrigin())
    run = result.runs[0]
    assert run.facts == ModelFacts()
    assert run.leverage is None
    assert np.isnan(run.diagnostics[0.95].p_over_n)
    assert run.diagnostics[0.95].tau_fit == pytest.approx(np.std(np.diff(Y[:160])), rel=0.05)
    report = summary(result, 0.95)
    assert (report["features"], report["ridge"], report["d_eff"]) == (None, None, None)
    json.dumps(report, allow_nan=False)
    with pytest.raises(ValueError, match="leverage"):
        backtest(Y, LastValue(), methods=["bayes"])


def test_defaults_leave_bayes_to_forecasters_with_a_leverage() -> None:
    assert "bayes" not in backtest(Y[:150], LastValue()).table["method"].to_list()
    run = backtest(Y[:150], Telling()).runs[0]
    assert run.band("bayes").width > 0
    assert run.facts.features == 40
    assert run.diagnostics[0.95].p_over_n == 40 / (run.blocks.fitted.stop - run.blocks.fitted.start)
    assert np.isnan(run.diagnostics[0.95].d_eff_over_n)


def test_facts_of_an_ngrc_are_in_the_report() -> None:
    result = backtest(Y, NGRC(lags=4), methods=["split"], split=FixedOrigin())
    run, report = result.runs[0], summary(result, 0.95)
    assert isinstance(run.model, NGRC)
    assert run.facts == run.model.facts()
    assert (report["features"], report["ridge"]) == (run.model.n_features_, run.model.ridge_)
    assert report["scale"] == {"mean": run.scale.mean, "std": run.scale.std}
    assert run.scale == Scale.of(Y[: run.blocks.scale_end])
    assert run.leverage is not None
    np.testing.assert_array_equal(run.leverage, run.model.leverage(Y[: run.blocks.test.stop]))


@pytest.mark.parametrize(("split", "windows"), [(FixedOrigin(), 1), (ShiftedWindows(), 3)])
def test_the_model_is_cloned_once_per_run(split: Splitter, windows: int) -> None:
    model = LastValue()
    LastValue.made = 0
    result = backtest(Y, model, horizon=[1, 2], methods=["split"], split=split)
    assert LastValue.made == len(result.runs) == 2 * windows
    assert len({id(run.model) for run in result.runs} | {id(model)}) == 2 * windows + 1


class NeverFitted(LastValue):
    def fit(self, y: Any, *, first: int = 0, scale: tuple[float, float] | None = None) -> Self:
        raise AssertionError("fitted although the request cannot be met")


def test_what_cannot_be_met_is_refused_before_the_first_fit() -> None:
    for arguments in ({"horizon": [1, 10**6]}, {"methods": ["split", "magic"]}, {"level": [0.9, 7.0]}):
        with pytest.raises(ValueError, match=r"shorter one|magic|level must be"):
            backtest(Y, NeverFitted(), **arguments)
