"""Zip archives: the one table in them."""

import io
import zipfile
from typing import NamedTuple

from ngrc.series.wording import listed

_ENDINGS: tuple[str, ...] = (".csv", ".tsv", ".txt", ".dat", ".tab", ".parquet", ".feather", ".arrow", ".ipc")
_ENDINGS += (".json", ".jsonl", ".ndjson", ".xlsx", ".xls", ".xlsb", ".ods", ".gz")
# Beyond this a member is no table for one series, and may be made to fill the memory.
_LARGEST = 8 << 30


class Member(NamedTuple):
    """One file of an archive: its name, its bytes, and remarks."""

    name: str
    data: bytes
    notes: tuple[str, ...]


def is_workbook(data: bytes) -> bool:
    """Whether a zip archive is a workbook of Excel or OpenDocument."""
    names = _names(_opened(data))
    return any(name in names for name in ("xl/workbook.xml", "xl/workbook.bin", "content.xml"))


def only_table(data: bytes) -> Member:
    """The one member that is a table; none or several raise and are named."""
    archive = _opened(data)
    names = [name for name in _names(archive) if not _hidden(name)]
    tables = [name for name in names if name.lower().endswith(_ENDINGS)]
    chosen = names if len(names) == 1 else tables
    if len(chosen) != 1:
        held = f"holds {listed(chosen or names)}" if names else "is empty"
        many = "unpack it and name one of them" if names else "pack the table again"
        raise ValueError(f"the zip archive {held}; {many}")
    member = archive.getinfo(chosen[0])
    if member.file_size > _LARGEST:
        raise ValueError(
            f"{chosen[0]!r} in the zip archive unpacks to {member.file_size:,} bytes; unpack it yourself"
        )
    try:
        return Member(chosen[0], archive.read(member), (f"read {chosen[0]!r} of the zip archive",))
    except RuntimeError:
        raise ValueError(
            f"{chosen[0]!r} in the zip archive is locked by a password; unpack it first"
        ) from None
    except (zipfile.BadZipFile, NotImplementedError, OSError, EOFError) as error:
        raise ValueError(f"the zip archive is damaged ({error}); fetch it again") from None


def _opened(data: bytes) -> zipfile.ZipFile:
    try:
        return zipfile.ZipFile(io.BytesIO(data))
    except (zipfile.BadZipFile, NotImplementedError) as error:
        raise ValueError(f"the zip archive or Excel workbook is damaged ({error}); fetch it again") from None


def _names(archive: zipfile.ZipFile) -> list[str]:
    return [name for name in archive.namelist() if not name.endswith("/")]


def _hidden(name: str) -> bool:
    """What systems add on their own: forks of macOS, files that begin with a dot."""
    return name.startswith("__MACOSX/") or name.rpartition("/")[2].startswith(".")
