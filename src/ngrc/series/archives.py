"""Zip archives: the one table in them."""

import io
import zipfile
from collections.abc import Iterator
from typing import NamedTuple

from ngrc.series.room import check_room
from ngrc.series.wording import excerpt, listed, shortly

_ENDINGS: tuple[str, ...] = (".csv", ".tsv", ".txt", ".dat", ".tab", ".parquet", ".feather", ".arrow", ".ipc")
_ENDINGS += (".json", ".jsonl", ".ndjson", ".xlsx", ".xls", ".xlsb", ".ods", ".gz")


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
    shown = excerpt(chosen[0])
    check_room(member.file_size, len(data), f"{shown} in the zip archive", "unpack it yourself")
    return Member(chosen[0], _unpacked(archive, member), (f"read {shown} of the zip archive",))


def check_parts(data: bytes) -> None:
    """Refuse a workbook whose parts together fill the memory."""
    check_room(
        sum(part.file_size for part in _opened(data).infolist()),
        len(data),
        "the workbook",
        "save the table as CSV",
    )


def parts_of(data: bytes, ending: str) -> Iterator[tuple[str, bytes]]:
    """Names and content of the members with that ending."""
    archive = _opened(data)
    for member in archive.infolist():
        if member.filename.lower().endswith(ending):
            yield member.filename, _unpacked(archive, member)


def _unpacked(archive: zipfile.ZipFile, member: zipfile.ZipInfo) -> bytes:
    try:
        return archive.read(member)
    except NotImplementedError as error:
        raise ValueError(
            f"the zip archive is packed in a way that is not read ({shortly(error)}); unpack it first"
        ) from None
    except RuntimeError:
        raise ValueError(
            f"{excerpt(member.filename)} in the zip archive is locked by a password; unpack it first"
        ) from None
    except Exception as error:  # of the archive, of what unpacks it, or of a name that is no text
        raise ValueError(
            f"the zip archive or Excel workbook is damaged ({shortly(error)}); fetch it again"
        ) from None


def _opened(data: bytes) -> zipfile.ZipFile:
    try:
        return zipfile.ZipFile(io.BytesIO(data))
    except Exception as error:  # of a directory that says anything at all
        raise ValueError(
            f"the zip archive or Excel workbook is damaged ({shortly(error)}); fetch it again"
        ) from None


def _names(archive: zipfile.ZipFile) -> list[str]:
    return [name for name in archive.namelist() if not name.endswith("/")]


def _hidden(name: str) -> bool:
    """What systems add on their own: forks of macOS, files that begin with a dot."""
    return name.startswith("__MACOSX/") or name.rpartition("/")[2].startswith(".")
