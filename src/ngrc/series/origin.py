"""Where the bytes of a table come from: a file or standard input, plain or compressed."""

import lzma
import sys
import zlib
from pathlib import Path
from typing import Any

from ngrc.series.room import decompressed
from ngrc.series.wording import shortly

STANDARD_INPUT = "-"
"""The path that means standard input."""

# The first bytes by which compressed files are known.
_PACKED = ((b"\x1f\x8b", "gzip"), (b"BZh", "bz2"), (b"\xfd7zXZ\x00", "xz"))
# The stream that was read last, and its bytes.
_KEPT: dict[str, Any] = {}
_ZSTANDARD = b"\x28\xb5\x2f\xfd"


def content(path: str | Path) -> bytes:
    """Return the bytes of a file, or of standard input for "-", unpacked where they are compressed."""
    data = _standard_input() if str(path) == STANDARD_INPUT else _file(path)
    return unpacked(data)


def title(path: str | Path) -> str:
    """The source's own name: that of the file up to its first dot, as of sales.csv.gz.

    Examples
    --------
    >>> title("data/sales.csv.gz"), title("-")
    ('sales', 'standard input')
    """
    return shown(path) if str(path) == STANDARD_INPUT else Path(path).name.split(".")[0]


def shown(path: str | Path) -> str:
    """The source for a person."""
    return "standard input" if str(path) == STANDARD_INPUT else str(path)


def unpacked(data: bytes) -> bytes:
    """Bytes without their compression."""
    for sign, kind in _PACKED:
        if data.startswith(sign):
            try:
                return decompressed(data, kind)
            except (OSError, EOFError, zlib.error, lzma.LZMAError) as error:
                raise ValueError(
                    f"the compressed file is damaged ({shortly(error)}); fetch it again"
                ) from None
    if data.startswith(_ZSTANDARD):
        raise ValueError("this is compressed by Zstandard; unpack it first, with zstd -d")
    return data


def _standard_input() -> bytes:
    """All of standard input, which can be read once: kept, so that another look at the table finds it."""
    if _KEPT.get("stream") is not sys.stdin:
        _KEPT.update(stream=sys.stdin, data=sys.stdin.buffer.read())
    data: bytes = _KEPT["data"]
    return data


def _file(path: str | Path) -> bytes:
    if str(path).startswith(("http:", "https:", "ftp:")):
        raise ValueError("this is a web address; download the file and name it here")
    path = Path(path)
    if path.is_dir():
        raise ValueError(_folder(path))
    try:
        return path.read_bytes()
    except FileNotFoundError:
        raise ValueError("there is no such file; correct the path") from None
    except OSError as error:
        raise ValueError(
            f"the file cannot be read: {error.strerror}; correct the path or its rights"
        ) from None


def _folder(path: Path) -> str:
    """What to do with a folder: name a file in it, or put partitions together."""
    if not any(part.is_dir() and "=" in part.name for part in path.iterdir()):
        return "this is a folder; name a CSV, Excel or Parquet file in it"
    # Partitions as Spark, Hive and Arrow write them: year=2024/month=01/part-0.parquet.
    return (
        "this is a folder of partitions; put one series into one file, as polars does with "
        f'pl.read_parquet("{path.name}/**/*.parquet").sort("time").write_parquet("all.parquet"); for many series take '
        "ngrc.panel.forecast_parquet"
    )
