"""One small report for all tests, under a name that would do harm if it could, and pages to open it in."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from ngrc import NGRC, Series
from ngrc.report import Report, make_report
from tests.browser import Visit

NAME = """load </script><script>alert(1)</script> "><img src=x onerror='alert(2)'> <!-- & \u2028"""
SPIKE, FLAT, GAP = 150, slice(200, 240), slice(30, 32)
HORIZON, METHODS, LEVELS = 3, ("split", "adaptive", "rolling"), (0.5, 0.8, 0.95)


def hourly(count: int = 700) -> Series:
    """Days of hours with a spike and a stretch in which the sensor hangs."""
    rng, hours = np.random.default_rng(5), np.arange(count)
    values = 20.0 + 6.0 * np.sin(2.0 * np.pi * hours / 24.0) + rng.standard_t(5, count)
    values[SPIKE] += 80.0
    values[FLAT] = values[FLAT.start]
    # In the fit block, so that no outcome that is scored is one that nobody saw.
    values[GAP] = values[GAP.start - 1]
    missing = np.zeros(count, dtype=bool)
    missing[GAP] = True
    times = np.datetime64("2024-02-27T05", "h") + hours
    return Series(values, times, NAME, filled=2, notes=("two <b>filled</b>",), missing=missing)


@pytest.fixture(scope="session")
def report() -> Report:
    pytest.importorskip("plotly")
    model = NGRC(lags=3, degree=1, periods=(24.0,))
    return make_report(
        hourly(), model, horizon=HORIZON, level=LEVELS, methods=METHODS, command="ngrc report 'a <b>.csv'"
    )


@pytest.fixture(scope="session")
def saved(report: Report, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return report.save(tmp_path_factory.mktemp("page") / "report.html")


Visitor = Callable[..., Visit]


def visits(chromium: Any) -> Iterator[Visitor]:
    contexts = []

    def opened(path: Path, *, width: int = 1100, scheme: str = "light", drawn: bool = True) -> Visit:
        context = chromium.new_context(viewport={"width": width, "height": 900}, color_scheme=scheme)
        contexts.append(context)
        # A busy machine takes its time with five megabytes of script.
        context.set_default_timeout(120_000)
        visit = Visit(context.new_page())
        visit.page.on("console", lambda message: visit.said.append(f"{message.type}: {message.text}"))
        visit.page.on("pageerror", lambda error: visit.said.append(f"error: {error}"))
        visit.page.on("dialog", visit.hear)
        visit.page.on("request", lambda request: visit.asked.append(request.url))
        visit.page.goto(path.as_uri())
        if drawn:
            visit.page.wait_for_selector("html[data-drawn]", state="attached")
        return visit

    yield opened
    for context in contexts:
        context.close()


# One for visits that several tests of a module share, one for a visit of a test's own.
open_page = pytest.fixture(scope="module", name="open_page")(visits)
visit = pytest.fixture(name="visit")(visits)
