"""A browser that all tests of pages share: a second one in the same process would find the first one's event loop."""

import shutil
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import pytest

FLAGS = (
    "--headless --no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking "
    "--disable-component-update --disable-sync"
)


@dataclass
class Visit:
    """A page that was opened, and everything that it said or asked for meanwhile."""

    page: Any
    said: list[str] = field(default_factory=list)
    asked: list[str] = field(default_factory=list)

    def hear(self, dialog: Any) -> None:
        """A box that some script opened, closed again."""
        self.said.append(f"dialog: {dialog.message}")
        dialog.dismiss()


def launched() -> Iterator[Any]:
    """Chromium, or a skip that says what is missing."""
    playwright = pytest.importorskip(
        "playwright.sync_api", reason="playwright is not installed: pip install playwright"
    )
    program = shutil.which("chromium")
    if program is None:
        pytest.skip("there is no chromium: as root, apt-get install chromium; or run make browser")
    with playwright.sync_playwright() as driver:
        # Its own empty profile each time; nothing of a user's browser is read.
        browser = driver.chromium.launch(executable_path=program, args=FLAGS.split())
        yield browser
        browser.close()
