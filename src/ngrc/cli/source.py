"""SERIES on the command line: a dataset's name or the path of a file."""

from pathlib import Path

import click

from ngrc.datasets import load, names
from ngrc.datasets.catalogue import located
from ngrc.series import Series, read_series


def open_series(source: str, *, column: str | None, time: str | None, resample: bool) -> Series:
    """Load a dataset by name, else read the file."""
    if _is_dataset(source):
        if column or time or resample:
            raise ValueError(f"--column, --time and --resample are for files; {source!r} is a dataset")
        return load(source)
    # A name without an ending is more likely a misspelt dataset than a lost file.
    if not Path(source).exists() and Path(source).suffix == "":
        raise ValueError(
            f"{source!r} is neither a file nor a dataset; datasets are {', '.join(names())}, "
            "files are CSV or Parquet"
        )
    return read_series(source, column=column, time=time, resample=resample)


def source_files(source: str) -> list[Path]:
    """The files that `open_series` reads, or may read: never to be written to."""
    return located(source) if _is_dataset(source) else [Path(source)]


def _is_dataset(source: str) -> bool:
    # A file called solar in the folder at hand is what its owner means.
    return source in names() and not Path(source).is_file()


def say(notes: tuple[str, ...] | list[str]) -> None:
    """Remarks go to standard error, so that standard output stays a table or one JSON object."""
    for note in notes:
        click.echo(f"ngrc: note: {note}", err=True)
