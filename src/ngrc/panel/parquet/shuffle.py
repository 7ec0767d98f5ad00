"""Rows gathered by series: every id belongs to one bucket, which a hash of it names, on every machine the same."""

import struct
from collections.abc import Sequence
from typing import Any
from zlib import crc32

import numpy as np

from ngrc._types import IntArray
from ngrc.panel.parquet.plan import Slab
from ngrc.panel.parquet.storage import Storage


def bucket_of(name: Any, buckets: int) -> int:
    """The bucket of an id: a checksum of its text or number, which no machine, version or seed changes.

    Examples
    --------
    >>> bucket_of("a", 10), bucket_of(7, 10), bucket_of(None, 10)
    (7, 8, 0)
    """
    if isinstance(name, int) and -(2**63) <= name < 2**63:
        return crc32(struct.pack("<q", name)) % buckets
    return crc32(str(name).encode()) % buckets if name is not None else 0


def read_slab(source: Storage, slab: Slab, names: Sequence[str], schema: Any = None) -> Any:
    """The rows of a slab as an Arrow table, in the types of the first file."""
    import pyarrow.parquet as pq

    with source.read(slab.file) as stream:
        table = pq.ParquetFile(stream).read_row_groups(list(range(slab.first, slab.stop)), list(names))
    table = table.select(list(names))
    return table if schema is None else table.cast(schema)


def buckets_of(column: Any, buckets: int) -> IntArray:
    """The bucket of every row of an Arrow column of ids."""
    coded = column.combine_chunks()
    coded = coded if hasattr(coded, "dictionary") else coded.dictionary_encode()
    places = np.array(
        [bucket_of(name, buckets) for name in coded.dictionary.to_pylist()] + [bucket_of(None, buckets)]
    )
    codes: IntArray = coded.indices.fill_null(len(places) - 1).to_numpy(zero_copy_only=False).astype(np.int64)
    return places[codes]


def shuffled(
    source: Storage, slab: Slab, names: Sequence[str], schema: Any, buckets: int, target: str
) -> None:
    """Write the rows of a slab to one file, sorted by bucket, each bucket a record batch of its own.

    An Arrow file and not Parquet: its footer has 24 bytes per batch, and every bucket reads the footer of every slab.
    """
    import pyarrow as pa

    table = read_slab(source, slab, names, schema)
    places = buckets_of(table.column(names[0]), buckets)
    order = np.argsort(places, kind="stable")
    stops = np.cumsum(np.bincount(places, minlength=buckets)).tolist()
    options = pa.ipc.IpcWriteOptions(compression="lz4")

    def write(stream: Any) -> None:
        with pa.ipc.new_file(stream, table.schema, options=options) as writer:
            for first, stop in zip([0, *stops[:-1]], stops, strict=True):
                rows = table.take(pa.array(order[first:stop])).combine_chunks()
                writer.write_batch(pa.record_batch(_arrays(rows), schema=table.schema))

    source.write(target, write)


def read_bucket(folder: Storage, files: Sequence[str], bucket: int) -> Any:
    """All rows of a bucket, out of the files of all slabs; None where there are no slabs."""
    import pyarrow as pa

    batches = []
    for file in files:
        with folder.read(file) as stream, pa.ipc.open_file(stream) as reader:
            batches.append(reader.get_batch(bucket))
    return pa.Table.from_batches(batches) if batches else None


def _arrays(table: Any) -> list[Any]:
    """One array per column, also of a table without rows, which has no chunk to take it from."""
    import pyarrow as pa

    chunks = [column.chunks for column in table.columns]
    fields = table.schema
    return [
        chunk[0] if chunk else pa.array([], field.type) for chunk, field in zip(chunks, fields, strict=True)
    ]
