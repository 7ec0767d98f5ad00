"""The file: what other programs see in it, and every way in which it may be spoilt."""

import io
import os
import pickle
import struct
import zipfile
from pathlib import Path

import numpy as np
import pytest

import ngrc
from ngrc import NGRC
from ngrc.archive import dumps, load, loads, save
from ngrc.archive.container import MANIFEST, TREE, pack
from ngrc.intervals import Adaptive, History
from tests.archive.forging import entries_of, sealed


@pytest.fixture(scope="module")
def model() -> NGRC:
    return NGRC(lags=2, ridge=0.1).fit(np.sin(np.arange(80.0)))


@pytest.fixture(scope="module")
def content(model: NGRC) -> bytes:
    return dumps(model)


def refused(content: bytes) -> str:
    with pytest.raises(ValueError, match="cannot load the bytes: ") as caught:
        loads(content)
    line = str(caught.value)
    assert "\n" not in line
    assert len(line) < 400
    return line


def test_any_zip_tool_and_numpy_can_open_it(content: bytes) -> None:
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        assert archive.testzip() is None
        names = archive.namelist()
        assert {info.compress_type for info in archive.infolist()} == {zipfile.ZIP_STORED}
    assert names[:2] == [MANIFEST, TREE]
    arrays = np.load(io.BytesIO(content), allow_pickle=False)
    assert all(np.all(np.isfinite(arrays[name])) for name in names[2:])


def test_the_same_value_gives_the_same_bytes(model: NGRC, content: bytes) -> None:
    assert dumps(model) == dumps(loads(content)) == content


def test_one_byte_changed_anywhere_is_found(content: bytes) -> None:
    rng = np.random.default_rng(0)
    # Every byte of the headers, the manifest and the directory, and a sample of all the rest.
    edges = [*range(600), *range(len(content) - 900, len(content))]
    for place in {*edges, *rng.integers(0, len(content), 1500).tolist()}:
        spoilt = bytearray(content)
        spoilt[place] ^= int(rng.integers(1, 256))
        refused(bytes(spoilt))


def test_cut_short_or_grown_at_any_length_is_found(content: bytes) -> None:
    lengths = {*range(200), *range(len(content) - 300, len(content)), *range(0, len(content), 37)}
    for length in lengths:
        refused(content[:length])
    refused(content + b"\0")
    refused(content + content)


def archive_of(names: list[str], compression: int = zipfile.ZIP_STORED) -> bytes:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", compression) as archive:
        for name in names:
            archive.writestr(name, b"{}" * 50_000)
    return file.getvalue()


def npz() -> bytes:
    file = io.BytesIO()
    np.savez(file, a=np.arange(3))
    return file.getvalue()


class Harm:
    def __reduce__(self) -> tuple[object, tuple[str]]:
        return os.system, ("exit 1",)


FOREIGN = {
    "nothing": (b"", "empty"),
    "text": (b"time,value\n1,2\n", "no file that ngrc wrote"),
    "png": (b"\x89PNG\r\n\x1a\n" + bytes(100), "no file that ngrc wrote"),
    "pickle": (pickle.dumps(Harm()), "no file that ngrc wrote"),
    "npy": (b"\x93NUMPY\x01\x00" + bytes(200), "no file that ngrc wrote"),
    "zip": (archive_of(["a.txt"]), "a zip archive that ngrc did not write"),
    "npz": (npz(), "a zip archive that ngrc did not write"),
    "manifest alone": (archive_of([MANIFEST]), "did not write|altered"),
    "bomb": (archive_of([MANIFEST, TREE], zipfile.ZIP_DEFLATED), "a zip archive that ngrc did not write"),
    "zip without entries": (archive_of([]), "no file that ngrc wrote"),
}


@pytest.mark.parametrize("name", FOREIGN)
def test_what_ngrc_did_not_write_is_told_apart(name: str, tmp_path: Path) -> None:
    content, words = FOREIGN[name]
    path = tmp_path / "file"
    path.write_bytes(content)
    with pytest.raises(ValueError, match=words) as caught:
        load(path)
    assert str(path) in str(caught.value)
    assert "give a file that ngrc saved" in str(caught.value)


def test_a_folder_a_pipe_and_no_file_are_said_to_be_that(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="it is a folder"):
        load(tmp_path)
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(ValueError, match="not a regular file"):
        load(tmp_path / "pipe")
    with pytest.raises(FileNotFoundError, match=r"gone\.ngrc"):
        load(tmp_path / "gone.ngrc")


@pytest.mark.parametrize(
    "name",
    ["../../etc/passwd.json", "/tmp/x.npy", "arrays\\0.npy", "arrays/../tree.json", "évil.json", "x" * 300],
)
def test_names_that_lead_elsewhere_are_refused(name: str, model: NGRC) -> None:
    # As bytes of one length each: headers count bytes.
    entries = {**entries_of(model), name.encode().decode("latin-1"): b"{}"}
    with pytest.raises((ValueError, UnicodeEncodeError)):
        loads(pack(entries))


def test_an_entry_that_comes_twice_is_refused(content: bytes) -> None:
    # The first entry again, before the directory.
    _, *_, size, _, length, _ = struct.unpack_from("<4s5H3L2H", content)
    first = content[: 30 + length + size]
    assert "two entries" in refused(first + content)


def test_entries_too_many_or_too_few_are_refused(model: NGRC) -> None:
    more = {**entries_of(model), "extra.json": b"{}"}
    assert "entries are not those" in refused(sealed(more))
    fewer = {name: part for name, part in entries_of(model).items() if name != "arrays/0.npy"}
    assert "entries are not those" in refused(sealed(fewer))


def test_a_size_that_the_file_does_not_have_is_refused_before_it_is_read(content: bytes) -> None:
    for size in (2**31, 2**32 - 1):
        spoilt = bytearray(content)
        struct.pack_into("<2L", spoilt, 18, size, size)
        refused(bytes(spoilt))


def test_the_manifest_says_what_is_inside(model: NGRC) -> None:
    newer = refused(sealed(entries_of(model), version=2, ngrc="9.9.9"))
    assert "written by a newer ngrc (9.9.9, format 2; this is" in newer
    assert "update ngrc" in newer
    assert "not one of ngrc's" in refused(sealed(entries_of(model), format="other"))
    for version in (0, -1, "1", None, True, 1.5):
        assert "names no version" in refused(sealed(entries_of(model), version=version))
    assert "other parts" in refused(sealed(entries_of(model), more=1))
    assert "promises" in refused(sealed(entries_of(model), kind="AutoNGRC"))
    assert "checksum" in refused(sealed(entries_of(model), sha256={}))


def test_json_that_is_not_ours_is_refused(model: NGRC) -> None:
    for text in (b'{"a":1,"a":2}', b'{ "a":1}', b"[NaN]", b"[1e999]", b"{", b"\xff", b"[" * 100_000):
        assert "not as ngrc writes them" in refused(sealed({**entries_of(model), TREE: text}))


def test_a_file_is_written_whole_or_not_at_all(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "method.ngrc"
    Adaptive().save(path)
    before = path.read_bytes()
    with pytest.raises(ValueError, match="cannot be kept"):
        save(Adaptive(rate=0.5).begin, path)
    monkeypatch.setattr(os, "replace", lambda *_: (_ for _ in ()).throw(OSError("full")))
    with pytest.raises(OSError, match="cannot write"):
        save(Adaptive(rate=0.5), path)
    assert path.read_bytes() == before
    assert [file.name for file in tmp_path.iterdir()] == ["method.ngrc"]
    with pytest.raises(ValueError, match="it is a folder"):
        save(Adaptive(), tmp_path)


def test_values_save_themselves(tmp_path: Path, model: NGRC) -> None:
    tracker = Adaptive(rate=0.01).begin(History(np.arange(1.0, 30.0)), 0.9)
    for value in (model, Adaptive(), tracker):
        value.save(tmp_path / "value")
        assert type(ngrc.load(str(tmp_path / "value"))) is type(value)
