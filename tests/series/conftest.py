"""Files that tests write and read back."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from ngrc.series import Series, read_series

Reader = Callable[..., Series]


@pytest.fixture
def read(tmp_path: Path) -> Reader:
    """Write text or bytes to a file, and read the series in it."""

    def reader(content: str | bytes, name: str = "data.csv", **options: Any) -> Series:
        path = tmp_path / name
        path.write_bytes(content.encode() if isinstance(content, str) else content)
        return read_series(path, **options)

    return reader


@pytest.fixture
def refused(read: Reader) -> Callable[..., str]:
    """The error about a file: one line that names it."""

    def refusal(content: str | bytes, name: str = "data.csv", **options: Any) -> str:
        with pytest.raises(ValueError, match=name) as raised:
            read(content, name, **options)
        message = str(raised.value)
        assert "\n" not in message
        return message

    return refusal
