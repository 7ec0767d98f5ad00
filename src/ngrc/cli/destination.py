"""`--out FILE` on the command line, checked before any work is done."""

import os
import stat
from collections.abc import Iterable
from pathlib import Path

from ngrc._atomic import check_file

ENDINGS = ("", ".csv", ".txt")
"""Endings that do not promise another format; pipes and devices have none."""


def check_csv(out: Path | None, inputs: Iterable[Path]) -> None:
    """Refuse an `--out` that is one of the command's own inputs, does not end as CSV, or cannot be written.

    Parameters
    ----------
    out
        What the user named; None for standard output, which is always fine.
    inputs
        Files that the command reads. A link of either kind to one of them is that file too.
    """
    if out is None:
        return
    for path in inputs:
        if same_file(out, path):
            raise ValueError(f"--out {out} would replace the input {path}; name another file")
    if out.suffix.lower() not in ENDINGS:
        raise ValueError(f"--out writes CSV, got {out.name!r}; name it .csv")
    # As in `ngrc ... --out out.csv > out.csv`.
    if _is_stream(out):
        raise ValueError(
            f"--out {out} is where standard output already goes; leave --out away or name another file"
        )
    check_file(out)


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
