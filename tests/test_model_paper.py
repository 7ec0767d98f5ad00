"""Printed digits of the point forecasts, from the original files."""

import gzip
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from ngrc import NGRC
from ngrc._types import FloatArray
from ngrc.readout import PAPER_RIDGES
from ngrc.readout.fitted import Readout

pytestmark = pytest.mark.paper


@pytest.fixture(scope="module")
def exchange(data_folder: Path) -> FloatArray:
    rates = np.loadtxt(data_folder / "exchange_rate.txt.gz", delimiter=",")[:, 0]
    return np.asarray(100.0 * np.diff(np.log(rates)))


@pytest.fixture(scope="module")
def solar(data_folder: Path) -> FloatArray:
    text = gzip.decompress((data_folder / "solar_AL.txt.gz").read_bytes()).decode().strip()
    values = np.fromstring(text.replace("\n", ","), sep=",")
    return np.asarray(values.reshape(52560, 137).mean(axis=1))


def fixed_origin(y: FloatArray, **settings: Any) -> tuple[NGRC, list[FloatArray]]:
    """Fit on the first two fifths of the rows; standardised residuals of the three blocks."""
    model = NGRC(**settings)
    first = model.first_target
    size = 2 * (y.size - first) // 5
    past = y[: 2 * y.size // 5]
    model.fit(y[: first + size], scale=(past.mean(), past.std()))
    residuals = ((y - model.predict(y)) / model.scale_.std)[first:]
    return model, [residuals[:size], residuals[size : 2 * size], residuals[2 * size :]]


def rms(values: FloatArray) -> float:
    return float(np.sqrt(np.mean(values**2)))


def test_exchange_at_one_step(exchange: FloatArray) -> None:
    model, blocks = fixed_origin(exchange, lags=14, ridges=PAPER_RIDGES)
    assert [block.size for block in blocks] == [3029, 3029, 1515]
    assert model.ridge_ == 10.0
    assert [round(rms(block), 3) for block in blocks] == [0.993, 1.445, 1.284]
    assert model.fit_scale_ / model.scale_.std == pytest.approx(rms(blocks[0]), rel=1e-12)
    assert round(model.d_eff_ / model.n_rows_, 4) == 0.0038
    assert round(model.n_features_ / model.n_rows_, 4) == 0.0396


@pytest.mark.parametrize(("horizon", "sizes"), [(3, [3028, 3028, 1515]), (7, [3026, 3026, 1515])])
def test_exchange_further_ahead(exchange: FloatArray, horizon: int, sizes: list[int]) -> None:
    model, blocks = fixed_origin(exchange, lags=14, horizon=horizon, ridges=PAPER_RIDGES)
    assert [block.size for block in blocks] == sizes
    assert model.ridge_ == 10.0


@pytest.mark.slow
def test_solar_with_the_papers_grid_and_a_longer_one(solar: FloatArray) -> None:
    settings = {"lags": 36, "periods": (144, 1008)}
    model, blocks = fixed_origin(solar, ridges=PAPER_RIDGES, **settings)
    assert [block.size for block in blocks] == [21009, 21009, 10506]
    assert model.ridge_ == 0.001
    assert isinstance(model.readout_, Readout)
    assert model.readout_.solver == "gram"
    assert [round(rms(block), 3) for block in blocks] == [0.029, 0.026, 0.031]
    assert round(model.d_eff_ / model.n_rows_, 4) == 0.0038
    longer, blocks = fixed_origin(solar, **settings)
    assert longer.ridge_ == 1e-5
    assert round(rms(blocks[2]), 4) == 0.0187
