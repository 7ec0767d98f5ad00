"""Readouts are tested on series so short that their columns would all be held: here structure is what is tested."""

import pytest

from ngrc.features import rows


@pytest.fixture(autouse=True)
def structured(monkeypatch: pytest.MonkeyPatch) -> None:
    """No design is small; `test_small.py` sets the bound back."""
    monkeypatch.setattr(rows, "SMALL", 0)
