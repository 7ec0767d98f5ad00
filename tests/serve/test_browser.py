"""The live page in a browser: it draws, follows, alarms, and asks nobody else."""

import asyncio
import socket
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from threading import Thread
from typing import Any

import numpy as np
import pytest
import uvicorn

from ngrc.durable import Observation, StoreError
from ngrc.serve.app import Service, make_app
from ngrc.serve.board import Board
from ngrc.serve.tally import Tally
from ngrc.serve.worker import Worker
from tests.browser import Visit
from tests.serve.fakes import FakeSession

TOKEN = "a-token-of-enough-letters"
INSIDE, OUTSIDE = "#band circle.inside", "#band path.outside"


@dataclass
class Place:
    """A service that listens, over a session in memory."""

    url: str
    session: FakeSession
    worker: Worker

    def send(self, *values: float) -> None:
        """Observations of `load`, committed."""
        self.worker.submit("load", tuple(Observation(value) for value in values)).result(60.0)


def listening(token: str | None = None) -> tuple[Place, Callable[[], None]]:
    session, board, tally = FakeSession(3), Board(), Tally()
    session.series["load"] = []
    # A random walk, whose intervals the session knows: coverage is within its bounds.
    for value in np.cumsum(np.random.default_rng(0).normal(size=120)):
        session.take("load", Observation(float(value)))
    board.add("load", session.series["load"])
    worker = Worker(session, board, tally)  # type: ignore[arg-type]
    worker.start()
    bound = socket.socket()
    bound.bind(("127.0.0.1", 0))
    app = make_app(Service(board, tally, worker), token=token)
    server = uvicorn.Server(uvicorn.Config(app, log_config=None, lifespan="off", ws="none"))
    thread = Thread(target=lambda: asyncio.run(server.serve(sockets=[bound])), daemon=True)
    thread.start()

    def end() -> None:
        server.should_exit = True
        thread.join(20.0)
        worker.stop()
        bound.close()

    return Place(f"http://127.0.0.1:{bound.getsockname()[1]}", session, worker), end


@pytest.fixture
def place() -> Iterator[Place]:
    made, end = listening()
    yield made
    end()


@pytest.fixture
def open_at(chromium: Any) -> Iterator[Callable[..., Visit]]:
    contexts = []

    def opened(url: str, *, width: int = 1100, scheme: str = "light") -> Visit:
        context = chromium.new_context(
            viewport={"width": width, "height": 900}, color_scheme=scheme, reduced_motion="reduce"
        )
        contexts.append(context)
        context.set_default_timeout(60_000)
        visit = Visit(context.new_page())
        visit.page.on("console", lambda message: visit.said.append(f"{message.type}: {message.text}"))
        visit.page.on("pageerror", lambda error: visit.said.append(f"error: {error}"))
        visit.page.on("request", lambda request: visit.asked.append(request.url))
        visit.page.goto(url)
        return visit

    yield opened
    for context in contexts:
        context.close()


def drawn(page: Any, seq: int) -> None:
    page.wait_for_selector(f'html[data-drawn="{seq}"]', state="attached")


def until(page: Any, holds: str) -> None:
    """Not `wait_for_function`, which evaluates inside the page, where the policy forbids it."""
    for _ in range(400):
        if page.evaluate(holds):
            return
        page.wait_for_timeout(50)
    pytest.fail(f"it did not come to hold: {holds}")


def test_the_page_draws_follows_and_alarms(place: Place, open_at: Callable[..., Visit]) -> None:
    visit = open_at(f"{place.url}/series/load/live")
    page = visit.page
    drawn(page, 120)
    assert page.locator(INSIDE).count() > 100
    assert page.locator("#band path.fan").count() == 2
    assert page.locator("#coming tbody tr").count() == 3
    assert page.locator("#trail path.chance").count() == 1
    assert page.locator("#state").inner_text() == "live"
    assert page.locator(".banner").count() == 0
    # It follows: far jumps lie outside of their intervals.
    misses = page.locator(OUTSIDE).count()
    place.send(100.0, -100.0)
    drawn(page, 122)
    assert page.locator(OUTSIDE).count() == misses + 2
    assert page.locator("#value").inner_text() == "−100.0"
    # Enough of them are an alarm, and later outcomes end it.
    place.send(*([100.0, -100.0] * 12))
    drawn(page, 146)
    page.wait_for_selector(".banner.alarm")
    assert "Too few outcomes lie inside" in page.locator(".banner.alarm").inner_text()
    assert page.locator("#state").inner_text() == "alarm"
    assert page.locator("#trail path.out").count() >= 1
    place.send(*([0.0] * 400))
    drawn(page, 546)
    until(page, "!document.querySelector('.banner.alarm')?.textContent.includes('Too few')")
    # Step and level are chosen.
    page.select_option("#step", "3")
    page.select_option("#level", "0.8")
    until(page, "document.querySelector('#next-more').textContent.includes('80')")
    # Numbers are read by keyboard.
    page.focus("#band")
    page.keyboard.press("End")
    assert "forecast" in page.locator("#band-read").inner_text()
    page.keyboard.press("Home")
    assert "value" in page.locator("#band-read").inner_text()
    page.keyboard.press("Escape")
    assert page.locator("#band-read").inner_text().strip() == ""
    assert visit.said == []
    assert [url for url in visit.asked if not url.startswith((place.url, "data:,"))] == []


def test_a_phone_in_the_dark_needs_no_scrolling_sideways(place: Place, open_at: Callable[..., Visit]) -> None:
    for path in ("/", "/series/load/live"):
        page = open_at(place.url + path, width=375, scheme="dark").page
        page.wait_for_selector("html[data-drawn]", state="attached")
        assert page.evaluate("document.documentElement.scrollWidth") <= 375
        assert page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(22, 24, 28)"


def test_a_degraded_service_and_a_lost_connection_are_said(open_at: Callable[..., Visit]) -> None:
    place, end = listening()
    page = open_at(f"{place.url}/series/load/live").page
    drawn(page, 120)
    place.session.trouble = StoreError("the disk is full", temporary=True)
    place.worker.submit("load", (Observation(0.0),))
    page.wait_for_selector(".banner.degraded")
    assert "the disk is full" in page.locator(".banner.degraded").inner_text()
    place.session.trouble = None
    page.wait_for_selector(".banner.degraded", state="detached")
    end()
    page.wait_for_selector(".banner.lost")
    assert "connection to the service is lost" in page.locator(".banner.lost").inner_text()
    assert page.locator("#state").inner_text() == "not connected"


def test_a_token_is_asked_for_kept_in_the_tab_and_sent_in_a_header(open_at: Callable[..., Visit]) -> None:
    place, end = listening(TOKEN)
    try:
        visit = open_at(f"{place.url}/")
        page = visit.page
        page.wait_for_selector("#login:not([hidden])")
        page.fill("#token", "another-token-altogether")
        page.keyboard.press("Enter")
        until(page, "document.querySelector('#login-error').textContent.includes('not the right one')")
        page.fill("#token", TOKEN)
        page.keyboard.press("Enter")
        page.wait_for_selector("#series tbody tr")
        page.click("#series a")
        drawn(page, 120)
        assert not page.locator("#login").is_visible()
        assert all(TOKEN not in url for url in visit.asked)
        assert page.evaluate("window.localStorage.length") == 0
    finally:
        end()
