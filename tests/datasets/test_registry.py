import builtins
import hashlib
import os
import sys
import threading
from collections.abc import Iterator
from dataclasses import replace
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

from ngrc._progress import Progress, listening
from ngrc.datasets.exchange import EXCHANGE
from ngrc.datasets.fingerprints import record, record_of
from ngrc.datasets.registry import DatasetError, Original, cache_folder, download, fetch, find

PAYLOAD = b"1,2\n3,4\n" * 2000


class Handler(BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        if self.path == "/absent":
            self.send_error(404)
            return
        self.send_response(200)
        if self.path == "/endless":
            self.end_headers()
            self.flood()
            return
        self.send_header("Content-Length", str(len(PAYLOAD)))
        self.end_headers()
        self.wfile.write(PAYLOAD[:100] if self.path == "/cut" else PAYLOAD)

    def flood(self) -> None:
        """Send without an announced length until the other side hangs up."""
        try:
            while True:
                self.wfile.write(PAYLOAD)
        except OSError:
            self.close_connection = True

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
    plain = Original(files=("data.txt", "other.txt"), check=accept, url=url, most=len(PAYLOAD))
    return replace(plain, **options)


def left_over(tmp_path: Path) -> list[str]:
    return sorted(path.name for path in (tmp_path / "cache").rglob("*") if path.is_file())


def test_the_named_folder_comes_before_the_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    original = published("http://127.0.0.1:9/none", check=Path.read_bytes)
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
    heard: list[Progress] = []
    with listening(heard.append):
        assert fetch(known).read_bytes() == PAYLOAD
    assert left_over(tmp_path) == ["data.txt", "data.txt.sha256.json"]
    # Told to whoever listens, and printed nowhere.
    assert heard[-1].done == heard[-1].total == -(-len(PAYLOAD) // 1000)
    assert capfd.readouterr() == ("", "")
    assert fetch(replace(known, url="http://127.0.0.1:9/none")) == cache_folder() / "data.txt"


def test_without_a_known_hash_the_content_is_checked(server: str, tmp_path: Path) -> None:
    assert fetch(published(f"{server}/data")).read_bytes() == PAYLOAD
    other = published(f"{server}/data", files=("more.txt",), check=refuse)
    with pytest.raises(DatasetError, match=r"damaged or another file \(the wrong shape\); nothing was kept"):
        fetch(other)
    assert left_over(tmp_path) == ["data.txt", "data.txt.sha256.json"]


@pytest.mark.parametrize(
    ("page", "options", "message"),
    [
        ("data", {"sha256": "0" * 64}, r"another file: sha256 [0-9a-f]{12}\.\.\., expected 000000000000"),
        ("data", {"most": len(PAYLOAD) - 1}, "sends more than the 15,999 bytes that this file may have"),
        ("endless", {"most": 10_000_000}, "sends more than the 10,000,000 bytes"),
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


def rewrite(path: Path) -> None:
    path.write_bytes(path.read_bytes()[::-1])


def test_a_download_that_changed_later_is_refused(server: str) -> None:
    original = published(f"{server}/data")
    path = fetch(original)
    assert fetch(original) == path
    rewrite(path)
    with pytest.raises(
        DatasetError, match=r"data.txt changed since it was first read.*remove it to fetch"
    ) as raised:
        fetch(original)
    assert "\n" not in str(raised.value)
    # Both ways out that the message names lead out.
    path.unlink()
    rewrite(fetch(original))
    with pytest.raises(DatasetError, match="changed since it was first read"):
        fetch(original)
    record_of(path).unlink()
    assert fetch(replace(original, check=Path.read_bytes)) == path
    assert fetch(original) == path


def test_a_known_hash_binds_the_cached_file_whatever_its_record_says(
    server: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    original = published(f"{server}/data", sha256=hashlib.sha256(PAYLOAD).hexdigest(), check=Path.read_bytes)
    path = fetch(original)
    rewrite(path)
    message = (
        r"data.txt is not the published file: sha256 .*; remove it to fetch it again, or, .*NGRC_DATA names"
    )
    with pytest.raises(DatasetError, match=message):
        fetch(original)
    # Neither without a record nor with one that fits the tampered file.
    record_of(path).unlink()
    with pytest.raises(DatasetError, match=message):
        fetch(original)
    record(path)
    with pytest.raises(DatasetError, match=message) as raised:
        fetch(original)
    assert "\n" not in str(raised.value)
    # Both ways out that the message names lead out.
    own = tmp_path / "own"
    own.mkdir()
    path.rename(own / "data.txt")
    monkeypatch.setenv("NGRC_DATA", str(own))
    assert fetch(original) == own / "data.txt"
    monkeypatch.delenv("NGRC_DATA")
    record_of(path).unlink()
    assert fetch(original).read_bytes() == PAYLOAD


def test_under_another_name_the_same_data_may_be_packed_anew() -> None:
    path = cache_folder() / "other.txt"
    path.parent.mkdir(parents=True)
    path.write_bytes(PAYLOAD)
    assert fetch(published("http://127.0.0.1:9/none", sha256="0" * 64)) == path


def test_a_file_laid_into_the_cache_is_verified_once_and_recorded(tmp_path: Path) -> None:
    reads: list[Path] = []
    original = Original(files=("own.txt",), check=reads.append)
    path = cache_folder() / "own.txt"
    path.parent.mkdir(parents=True)
    path.write_text("own")
    with pytest.raises(ValueError, match="the wrong shape"):
        fetch(replace(original, check=refuse))
    assert left_over(tmp_path) == ["own.txt"]
    for _ in range(3):
        assert fetch(original) == path
    assert reads == [path]
    known = replace(original, sha256=hashlib.sha256(b"own").hexdigest(), check=refuse)
    record_of(path).unlink()
    assert fetch(known) == path


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"sha256"'])
def test_a_damaged_record_says_what_to_do(server: str, text: str) -> None:
    original = published(f"{server}/data")
    place = record_of(fetch(original))
    place.write_text(text)
    with pytest.raises(DatasetError, match=r"sha256.json should hold the hash of data.txt .*; remove it"):
        fetch(original)
    place.unlink()
    assert fetch(original).read_bytes() == PAYLOAD


def test_a_record_that_cannot_be_written_is_said_and_costs_nothing(
    server: str, caplog: pytest.LogCaptureFixture
) -> None:
    cache_folder().mkdir(parents=True)
    (cache_folder() / "data.txt.sha256.json").symlink_to(cache_folder() / "absent")
    with caplog.at_level("INFO", logger="ngrc"):
        assert fetch(published(f"{server}/data")).read_bytes() == PAYLOAD
    assert "could not be recorded" in caplog.text


def test_nothing_is_recorded_in_the_users_own_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = tmp_path / "own"
    folder.mkdir()
    (folder / "data.txt").write_text("one")
    monkeypatch.setenv("NGRC_DATA", str(folder))
    original = published("http://127.0.0.1:9/none")
    for text in ("one", "two"):
        (folder / "data.txt").write_text(text)
        assert fetch(original) == folder / "data.txt"
    assert [path.name for path in folder.iterdir()] == ["data.txt"]


def test_a_link_planted_in_the_cache_is_not_followed(server: str, tmp_path: Path) -> None:
    victim = tmp_path / "victim"
    cache_folder().mkdir(parents=True)
    (cache_folder() / f".data.txt.{os.getpid()}.part").symlink_to(victim)
    fetch(published(f"{server}/data"))
    assert not victim.exists()
    (cache_folder() / "more.txt").symlink_to(victim)
    with pytest.raises(DatasetError, match=r"more.txt: it is a link to .*; remove the link"):
        fetch(published(f"{server}/data", files=("more.txt",)))
    assert not victim.exists()


def test_a_link_to_a_users_file_is_not_written_through(server: str, tmp_path: Path) -> None:
    victim = tmp_path / "victim"
    victim.write_text("precious")
    cache_folder().mkdir(parents=True)
    record_of(cache_folder() / "data.txt").symlink_to(victim)
    # The file itself is verified; only its record has no place.
    assert fetch(published(f"{server}/data")).read_bytes() == PAYLOAD
    (tmp_path / "data.txt").symlink_to(victim)
    with pytest.raises(DatasetError, match="never written through a link"):
        download(published(f"{server}/data"), tmp_path)
    assert victim.read_text() == "precious"


def test_a_full_disk_is_one_line(server: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(descriptor: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(DatasetError, match=r"could not download .*No space left on device.*by hand"):
        fetch(published(f"{server}/data"))
    assert left_over(tmp_path) == []


def test_every_address_has_a_cap() -> None:
    with pytest.raises(ValueError, match="most must be at least 1 byte"):
        replace(EXCHANGE, most=0)


def test_the_exchange_cap_and_hash_are_those_of_the_public_file(data_folder: Path) -> None:
    content = (data_folder / EXCHANGE.files[0]).read_bytes()
    assert len(content) == EXCHANGE.most
    assert hashlib.sha256(content).hexdigest() == EXCHANGE.sha256
