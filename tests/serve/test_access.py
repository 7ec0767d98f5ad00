"""Who may ask: tokens, hosts, other sites, and where the service listens."""

from pathlib import Path

import pytest

from ngrc.serve.access import check_exposure, read_token
from ngrc.serve.server import Address
from tests.serve.conftest import Opener

TOKEN = "a-token-of-enough-letters"


def test_everything_but_health_and_empty_pages_needs_the_token(opened: Opener) -> None:
    desk = opened(token=TOKEN)
    right = {"Authorization": f"Bearer {TOKEN}"}
    assert desk.client.put("/series/load", json={"model": {"lags": 2}}, headers=right).status_code == 201
    for path in ("/health", "/", "/series/load/live", "/assets/live.js"):
        assert desk.client.get(path).status_code == 200
    paths = (
        "/series",
        "/series/load",
        "/series/load/forecast",
        "/series/load/recent",
        "/metrics",
        "/nothing",
    )
    wrong = ("", "Bearer", "Bearer wrong", f"bearer {TOKEN}x", f"Basic {TOKEN}", f"Bearer {TOKEN} ")
    for path in paths:
        assert desk.client.get(path).status_code == 401
        for words in wrong[:-1]:
            answer = desk.client.get(path, headers={"Authorization": words})
            assert answer.status_code == 401
            assert answer.headers["www-authenticate"] == "Bearer"
        # Never in an address, which ends up in logs.
        assert desk.client.get(path, params={"token": TOKEN}).status_code == 401
    assert desk.client.post("/series/load/observations", json={"value": 1}).status_code == 401
    assert desk.client.get("/series", headers=right).status_code == 200
    odd = {b"Authorization": "Bearer ä".encode()}
    assert desk.client.get("/series", headers=odd).status_code == 401
    assert desk.tally.errors["token"] > 20


def test_other_names_of_this_machine_are_refused(opened: Opener) -> None:
    desk = opened(hosts=Address(allowed=("forecast.example",)).hosts)
    for host in ("localhost", "localhost:8350", "127.0.0.1:1", "[::1]:80", "forecast.example"):
        assert desk.client.get("/health", headers={"Host": host}).status_code == 200, host
    for host in (
        "evil.example",
        "127.0.0.1.evil.example",
        "",
        "localhost.evil.example:80",
        "[::1].evil",
        "[::1]evil",
        "[::1",
        "localhost:80.evil",
        "[::1]:80:80",
        "::1",
    ):
        answer = desk.client.get("/health", headers={"Host": host})
        assert answer.status_code == 400
        assert "Host header" in answer.json()["error"]


def test_pages_of_other_sites_cannot_write(opened: Opener) -> None:
    desk = opened()
    desk.client.put("/series/load", json={"model": {"lags": 2}})
    answer = desk.client.post(
        "/series/load/observations", json={"value": 1}, headers={"Sec-Fetch-Site": "cross-site"}
    )
    assert answer.status_code == 400
    assert desk.session.kept["load"] == []


@pytest.mark.parametrize("host", ["0.0.0.0", "::", "192.0.2.7", "forecast.example"])
def test_other_machines_are_listened_to_only_with_a_token_or_by_word(host: str) -> None:
    with pytest.raises(ValueError, match="no token is given"):
        check_exposure(host, None, without=False)
    check_exposure(host, TOKEN, without=False)
    check_exposure(host, None, without=True)
    check_exposure("127.0.0.1", None, without=False)


def test_tokens_come_from_a_file_or_the_environment(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "token"
    monkeypatch.delenv("NGRC_TOKEN", raising=False)
    assert read_token(None) is None
    file.write_text(f"{TOKEN}\n")
    assert read_token(file) == TOKEN
    for bad in ("", "short", "with a blank in the middle", "ümläuteümläuteümläute"):
        file.write_text(bad)
        with pytest.raises(ValueError, match="at least 16 visible ASCII letters"):
            read_token(file)
    file.write_bytes(b"\xff" * 40)
    with pytest.raises(ValueError, match="no text"):
        read_token(file)
    monkeypatch.setenv("NGRC_TOKEN", TOKEN)
    assert read_token(None) == TOKEN
    with pytest.raises(ValueError, match="given twice"):
        read_token(file)
