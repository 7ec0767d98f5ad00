"""What is to be read and how it is divided: all that follows from the files' footers."""

from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from functools import partial
from importlib.metadata import version
from itertools import pairwise
from typing import Any, NamedTuple

from ngrc._optional import load
from ngrc.panel.layout import Layout
from ngrc.panel.parquet.storage import Storage, file_system
from ngrc.panel.task import Task
from ngrc.series.wording import listed

PART_ROWS = 50_000
"""Rows of a partition: 100 series of 500 points, a second of work or a few, so that a machine that is lost costs little
and the last ones to finish keep nobody waiting."""
MOST_PARTS = 2_000
"""Partitions at most, as each of them reads a piece of every slab, ..."""
LARGEST_PART = 5_000_000
"""... unless they would hold more rows than this, some hundred megabytes in memory."""
SLAB_ROWS = 2_500_000
"""Rows that one task of the shuffle holds at a time, where row groups allow it: a quarter of a gigabyte."""


class Slab(NamedTuple):
    """Row groups first..stop-1 of a file."""

    number: int
    file: str
    first: int
    stop: int


class Footer(NamedTuple):
    """What the end of a file says: rows, also by row group, and the least and greatest id where it says so."""

    file: str
    size: int
    modified: int
    rows: int
    groups: tuple[int, ...]
    least: Any
    most: Any


@dataclass(frozen=True, slots=True)
class Plan:
    """Which files are read, and into how many partitions their series are put.

    Parameters
    ----------
    task, version
        What is done, in words, and by which version.
    files
        Address, size and time of change of every file.
    partitions
        How many.
    shuffled
        Whether rows are gathered by series first; else each file is a partition, and no series stands in two.
    """

    task: str
    version: str
    files: tuple[tuple[str, int, int], ...]
    partitions: int
    shuffled: bool

    def plain(self) -> dict[str, Any]:
        """The plan for a JSON file."""
        return {**asdict(self), "files": [list(file) for file in self.files]}


def read_footers(source: Storage, layout: Layout) -> tuple[Footer, ...]:
    """The footer of every Parquet file of a folder; data are not read."""
    files = [info for info in source.listed() if info.path.endswith((".parquet", ".parq", ".pq"))]
    if not files:
        raise ValueError(f"there is no Parquet file in {source.address}; name a folder that holds some")
    return tuple(map(partial(_footer, source, layout), files))


def slabs(footers: Sequence[Footer]) -> tuple[Slab, ...]:
    """Row groups of all files, as many together as one task may hold."""
    cuts = [(footer.file, *cut) for footer in footers for cut in _cuts(footer.groups)]
    return tuple(Slab(number, *cut) for number, cut in enumerate(cuts))


def divided(footers: Sequence[Footer], partitions: int | None, shuffle: bool | None) -> tuple[int, bool]:
    """How many partitions, and whether a shuffle makes them."""
    rows = sum(footer.rows for footer in footers)
    apart = _apart(footers)
    if shuffle is None:
        large = any(footer.rows > 2 * PART_ROWS for footer in footers)
        shuffle = large or not apart or partitions is not None
    if not shuffle:
        return len(footers), False
    return partitions or usual_partitions(rows), True


def usual_partitions(rows: int) -> int:
    """Partitions of so many rows.

    Examples
    --------
    >>> [usual_partitions(rows) for rows in (10, 5_000_000, 5_000_000_000, 50_000_000_000)]
    [1, 100, 2000, 10000]
    """
    usual = min(-(-rows // PART_ROWS), MOST_PARTS)
    return max(usual, -(-rows // LARGEST_PART), 1)


def _apart(footers: Sequence[Footer]) -> bool:
    """Whether the files' ranges of ids do not touch, so that no series can stand in two."""
    if len(footers) == 1:
        return True
    if any(footer.least is None for footer in footers if footer.rows):
        return False
    ranges = sorted((footer.least, footer.most) for footer in footers if footer.rows)
    return all(before[1] < after[0] for before, after in pairwise(ranges))


def _footer(source: Storage, layout: Layout, info: Any) -> Footer:
    parquet = load("pyarrow.parquet", "panel", "Parquet folders")
    address = _address(source, info.path)
    with source.read(address) as stream:
        metadata = parquet.ParquetFile(stream).metadata
    names = metadata.schema.to_arrow_schema().names
    missing = [name for name in layout.names if name not in names]
    if missing:
        raise ValueError(
            f"{address} has no column {missing[0]!r}, it has {listed(names)}; name yours with id_col=, time_col= and "
            "target_col="
        )
    place = metadata.schema.names.index(layout.id)
    groups = [metadata.row_group(group) for group in range(metadata.num_row_groups)]
    told = [group.column(place).statistics for group in groups]
    known = bool(told) and all(one is not None and one.has_min_max for one in told)
    return Footer(
        address, info.size, info.mtime_ns or 0, metadata.num_rows, tuple(group.num_rows for group in groups),
        min(one.min for one in told) if known else None, max(one.max for one in told) if known else None,
    )  # fmt: skip


def _address(source: Storage, path: str) -> str:
    """The address of a listed file: the folder's own, and what comes below it."""
    _, root = file_system(source.address)
    return source.address + path[len(root) :]


def _cuts(groups: Sequence[int]) -> Iterator[tuple[int, int]]:
    first, held = 0, 0
    for group, size in enumerate(groups):
        if group > first and held + size > SLAB_ROWS:
            yield first, group
            first, held = group, 0
        held += size
    if groups:
        yield first, len(groups)


def plan_of(task: Task, footers: Sequence[Footer], partitions: int | None, shuffle: bool | None) -> Plan:
    """The plan of a task over files."""
    files = tuple((footer.file, footer.size, footer.modified) for footer in footers)
    return Plan(repr(task), version("ngrc"), files, *divided(footers, partitions, shuffle))
