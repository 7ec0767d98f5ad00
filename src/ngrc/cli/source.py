"""SERIES on the command line: a dataset's name or the path of a file."""

from pathlib import Path

from ngrc.cli.assumed import STANDARD_INPUT
from ngrc.cli.options import Request
from ngrc.cli.speech import remark
from ngrc.datasets import load, names
from ngrc.datasets.catalogue import located
from ngrc.series import Recording, read_channels
from ngrc.series.wording import closest


def open_recording(request: Request) -> Recording:
    """Load a dataset by name, else read the file: its targets, and the channels beside them."""
    source = request.source
    if _is_dataset(source):
        if not request.plain:
            raise ValueError(
                "--column, --target, --exog, --known, --time and --resample are for files; "
                f"{source!r} is a dataset"
            )
        return Recording((load(source),))
    # A name without an ending is more likely a misspelt dataset than a lost file.
    if source != STANDARD_INPUT and not Path(source).exists() and Path(source).suffix == "":
        raise ValueError(
            f"{source!r} is neither a file nor a dataset; datasets are {', '.join(names())}"
            f"{closest(source, names())}"
        )
    return read_channels(
        source,
        targets=request.targets,
        exog=request.exog,
        known=request.known,
        time=request.time,
        resample=request.resample,
    )


def one_target(request: Request, command: str) -> None:
    """Refuse several targets before the file is read."""
    if len(request.targets) > 1:
        raise ValueError(
            f"ngrc {command} looks at one target, got {', '.join(request.targets)}; give one --target, and the others "
            "as --exog"
        )


def source_files(source: str) -> list[Path]:
    """The files that `open_recording` reads, or may read: never to be written to."""
    if source == STANDARD_INPUT:
        return []
    return located(source) if _is_dataset(source) else [Path(source)]


def _is_dataset(source: str) -> bool:
    # A file called solar in the folder at hand is what its owner means.
    return source in names() and not Path(source).is_file()


def say(notes: tuple[str, ...] | list[str]) -> None:
    """Remarks go to standard error, so that standard output stays a table or one JSON object."""
    for note in notes:
        remark(note)
