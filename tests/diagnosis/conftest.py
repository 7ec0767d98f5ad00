"""ResCP, whose evidence takes a second, is tried only where a test asks for it."""

import pytest

from ngrc.diagnosis import evidence


@pytest.fixture(autouse=True)
def without_rescp(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(evidence, "LONGEST", {"rescp": 0})
