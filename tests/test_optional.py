import sys

import numpy as np
import pytest

from ngrc._optional import load
from ngrc.forecasters import ARIMA, GRU, Transformer


def test_an_installed_library_is_returned() -> None:
    assert load("numpy.linalg", "extra", "x") is np.linalg


@pytest.mark.parametrize("network", [GRU, Transformer])
def test_without_torch_the_message_says_what_to_install(
    network: type[GRU] | type[Transformer], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "torch", None)
    with pytest.raises(ImportError, match=r'needs torch, .* pip install "ngrc\[neural\]"'):
        network(3).fit(np.arange(20.0))


def test_without_statsmodels_the_message_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "statsmodels.tsa.arima.model", None)
    with pytest.raises(ImportError, match=r'needs statsmodels, .* pip install "ngrc\[arima\]"'):
        ARIMA().fit(np.arange(40.0))
