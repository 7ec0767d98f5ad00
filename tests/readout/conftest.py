"""Readouts are tested on short series: here structure is what is tested, also where few rows would be summed."""

import pytest

from ngrc.features import rows


@pytest.fixture(autouse=True)
def structured(monkeypatch: pytest.MonkeyPatch) -> None:
    """No design is small; `test_small.py` sets the bound back."""
    monkeypatch.setattr(rows, "SMALL", 0)
