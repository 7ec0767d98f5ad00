"""Rows on disk, one file per method and series, so that a peer need not run again while our own model changes.

A file counts only under the same protocol and the same versions of the packages. Its seconds are those of the run that
wrote it: on another machine the folder is to be removed.
"""

import json
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from accuracy.columns import MOST_LAGS
from accuracy.methods.automatic import WINDOW
from accuracy.methods.base import LEVEL
from accuracy.methods.conformal import FIT
from accuracy.origins import FEWEST_OBSERVATIONS, MOST
from accuracy.schedule import FITS, SPREAD, TRAIN_PERCENT
from accuracy.scores import Row
from ngrc._atomic import write_text

FORMAT = 1
"""Raised whenever the meaning of a row changes, so that older files no longer count."""
INTERVAL_FORMAT = 1
"""The same for rows of intervals alone."""
PACKAGES = ("lightgbm", "scikit-learn", "statsforecast", "skforecast", "numpy", "scipy")


def protocol(kind: str) -> str:
    """What must be the same for a kept row of that kind to be comparable."""
    sizes: tuple[float, ...] = (
        FORMAT,
        TRAIN_PERCENT,
        FITS,
        SPREAD,
        MOST_LAGS,
        WINDOW,
        MOST,
        FEWEST_OBSERVATIONS,
    )
    if kind == "interval":
        sizes = (*sizes, INTERVAL_FORMAT, FIT, LEVEL)
    return f"{sizes} {' '.join(f'{name}={_version(name)}' for name in PACKAGES)}"


def _version(name: str) -> str:
    try:
        return version(name)
    except PackageNotFoundError:
        return "absent"


def place(folder: Path, kind: str, series: str, method: str) -> Path:
    """The file of one method on one series."""
    return folder / f"{kind}-{method}-{series}.json".replace("/", "_").replace(" ", "_")


def keep(folder: Path, kind: str, series: str, method: str, rows: list[Row]) -> None:
    """Write rows whole or not at all."""
    folder.mkdir(parents=True, exist_ok=True)
    content = {"protocol": protocol(kind), "rows": [row.plain() for row in rows]}
    write_text(place(folder, kind, series, method), json.dumps(content))


def kept(folder: Path, kind: str, series: str, method: str) -> list[Row] | None:
    """Rows of an earlier run, or None where there are none of this protocol."""
    path = place(folder, kind, series, method)
    if not path.is_file():
        return None
    content = json.loads(path.read_text(encoding="utf-8"))
    if content["protocol"] != protocol(kind):
        return None
    return [Row(**row) for row in content["rows"]]
