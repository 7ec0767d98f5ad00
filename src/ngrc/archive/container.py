"""The file: named entries in a zip archive, stored as they are, in the one form that this module writes.

Any zip tool and `numpy.load` can open it. Reading is the strict inverse of writing: headers are rebuilt from the names
and contents that were found and compared with the bytes that came, so that there is nothing in a file that is not
checked, no entry can be declared larger than it is, and no second directory can disagree with the first.
"""

import re
import struct
from collections.abc import Mapping
from hashlib import sha256
from zlib import crc32

Entries = Mapping[str, bytes | memoryview]

MANIFEST = "manifest.json"
TREE = "tree.json"
NAME = re.compile(r"[a-z]{1,20}(/[a-z0-9]{1,20})?\.(json|npy)")
"""Names that entries may have, of any version; none leads out of a folder into which somebody unpacks the file."""
LARGEST = 2**32 - 2**24
"""Bytes of a file: positions have 32 bits, and the directory needs room."""
MOST = 2**16 - 2
"""Entries of a file, whose number has 16 bits."""

LOCAL, CENTRAL, END = struct.Struct("<4s5H3L2H"), struct.Struct("<4s6H3L5H2L"), struct.Struct("<4s4H2LH")
SIGNATURE = b"PK\x03\x04"
# Version 2.0 of the format, no flags, no compression, midnight of 1 January 1980: the same value, the same bytes.
FIXED = (20, 0, 0, 0, 33)
COMMENT = b"ngrc sha256 "


class ArchiveError(ValueError):
    """Bytes that are not what `pack` wrote."""


def pack(entries: Entries) -> bytes:
    """One file out of named entries, the manifest first; its digest is the file's last word."""
    parts: list[bytes | memoryview] = []
    for name, content in entries.items():
        checked = crc32(content), len(content), len(content), len(name), 0
        parts += [LOCAL.pack(SIGNATURE, *FIXED, *checked), name.encode(), content]
    whole = sum(len(part) for part in parts)
    if whole > LARGEST or len(entries) > MOST:
        raise ValueError(
            f"a value of {whole:,} bytes in {len(entries)} parts is too large for one file; fit the model to fewer rows"
        )
    return b"".join((*parts, _directory(entries)))


def _directory(entries: Entries) -> bytes:
    """What follows the entries."""
    lines, offset = [], 0
    for name, content in entries.items():
        sizes = crc32(content), len(content), len(content), len(name)
        lines.append(CENTRAL.pack(b"PK\x01\x02", 20, *FIXED, *sizes, 0, 0, 0, 0, 0, offset) + name.encode())
        offset += LOCAL.size + len(name) + len(content)
    listed, count = b"".join(lines), len(entries)
    comment = COMMENT + sha256(entries[MANIFEST]).hexdigest().encode()
    end = END.pack(b"PK\x05\x06", 0, 0, count, count, len(listed), offset, len(comment))
    return listed + end + comment


def unpack(content: bytes) -> dict[str, memoryview]:
    """The entries of a file, none of them copied; `ArchiveError` where it is not what `pack` makes of them."""
    if not content:
        raise ArchiveError("it is empty")
    if content[:4] != SIGNATURE:
        raise ArchiveError("it is no file that ngrc wrote")
    view, place, entries = memoryview(content), 0, dict[str, memoryview]()
    while content[place : place + 4] == SIGNATURE:
        name, inside, place = _entry(view, place, foreign=not entries)
        if name in entries:
            raise ArchiveError(f"it has two entries of the name {name!r}")
        entries[name] = inside
    if next(iter(entries)) != MANIFEST or view[place:] != _directory(entries):
        raise ArchiveError("it was cut short or altered")
    return entries


def _entry(view: memoryview, place: int, *, foreign: bool) -> tuple[str, memoryview, int]:
    """Name and content of the entry at a place, and where the next one begins."""
    if len(view) < place + LOCAL.size:
        raise ArchiveError("it was cut short or altered")
    _, *fixed, check, size, again, length, extra = LOCAL.unpack_from(view, place)
    begin = place + LOCAL.size + length
    name = bytes(view[place + LOCAL.size : begin]).decode("latin-1")
    if (*fixed,) != FIXED or size != again or extra or not NAME.fullmatch(name):
        # Of a zip archive that somebody else made already the first entry is none of ours.
        raise ArchiveError(
            "it is a zip archive that ngrc did not write" if foreign else "it was cut short or altered"
        )
    if begin + size > len(view) or crc32(view[begin : begin + size]) != check:
        raise ArchiveError("it was cut short or altered")
    return name, view[begin : begin + size], begin + size
