"""How much a packed file may unpack to: what is meant to fill the memory is refused before it does."""

import bz2
import lzma
import zlib
from typing import Any

# Tables pack five- to thirtyfold, and long runs of one value some hundredfold; files made to do harm a thousandfold and
# more. What fits into this many bytes does none on any machine.
TIMES, FREE, LARGEST = 100, 1 << 30, 8 << 30
_CHUNK = 1 << 20
# The largest that xz itself makes has 64 MB; a header may claim four gigabytes.
_DICTIONARY = 1 << 28


def room(packed: int) -> int:
    """Bytes to which a file of `packed` bytes may unpack."""
    return min(LARGEST, max(FREE, TIMES * packed))


def check_room(unpacked: int, packed: int, what: str, remedy: str) -> None:
    """Refuse what claims more than its room."""
    if unpacked > room(packed):
        raise ValueError(
            f"{what} would take {unpacked:,} bytes of memory out of a file of {packed:,}, which may take "
            f"{room(packed):,}; {remedy}"
        )


def decompressed(data: bytes, kind: str) -> bytes:
    """Bytes out of `gzip`, `bz2` or `xz`, one stream after the other, as long as there is room."""
    most, parts, size = room(len(data)), list[bytes](), 0
    rest = data
    while rest:
        unpacker = _unpacker(kind)
        while not unpacker.eof:
            part = unpacker.decompress(rest, _CHUNK)
            size += len(part)
            if size > most:
                raise ValueError(
                    f"the compressed file of {len(data):,} bytes unpacks to more than {most:,}, which no table does; "
                    "unpack it yourself"
                )
            if not part and not unpacker.eof:
                raise EOFError("it ends before its end mark")
            parts.append(part)
            # What one call leaves is given again by the caller in gzip, and kept inside by the others.
            rest = getattr(unpacker, "unconsumed_tail", b"")
        rest = unpacker.unused_data
        # Zeros after the end fill up the blocks of a tape, as gzip itself has it.
        if not rest.strip(b"\0"):
            break
    return b"".join(parts)


def _unpacker(kind: str) -> Any:
    if kind == "gzip":
        return zlib.decompressobj(16 + zlib.MAX_WBITS)
    return bz2.BZ2Decompressor() if kind == "bz2" else lzma.LZMADecompressor(memlimit=_DICTIONARY)
