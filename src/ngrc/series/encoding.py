"""Text out of bytes: UTF-8, UTF-16 in either order, with or without a mark, and Windows-1252."""

import codecs
import re
from typing import NamedTuple

# Longer marks first: that of UTF-32 begins like that of UTF-16.
_MARKS = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
# Enough bytes to see that every second one is zero, as in UTF-16 of digits and Latin letters.
_SAMPLE = 4096
# Share of zero bytes in one half of the places, and at most in the other.
_ZEROS, _STRAY = 0.7, 0.1
# Signs that no text holds; tab, line ends, form feed and the end of a DOS file are let through.
_CONTROL = bytes([*range(9), *range(0x0E, 0x1A), *range(0x1B, 0x20)])
# Places of Windows-1252 without a sign.
_UNDEFINED = re.compile(rb"[\x81\x8d\x8f\x90\x9d]")

NOT_A_TABLE = "name a CSV, TSV, Excel, Parquet, Feather or JSON file"
"""What to do about a file of another kind."""


class Text(NamedTuple):
    """Text, and the remark on its encoding where that is not UTF-8."""

    text: str
    notes: tuple[str, ...] = ()


def decoded(data: bytes) -> Text:
    """Text of a file; what is not text raises.

    Examples
    --------
    >>> decoded("Größe".encode("latin-1"))
    Text(text='Größe', notes=('text read as Windows-1252, as it is not UTF-8',))
    """
    for mark, name in _MARKS:
        if data.startswith(mark):
            return _marked(data, name)
    if b"\x00" in data:
        return _two_bytes(data)
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        return _one_byte(data, error.start)
    _check_signs(data)
    return Text(text.rstrip("\x1a"))


def _marked(data: bytes, name: str) -> Text:
    try:
        text = data.decode(name)
    except UnicodeDecodeError:
        raise ValueError(
            f"the file begins like {name.upper()} text and breaks off; save it again in UTF-8"
        ) from None
    return Text(text, () if name == "utf-8-sig" else (f"text read as {name.upper()}",))


def _two_bytes(data: bytes) -> Text:
    """UTF-16 without a mark, known by its zero bytes."""
    sample = data[:_SAMPLE]
    even, odd = (part.count(0) / max(len(part), 1) for part in (sample[::2], sample[1::2]))
    for name, zeros, others in (("utf-16-le", odd, even), ("utf-16-be", even, odd)):
        if zeros >= _ZEROS and others <= _STRAY:
            try:
                return Text(data.decode(name), (f"text read as {name.upper()}",))
            except UnicodeDecodeError:
                break
    _check_signs(data)
    raise AssertionError("a zero byte is a control sign")


def _one_byte(data: bytes, start: int) -> Text:
    """Windows-1252, and Latin-1 within it; a file with signs of neither is no text."""
    _check_signs(data)
    if _UNDEFINED.search(data):
        line = data.count(b"\n", 0, start) + 1
        raise ValueError(f"line {line} is neither UTF-8 nor Windows-1252 text; save the file in UTF-8")
    return Text(
        data.decode("windows-1252").rstrip("\x1a"), ("text read as Windows-1252, as it is not UTF-8",)
    )


def _check_signs(data: bytes) -> None:
    # Far faster than to search: a copy without such signs is shorter.
    if len(data.translate(None, _CONTROL)) == len(data):
        return
    place = min(place for sign in _CONTROL if (place := data.find(sign)) >= 0)
    line = data.count(b"\n", 0, place) + 1
    raise ValueError(
        f"this is no table of text: line {line} holds the byte {data[place]:#04x}; {NOT_A_TABLE}"
    )
