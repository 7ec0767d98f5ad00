"""One partition: read, answered, written whole."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from ngrc.panel.outward import ERROR
from ngrc.panel.parquet.plan import Slab
from ngrc.panel.parquet.shuffle import read_bucket, read_slab, shuffled
from ngrc.panel.parquet.storage import Storage
from ngrc.panel.partition import partition
from ngrc.panel.task import Task

WORK = "_ngrc"
"""Folder of what is not finished, which no reader of the output looks into."""


@dataclass(frozen=True, slots=True)
class Job:
    """All that a worker needs, shipped with every item: addresses and parameters, no data.

    Parameters
    ----------
    out
        Folder of the output.
    task
        What to do.
    schema
        Arrow types of the columns that are read, those of the first file.
    buckets
        Number of partitions.
    slabs
        Number of slabs that were shuffled; 0 where each file is a partition.
    """

    out: Storage
    task: Task
    schema: Any
    buckets: int
    slabs: int

    def gather(self, slab: Slab) -> int:
        """Shuffle one slab."""
        names = self.task.layout.names
        shuffled(self.out, slab, names, self.schema, self.buckets, self.slab_file(slab.number))
        return slab.number

    def answer_bucket(self, bucket: int) -> dict[str, int]:
        """Answer the series of one bucket."""
        files = [self.slab_file(number) for number in range(self.slabs)]
        return self._answered(bucket, read_bucket(self.out, files, bucket))

    def answer_file(self, file: Slab) -> dict[str, int]:
        """Answer the series of one file."""
        return self._answered(file.number, read_slab(self.out, file, self.task.layout.names, self.schema))

    def _answered(self, number: int, table: Any) -> dict[str, int]:
        counts = {"part": number, "rows": 0, "series": 0, "failures": 0}
        if table is not None and table.num_rows:
            counts |= self._write(number, partition(table, self.task))
        # Last: what has this file is done.
        self.out.write_json(self.done_file(number), counts)
        return counts

    def _write(self, number: int, answered: Any) -> dict[str, int]:
        import pyarrow.compute as pc
        import pyarrow.parquet as pq

        answered = answered.cast(self._types(answered.schema))
        failed = pc.is_valid(answered.column(ERROR))
        good = answered.filter(pc.invert(failed)).drop_columns([ERROR])
        bad = answered.filter(failed).select([self.task.layout.id, ERROR])
        self.out.write(self.part_file(number), lambda stream: pq.write_table(good, stream))
        if bad.num_rows:
            self.out.write(self.failure_file(number), lambda stream: pq.write_table(bad, stream))
        series = pc.count_distinct(good.column(self.task.layout.id)).as_py() if good.num_rows else 0
        return {"rows": good.num_rows, "series": series, "failures": bad.num_rows}

    def _types(self, schema: Any) -> Any:
        """The types of the answer, with those of ids and times as they came in."""
        import pyarrow as pa

        layout = self.task.layout
        clock = self.schema.field(layout.time).type
        text = pa.types.is_string(clock) or pa.types.is_large_string(clock) or pa.types.is_dictionary(clock)
        times = {field.name for field in self.task.fields if field.kind == "time"}
        kinds = {layout.id: self.schema.field(layout.id).type} | ({} if text else dict.fromkeys(times, clock))
        plain = {pa.large_string(): pa.string()}
        kinds = {field.name: kinds.get(field.name, plain.get(field.type, field.type)) for field in schema}
        return pa.schema(list(kinds.items()))

    def slab_file(self, number: int) -> str:
        """Where a shuffled slab is."""
        return self.out.join(WORK, "slabs", f"slab-{number:06d}.parquet")

    def part_file(self, number: int, *, final: bool = False) -> str:
        """Where the answers of a partition are while others are at work, and in the end."""
        return self.out.join(*(() if final else (WORK, "parts")), f"part-{number:06d}.parquet")

    def failure_file(self, number: int, *, final: bool = False) -> str:
        """Where its failures are."""
        folder = ("_failures",) if final else (WORK, "failures")
        return self.out.join(*folder, f"part-{number:06d}.parquet")

    def done_file(self, number: int) -> str:
        """What says that a partition is done."""
        return self.out.join(WORK, "done", f"{number:06d}.json")


def missing(files: Sequence[Any], names: Sequence[str]) -> list[int]:
    """Places of the names that are not among the listed files."""
    there = {info.path.rpartition("/")[2] for info in files}
    return [place for place, name in enumerate(names) if name.rpartition("/")[2] not in there]
