import subprocess
import sys

import pytest

import ngrc.forecasters as forecasters
from ngrc.forecasters import ARIMA, GRU, Forecaster, LagRegressor, SeasonalNaive, Transformer
from ngrc.model import NGRC


def test_every_public_name_resolves() -> None:
    for name in forecasters.__all__:
        assert getattr(forecasters, name).__name__ == name
        assert name in dir(forecasters)
    with pytest.raises(AttributeError, match="no attribute 'Nothing'"):
        forecasters.Nothing


def test_importing_loads_no_heavy_library() -> None:
    names = ", ".join(forecasters.__all__)
    code = (
        f"import sys; from ngrc.forecasters import {names}; "
        "print([name for name in ('torch', 'statsmodels', 'sklearn', 'pandas') if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_every_class_is_a_forecaster() -> None:
    """The annotation is what the type checker verifies."""
    every: list[Forecaster] = [NGRC(5), SeasonalNaive(5), LagRegressor(None, 5), ARIMA(lookback=5)]
    every += [GRU(5), Transformer(5)]
    assert {model.first_target for model in every} == {5}
    assert {model.horizon for model in every} == {model.get_params()["horizon"] for model in every} == {1}
