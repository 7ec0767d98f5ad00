import builtins
import hashlib
import sys
import threading
from collections.abc import Iterator
from dataclasses import replace
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

from ngrc.datasets.registry import DatasetError, Original, cache_folder, download, fetch, find

PAYLOAD = b"1,2\n3,4\n" * 2000


class Handler(BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        if self.path == "/absent":
            self.send_error(404)
            return
        self.send_response(200)
        self.send_header("Content-Length", str(len(PAYLOAD)))
        self.end_headers()
        self.wfile.write(PAYLOAD[:100] if self.path == "/cut" else PAYLOAD)

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
def folders(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.delenv("NGRC_DATA", raising=False)
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")


def accept(path: Path) -> None:
    assert path.read_bytes() == PAYLOAD


def refuse(path: Path) -> None:
    raise ValueError("the wrong shape")


def published(url: str, **options: Any) -> Original:
    return replace(Original(files=("data.txt", "other.txt"), check=accept, url=url), **options)


def left_over(tmp_path: Path) -> list[str]:
    return sorted(path.name for path in (tmp_path / "cache").rglob("*") if path.is_file())


def test_the_named_folder_comes_before_the_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    original = published("http://127.0.0.1:9/none")
    assert find(original) is None
    cached = cache_folder() / "data.txt"
    cached.parent.mkdir(parents=True)
    cached.write_text("cache")
    assert fetch(original) == cached
    monkeypatch.setenv("NGRC_DATA", str(tmp_path))
    assert find(original) == cached
    (tmp_path / "other.txt").write_text("own")
    assert fetch(original) == tmp_path / "other.txt"


def test_the_named_folder_must_be_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NGRC_DATA", str(tmp_path / "absent"))
    with pytest.raises(DatasetError, match="is no folder"):
        find(published("http://127.0.0.1:9/none"))


@pytest.mark.parametrize(
    ("platform", "tail"),
    [("linux", ".cache/ngrc"), ("darwin", "Library/Caches/ngrc"), ("win32", "AppData/Local/ngrc/Cache")],
)
def test_the_platforms_own_cache(monkeypatch: pytest.MonkeyPatch, platform: str, tail: str) -> None:
    monkeypatch.delenv("XDG_CACHE_HOME")
    monkeypatch.delenv("LOCALAPPDATA", raising=False)
    monkeypatch.setattr(sys, "platform", platform)
    assert cache_folder().as_posix().endswith(tail)


def test_a_download_is_verified_and_kept(
    server: str, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    known = published(f"{server}/data", sha256=hashlib.sha256(PAYLOAD).hexdigest(), check=refuse)
    assert fetch(known).read_bytes() == PAYLOAD
    assert left_over(tmp_path) == ["data.txt"]
    assert "%" in capfd.readouterr().err
    assert fetch(replace(known, url="http://127.0.0.1:9/none")) == cache_folder() / "data.txt"


def test_without_a_known_hash_the_content_is_checked(server: str, tmp_path: Path) -> None:
    assert fetch(published(f"{server}/data")).read_bytes() == PAYLOAD
    other = published(f"{server}/data", files=("more.txt",), check=refuse)
    with pytest.raises(DatasetError, match=r"is damaged \(the wrong shape\); nothing was kept"):
        fetch(other)
    assert left_over(tmp_path) == ["data.txt"]


@pytest.mark.parametrize(
    ("page", "options", "message"),
    [
        ("data", {"sha256": "0" * 64}, r"damaged: sha256 [0-9a-f]{12}\.\.\., expected 000000000000"),
        ("cut", {}, "could not download"),
        ("absent", {}, "404"),
    ],
)
def test_a_failed_download_leaves_nothing(
    server: str, tmp_path: Path, page: str, options: dict[str, Any], message: str
) -> None:
    with pytest.raises(DatasetError, match=message) as raised:
        fetch(published(f"{server}/{page}", **options))
    assert "\n" not in str(raised.value)
    assert left_over(tmp_path) == []


def test_a_failed_download_leaves_the_old_file(server: str, tmp_path: Path) -> None:
    (tmp_path / "data.txt").write_text("old")
    with pytest.raises(DatasetError):
        download(published(f"{server}/cut"), tmp_path)
    assert (tmp_path / "data.txt").read_text() == "old"


def test_no_server() -> None:
    with pytest.raises(DatasetError, match=r"could not download http://127.0.0.1:9/.*fetch it by hand"):
        fetch(published("http://127.0.0.1:9/none"))


def test_a_file_without_address_says_what_to_do() -> None:
    private = Original(files=("LA_O3.RData",), check=accept, advice="ask the authors")
    with pytest.raises(
        DatasetError, match=r"LA_O3.RData is not on this machine and has no public address; ask"
    ):
        fetch(private)


def test_without_pooch_the_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    genuine = builtins.__import__

    def without_pooch(name: str, *arguments: Any, **options: Any) -> Any:
        if name == "pooch":
            raise ImportError(name)
        return genuine(name, *arguments, **options)

    monkeypatch.setattr(builtins, "__import__", without_pooch)
    with pytest.raises(DatasetError, match=r"pip install 'ngrc\[datasets\]'"):
        fetch(published("http://127.0.0.1:9/none"))
