"""Files that `ngrc.load` refuses, and what it says of them."""

import os
import pickle
import zipfile
from collections.abc import Callable
from pathlib import Path

import numpy as np

from ngrc.archive import dumps
from ngrc.archive.container import TREE
from ngrc.intervals import Adaptive
from tests.archive.forging import entries_of, forged, sealed

VALUE = Adaptive(rate=0.5)
GOOD = dumps(VALUE)


def _turned(place: int) -> bytes:
    spoilt = bytearray(GOOD)
    spoilt[place] ^= 1
    return bytes(spoilt)


def _zip(path: Path) -> None:
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("../escape.json", "{}")


def _array(path: Path) -> None:
    with path.open("wb") as file:
        np.save(file, np.ones(3))


def _written(content: bytes) -> Callable[[Path], object]:
    return lambda path: path.write_bytes(content)


_LINK = "cannot load FILE: Too many levels of symbolic links; correct the path or its rights"
_NONE = "cannot load FILE: it is no file that ngrc wrote; give a file that ngrc saved"
_ALTERED = "cannot load FILE: it was cut short or altered; give a file that ngrc saved"
ARCHIVES: dict[str, tuple[Callable[[Path], object], str]] = {
    "empty": (_written(b""), "cannot load FILE: it is empty; give a file that ngrc saved"),
    "text": (_written(b"NGRC(lags=4)"), _NONE),
    "pickle": (_written(pickle.dumps([1, 2])), _NONE),
    "numpy array": (_array, _NONE),
    "zip of another program": (
        _zip,
        "cannot load FILE: it is a zip archive that ngrc did not write; give a file that ngrc saved",
    ),
    "cut in half": (_written(GOOD[: len(GOOD) // 2]), _ALTERED),
    "without its last byte": (_written(GOOD[:-1]), _ALTERED),
    "with a byte too many": (_written(GOOD + b"\n"), _ALTERED),
    "one bit of a value turned": (_written(_turned(len(GOOD) // 2)), _ALTERED),
    "one bit of the digest turned": (_written(_turned(len(GOOD) - 1)), _ALTERED),
    "twice in one file": (
        _written(GOOD + GOOD),
        _ALTERED,
    ),
    "of a newer version": (
        _written(sealed(entries_of(VALUE), version=2, ngrc="9.9.9")),
        "cannot load FILE: it was written by a newer ngrc (9.9.9, format 2; this is {version}, format 1); update ngrc, "
        "or save it again with this version",
    ),
    "without a version": (
        _written(sealed(entries_of(VALUE), version=None)),
        "cannot load FILE: its manifest names no version of the format; give a file that ngrc saved",
    ),
    "of another format": (
        _written(sealed(entries_of(VALUE), format="other")),
        "cannot load FILE: its manifest is not one of ngrc's; give a file that ngrc saved",
    ),
    "with a wrong checksum": (
        _written(sealed(entries_of(VALUE), sha256={TREE: "0" * 64})),
        "cannot load FILE: it was altered: a checksum does not fit; give a file that ngrc saved",
    ),
    "with an entry too many": (
        _written(sealed({**entries_of(VALUE), "extra.json": b"{}"})),
        "cannot load FILE: its entries are not those of a kept value; give a file that ngrc saved",
    ),
    "with another class": (
        _written(forged(VALUE, lambda tree: {**tree, "kind": "os/system"}, kind="os/system")),
        "cannot load FILE: it names 'os/system', which is no kind of value that a file may hold; give a file that ngrc "
        "saved",
    ),
    "with another type": (
        _written(forged(VALUE, lambda tree: tree["fields"].update(rate="fast"))),
        "cannot load FILE: the field 'rate' of {kind} is not of its type, but str; give a file that ngrc saved",
    ),
    "with a value out of range": (
        _written(forged(VALUE, lambda tree: tree["fields"].update(rate=-1.0))),
        "cannot load FILE: a part of it is not valid (rate must be a finite number above zero, got -1.0); give a file "
        "that ngrc saved",
    ),
    "with JSON nested without end": (
        _written(sealed({**entries_of(VALUE), TREE: b"[" * 100_000})),
        "cannot load FILE: its tables are not as ngrc writes them; give a file that ngrc saved",
    ),
    "with a manifest of another kind": (
        _written(sealed(entries_of(VALUE), kind="NGRC")),
        "cannot load FILE: it does not hold the NGRC that it promises; give a file that ngrc saved",
    ),
    "a folder": (Path.mkdir, "cannot load FILE: it is a folder; give a file that ngrc saved"),
    "a pipe": (os.mkfifo, "cannot load FILE: it is not a regular file; give a file that ngrc saved"),
    "no file": (lambda path: None, "cannot load FILE: there is no such file; correct the path"),
    "a link to itself": (lambda path: path.symlink_to(path.name), _LINK),
}
"""By name: what makes the file, and the error."""
