"""Downloads come over https alone, however they are led on, and are what their checksum says."""

import hashlib
import threading
from collections.abc import Iterator
from dataclasses import replace
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

from ngrc.datasets.catalogue import ORIGINALS
from ngrc.datasets.registry import Original, download
from ngrc.datasets.transfer import DatasetError, check_address, transfer

PAYLOAD = b"1,2\n3,4\n"
LED_ON = {
    "/plain": "http://example.invalid/data.txt",
    "/ftp": "ftp://example.invalid/data.txt",
    "/file": "file:///etc/passwd",
    "/relative": "/data",
    "/twice": "/plain",
}


class Handler(BaseHTTPRequestHandler):
    asked: tuple[str, ...] = ()

    def do_GET(self) -> None:
        Handler.asked += (self.path,)
        if self.path in LED_ON:
            self.send_response(302)
            self.send_header("Location", LED_ON[self.path])
            self.send_header("Content-Length", "0")
            self.end_headers()
            return
        self.send_response(200)
        self.send_header("Content-Length", str(len(PAYLOAD)))
        self.end_headers()
        self.wfile.write(PAYLOAD)

    def log_message(self, format: str, *arguments: Any) -> None:
        return


@pytest.fixture(scope="module")
def server() -> Iterator[str]:
    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as host:
        thread = threading.Thread(target=host.serve_forever, daemon=True)
        thread.start()
        yield f"http://127.0.0.1:{host.server_address[1]}"
        host.shutdown()
        thread.join()


@pytest.fixture(autouse=True)
def direct(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NO_PROXY", "127.0.0.1,example.invalid")


@pytest.mark.parametrize(
    "url",
    [
        "http://example.invalid/a",
        "ftp://example.invalid/a",
        "file:///etc/passwd",
        "http://127.0.0.1.example/a",
        "a.txt",
    ],
)
def test_only_https(url: str, tmp_path: Path) -> None:
    with pytest.raises(DatasetError, match="https alone, and the address is "):
        check_address(url)
    target = tmp_path / "data"
    target.touch()
    with pytest.raises(DatasetError, match="https alone"):
        transfer(url, target, 100)
    assert target.read_bytes() == b""


def test_an_address_that_is_secure_may_not_lead_to_one_that_is_not() -> None:
    check_address("https://b.example/x", "https://a.example/x")
    # Nor to this machine, where somebody else may listen.
    for there in ("http://b.example/x", "http://127.0.0.1/x", "ftp://b.example/x"):
        with pytest.raises(DatasetError, match="it sends us on to"):
            check_address(there, "https://a.example/x")


@pytest.mark.parametrize("page", ["plain", "ftp", "file", "twice"])
def test_nobody_is_led_on_to_another_protocol(page: str, server: str, tmp_path: Path) -> None:
    original = Original(("data.txt",), Path.read_bytes, url=f"{server}/{page}", most=100)
    with pytest.raises(DatasetError, match="data come over https alone, and it sends us on to ") as raised:
        download(original, tmp_path)
    assert "\n" not in str(raised.value)
    assert list(tmp_path.iterdir()) == []


def test_a_wrong_checksum_is_refused_also_after_a_redirection(server: str, tmp_path: Path) -> None:
    known = hashlib.sha256(PAYLOAD).hexdigest()
    good = Original(("data.txt",), Path.read_bytes, url=f"{server}/relative", most=100, sha256=known)
    assert download(good, tmp_path / "good").read_bytes() == PAYLOAD
    with pytest.raises(DatasetError, match="another file: sha256"):
        download(replace(good, sha256="0" * 64), tmp_path / "bad")
    assert list((tmp_path / "bad").iterdir()) == []


def test_every_published_address_is_https_bounded_and_verified() -> None:
    originals = [
        original for several in ORIGINALS.values() for original in several if original.url is not None
    ]
    assert originals
    for original in originals:
        assert original.url is not None
        check_address(original.url)
        assert original.url.startswith("https://")
        assert 0 < original.most < 10**8
        # By a hash, or by a reader that demands every row.
        assert original.sha256 is not None or callable(original.check)
