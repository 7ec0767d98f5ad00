"""SERIES on the command line: a dataset's name or the path of a file."""

from pathlib import Path

import click

from ngrc.datasets import load, names
from ngrc.series import Series, read_series


def open_series(source: str, *, column: str | None, time: str | None, resample: bool) -> Series:
    """Load a dataset by name, else read the file."""
    if source in names() and not Path(source).is_file():
        if column or time or resample:
            raise ValueError(f"--column, --time and --resample are for files; {source!r} is a dataset")
        return load(source)
    if not Path(source).exists() and Path(source).suffix == "":
        raise ValueError(
            f"{source!r} is neither a file nor a dataset; datasets are {', '.join(names())}, "
            "files are CSV or Parquet"
        )
    return read_series(source, column=column, time=time, resample=resample)


def say(notes: tuple[str, ...] | list[str]) -> None:
    """Remarks go to standard error, so that standard output stays a table or one JSON object."""
    for note in notes:
        click.echo(f"ngrc: note: {note}", err=True)
