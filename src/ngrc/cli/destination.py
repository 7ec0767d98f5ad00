"""`--out FILE` on the command line: checked before any work is done, written whole or not at all."""

import json
import os
import stat
from collections.abc import Callable, Iterable, Mapping
from io import BytesIO
from pathlib import Path
from typing import Any, Literal, TypeVar

import click
import polars as pl

from ngrc._atomic import check_file, write_bytes
from ngrc.cli.speech import quiet
from ngrc.series.wording import closest

Function = TypeVar("Function", bound=Callable[..., Any])
Format = Literal["csv", "parquet", "json"]
ENDINGS: Mapping[str, Format] = {
    "": "csv",
    ".csv": "csv",
    ".txt": "csv",
    ".parquet": "parquet",
    ".json": "json",
}
"""Which format an ending asks for; pipes and devices have none."""
TABLES: tuple[Format, ...] = ("csv", "parquet", "json")
"""What a command whose result is a table can write."""


def check_out(out: Path | None, inputs: Iterable[Path], formats: Iterable[Format] = TABLES) -> None:
    """Refuse an `--out` that is one of the command's own inputs, has a foreign ending, or cannot be written.

    Parameters
    ----------
    out
        What the user named; None for standard output, which is always fine.
    inputs
        Files that the command reads. A link of either kind to one of them is that file too.
    formats
        What the command can write.
    """
    if out is None:
        return
    _check_input(out, inputs)
    format_of(out, formats)
    _check_place(out)


def check_beside(option: str, path: Path | None, inputs: Iterable[Path], endings: Iterable[str]) -> None:
    """The same for another file that a command writes, such as that of `--plot`."""
    if path is None:
        return
    _check_input(path, inputs, option)
    endings = tuple(endings)
    if path.suffix.lower() not in endings:
        raise ValueError(
            f"{option} writes {', '.join(endings)}, got {path.name!r}; name it with one of these endings"
        )
    _check_place(path, option)


def _check_input(path: Path, inputs: Iterable[Path], option: str = "--out") -> None:
    for source in inputs:
        if same_file(path, source):
            raise ValueError(f"{option} {path} would replace the input {source}; name another file")


def _check_place(path: Path, option: str = "--out") -> None:
    # As in `ngrc ... --out out.csv > out.csv`.
    if _is_stream(path):
        raise ValueError(
            f"{option} {path} is where standard output already goes; leave {option} away or name another file"
        )
    check_file(path)


def format_of(out: Path, formats: Iterable[Format] = TABLES) -> Format:
    """The format that a file's ending asks for.

    Examples
    --------
    >>> format_of(Path("bands.Parquet")), format_of(Path("bands"))
    ('parquet', 'csv')
    """
    allowed = tuple(formats)
    # A file without an ending is CSV where CSV can be had, else the one format that there is.
    default: Format = "csv" if "csv" in allowed else allowed[0]
    wanted = default if out.suffix == "" else ENDINGS.get(out.suffix.lower())
    if wanted is None or wanted not in allowed:
        names = " or ".join(f".{name}" for name in allowed)
        near = closest(out.suffix.lower(), [f".{name}" for name in allowed])
        raise ValueError(
            f"--out writes {', '.join(_TITLES[name] for name in allowed)}, got {out.name!r}; name it {names}{near}"
        )
    return wanted


_TITLES: Mapping[Format, str] = {"csv": "CSV", "parquet": "Parquet", "json": "JSON"}


def write_result(
    out: Path,
    text: pl.DataFrame | None,
    report: Mapping[str, Any],
    typed: pl.DataFrame | None = None,
    *,
    formats: Iterable[Format] = TABLES,
    err: bool = False,
) -> None:
    """Write a result in the format of the file's ending and say so.

    Parameters
    ----------
    out
        The file.
    text
        The table as CSV has it, times spelled as they came in; None of a command that writes JSON alone.
    report
        The object that `--json` prints, ready for JSON.
    typed
        The table as Parquet has it, times as times; `text` unless given.
    formats
        As for `check_out`.
    err
        Whether the remark goes to standard error, because standard output holds an object.
    """
    wanted = format_of(out, formats)
    if wanted == "json":
        content = (json.dumps(report, allow_nan=False) + "\n").encode()
    else:
        assert text is not None
        buffer = BytesIO()
        if wanted == "csv":
            text.write_csv(buffer)
        else:
            (text if typed is None else typed).write_parquet(buffer)
        content = buffer.getvalue()
    write_bytes(out, content)
    if not quiet():
        click.echo(f"wrote {out}", err=err)


def out_option(formats: Iterable[Format] = TABLES) -> Callable[[Function], Function]:
    """`--out FILE`."""
    names = [_TITLES[name] for name in formats]
    listed = names[0] if len(names) == 1 else f"{', '.join(names[:-1])} or {names[-1]} by its ending"
    return click.option(
        "--out",
        type=click.Path(path_type=Path),
        metavar="FILE",
        help=f"File for the result: {listed}; standard output by default.",
    )


def same_file(first: Path, second: Path) -> bool:
    """Whether two names lead to one regular file: by resolved path, or by device and inode for a hard link."""
    try:
        left, right = first.stat(), second.stat()
    except OSError:
        # One of them is not there yet: equal names after all links are resolved would still be one file.
        return os.path.realpath(first) == os.path.realpath(second)
    # A terminal may be both standard input and standard output: no content is lost there.
    return stat.S_ISREG(left.st_mode) and os.path.samestat(left, right)


def _is_stream(out: Path) -> bool:
    """Whether standard output or standard error is redirected to the file: both would write over each other."""
    try:
        status = out.stat()
    except OSError:
        return False
    return stat.S_ISREG(status.st_mode) and any(os.path.samestat(status, stream) for stream in _streams())


def _streams() -> list[os.stat_result]:
    statuses = []
    for descriptor in (1, 2):
        try:
            statuses.append(os.fstat(descriptor))
        except OSError:  # closed by whoever started us
            continue
    return statuses
