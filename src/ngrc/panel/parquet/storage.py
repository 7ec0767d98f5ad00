"""Folders of files, here or in an object store: listed, and written whole or not at all."""

import json
import secrets
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ngrc._optional import load


@dataclass(frozen=True, slots=True)
class Storage:
    """A folder by path or address (`s3://bucket/folder`), as every worker sees it.

    Examples
    --------
    >>> Storage.at("forecasts").join("part.parquet").endswith("forecasts/part.parquet")
    True
    """

    address: str

    @classmethod
    def at(cls, place: Any) -> "Storage":
        """A folder by a path, made absolute as workers start elsewhere, or by an address."""
        text = str(place)
        return cls(text.rstrip("/") if "://" in text else str(Path(text).expanduser().resolve()))

    def join(self, *names: str) -> str:
        """The address of a file in the folder."""
        return "/".join((self.address, *names))

    def read(self, address: str) -> Any:
        """An open file."""
        system, path = file_system(address)
        return system.open_input_file(path)

    def write(self, address: str, writer: Callable[[Any], object]) -> None:
        """Let `writer` fill a file that takes its name only when it is whole."""
        system, path = file_system(address)
        folder, _, name = path.rpartition("/")
        system.create_dir(folder, recursive=True)
        # A name that nobody can foresee: two workers may write the same file after one was thought lost.
        partial = f"{folder}/.{name}.{secrets.token_hex(8)}.part"
        try:
            with system.open_output_stream(partial) as stream:
                writer(stream)
            system.move(partial, path)
        except BaseException:
            if exists(partial, system):
                system.delete_file(partial)
            raise

    def write_json(self, address: str, value: Any) -> None:
        """Write plain values."""
        text = json.dumps(value, indent=1)
        self.write(address, lambda stream: stream.write(text.encode()))

    def read_json(self, address: str) -> Any:
        """Plain values of a file; None where there is none."""
        system, path = file_system(address)
        if not exists(path, system):
            return None
        with system.open_input_stream(path) as stream:
            return json.loads(stream.read())

    def listed(self, *names: str) -> list[Any]:
        """Files below a folder with sizes, in the order of their names; hidden ones, as `_SUCCESS`, are left out."""
        from pyarrow.fs import FileSelector, FileType

        system, path = file_system(self.join(*names))
        found = system.get_file_info(FileSelector(path, recursive=True, allow_not_found=True))
        files = (info for info in found if info.type == FileType.File)
        shown = [info for info in files if not _hidden(info.path[len(path) :])]
        return sorted(shown, key=lambda info: info.path)

    def move(self, source: str, target: str) -> None:
        """Give a file another name."""
        system, path = file_system(source)
        _, goal = file_system(target)
        system.create_dir(goal.rpartition("/")[0], recursive=True)
        system.move(path, goal)

    def clear(self, *names: str) -> None:
        """Remove a folder with all that is in it."""
        system, path = file_system(self.join(*names))
        if exists(path, system):
            system.delete_dir(path)


def file_system(address: str) -> tuple[Any, str]:
    """The file system behind an address, and the path in it."""
    fs = load("pyarrow.fs", "panel", "Parquet folders")
    if "://" in address:
        system, path = fs.FileSystem.from_uri(address)
        return system, str(path)
    return fs.LocalFileSystem(), address


def exists(path: str, system: Any) -> bool:
    """Whether a file or folder is there."""
    from pyarrow.fs import FileType

    return bool(system.get_file_info(path).type != FileType.NotFound)


def _hidden(path: str) -> bool:
    return any(part.startswith(("_", ".")) for part in path.split("/") if part)
