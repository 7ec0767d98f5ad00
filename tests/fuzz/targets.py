"""What is fuzzed: one call per door through which bytes of strangers come in."""

import contextlib
import csv
import io
import math
import tempfile
from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

import ngrc
from ngrc.archive import dumps, loads
from ngrc.archive.container import MANIFEST, TREE, unpack
from ngrc.cli import run
from ngrc.intervals import Adaptive
from ngrc.intervals.base import History
from ngrc.series import Series, read_channels, read_series
from ngrc.series.long import read_long
from tests.archive.forging import sealed
from tests.fuzz import seeds, streams
from tests.fuzz.rules import Call
from tests.fuzz.wording import DefectError, check_line


class Target(NamedTuple):
    """One door: how it is called, the good inputs, the words put into them."""

    call: Call
    seeds: Callable[[], Sequence[bytes]]
    tokens: Sequence[bytes]


def _file(data: bytes) -> Path:
    """The bytes in a file, the same one again and again."""
    path = _folder() / "input"
    path.write_bytes(data)
    return path


@cache
def _folder() -> Path:
    # Gone with the process: what holds it is kept.
    _KEPT.append(tempfile.TemporaryDirectory(prefix="ngrc-fuzz-"))
    return Path(_KEPT[-1].name)


_KEPT: list[Any] = []


def read(data: bytes) -> None:
    """`read_series`, and where there are several, `read_long`; a grid is made where one is missing."""
    path = _file(data)
    try:
        check_series(read_series(path))
    except ngrc.series.SeveralSeriesError:
        check_long(read_long(path).frame["y"])
    except ValueError as error:
        if "resample" not in str(error):
            raise
        check_series(read_series(path, resample=True))


def read_beside(data: bytes) -> None:
    """`read_channels`: targets and the columns beside them."""
    recording = read_channels(_file(data), targets=["load"], exog=["wind"])
    for series in recording.targets:
        check_series(series)
    if recording.channels is not None and not np.all(np.isfinite(recording.channels.values)):
        raise DefectError("a channel that is not finite")


def forecast(data: bytes) -> None:
    """`ngrc forecast FILE` as a person types it, in this process; its error is one line, its output finite."""
    out, err = io.StringIO(), io.StringIO()
    path = str(_file(data))
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        code = run(
            ["forecast", path, "--lags", "2", "--degree", "1", "--method", "split", "--level", "50", "-q"]
        )
    if code == 2:
        lines = err.getvalue().splitlines()
        if len(lines) != 1 or not lines[0].startswith("ngrc: error: "):
            raise DefectError(f"no single line of error: {err.getvalue()!r}")
        raise ValueError(lines[0])
    if code:
        raise DefectError(f"exit code {code}: {err.getvalue()!r}")
    _check_printed(out.getvalue())


def load(data: bytes) -> None:
    """`ngrc.loads`: whatever is loaded says the same when it is kept again."""
    value = loads(data)
    if dumps(loads(dumps(value))) != dumps(value):
        raise DefectError("a value that is not the same when it is kept again")


def load_inside(data: bytes) -> None:
    """`ngrc.loads` of a tree whose checksums are right: what a person who forges a file can reach."""
    entries = {name: bytes(part) for name, part in unpack(_kept_model()).items()}
    load(sealed({**entries, TREE: data}))


def check_series(series: Series) -> None:
    """Refuse a series with anything but finite values at rising times."""
    if not len(series) or not np.all(np.isfinite(series.values)):
        raise DefectError("values that are not finite")
    if series.times is not None:
        rising = np.diff(series.times.astype("M8[ns]") if series.times.dtype.kind == "M" else series.times)
        if np.any(~(rising > np.zeros(1, rising.dtype))):
            raise DefectError("times that do not rise")
    for note in series.notes:
        check_line(note)


def check_long(values: Any) -> None:
    """Refuse NaN and infinity among the values of many series: what is missing is null."""
    if not values.drop_nulls().is_finite().all():
        raise DefectError("values that are not finite")


def _check_printed(text: str) -> None:
    rows = list(csv.DictReader(io.StringIO(text)))
    if not rows:
        raise DefectError("no forecast")
    for row in rows:
        for name in ("mean", "lower", "upper"):
            cell = row.get(name)
            # Few residuals bear no interval of that level: an empty or endless end says so.
            if cell is not None and name == "mean" and not math.isfinite(float(cell)):
                raise DefectError(f"a mean of {cell}")
            if cell is not None and cell.lower() == "nan":
                raise DefectError(f"a {name} of {cell}")


@cache
def _kept_model() -> bytes:
    series = np.sin(np.arange(60) / 3) + np.arange(60) % 7 / 10
    return dumps(ngrc.NGRC(lags=2).fit(series))


def _archives() -> list[bytes]:
    tracker = Adaptive(rate=0.01).begin(History(np.arange(1.0, 30.0)), 0.9)
    return [_kept_model(), dumps(Adaptive(rate=0.5)), dumps(tracker)]


def _trees() -> list[bytes]:
    return [bytes(unpack(_kept_model())[TREE])]


ARCHIVE_TOKENS = (
    *(
        MANIFEST.encode(),
        TREE.encode(),
        b"arrays/0.npy",
        b"PK\x03\x04",
        b"PK\x01\x02",
        b"PK\x05\x06",
        b"../x.json",
    ),
    *(b"ngrc sha256 ", b"'<f8'", b"'|O'", b"\x93NUMPY", b'"version":2', b"'shape': (99999999999,)", b"NaN"),
)
TREE_TOKENS = (
    *(
        b'{"array":0}',
        b'{"array":-1}',
        b'{"array":9}',
        b'{"tuple":[]}',
        b'{"list":[]}',
        b'{"float":"000000000000f07f"}',
    ),
    *(
        b'{"range":[0,1,1]}',
        b'{"range":[0,1000000000000000000,1]}',
        b'{"datetime":"2024-01-01"}',
        b"null",
        b"true",
    ),
    *(
        b"-1",
        b"0",
        b"1",
        b"2",
        b"1e308",
        b'"a"',
        b'"kind"',
        b'"fields"',
        b'"NGRC"',
        b'"Adaptive"',
        b"9" * 200,
        b"1.5",
    ),
    *(
        b'{"scalar":"<f8","bytes":"000000000000f87f"}',
        b'{"dict":[]}',
        b'{"kind":"Adaptive","fields":{}}',
        b"false",
    ),
)
TARGETS = {
    "delimited": Target(read, seeds.delimited_seeds, seeds.TEXT_TOKENS),
    "documents": Target(read, seeds.document_seeds, seeds.JSON_TOKENS),
    "binary": Target(read, seeds.binary_seeds, seeds.BINARY_TOKENS),
    "workbooks": Target(read, seeds.workbook_seeds, seeds.BINARY_TOKENS),
    "packed": Target(read, seeds.packed_seeds, seeds.BINARY_TOKENS),
    "channels": Target(read_beside, seeds.delimited_seeds, seeds.TEXT_TOKENS),
    "forecast": Target(forecast, seeds.delimited_seeds, seeds.TEXT_TOKENS),
    "lines": Target(streams.take_lines, streams.line_seeds, streams.LINE_TOKENS),
    "state": Target(streams.take_state, streams.state_seeds, streams.STATE_TOKENS),
    "log": Target(streams.take_log, streams.log_seeds, streams.STATE_TOKENS),
    "archive": Target(load, _archives, ARCHIVE_TOKENS),
    "tree": Target(load_inside, _trees, TREE_TOKENS),
}
"""By name; `python -m tests.fuzz NAME` runs one of them."""
