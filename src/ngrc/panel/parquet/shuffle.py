"""Rows gathered by series: every id belongs to one bucket, which a hash of it names, on every machine the same."""

import json
import struct
from collections.abc import Sequence
from typing import Any
from zlib import crc32

import numpy as np

from ngrc._types import IntArray
from ngrc.panel.parquet.plan import Slab
from ngrc.panel.parquet.storage import Storage

_BUCKETS = b"ngrc.buckets"


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
    """Write the rows of a slab to one file, sorted by bucket, each bucket a row group of its own."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    table = read_slab(source, slab, names, schema)
    places = buckets_of(table.column(names[0]), buckets)
    order = np.argsort(places, kind="stable")
    present, starts = np.unique(places[order], return_index=True)
    stops = [*starts[1:].tolist(), order.size]
    # In the file itself, so that a reader finds its row group without reading any other.
    note = {_BUCKETS: json.dumps(present.tolist()).encode()}
    kept = table.schema.with_metadata(note)

    def write(stream: Any) -> None:
        with pq.ParquetWriter(stream, kept) as writer:
            for first, stop in zip(starts.tolist(), stops, strict=True):
                rows = table.take(pa.array(order[first:stop])).replace_schema_metadata(note)
                writer.write_table(rows, row_group_size=max(stop - first, 1))

    source.write(target, write)


def read_bucket(folder: Storage, files: Sequence[str], bucket: int) -> Any:
    """All rows of a bucket, out of the files of all slabs; None where there are none."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    tables = []
    for file in files:
        with folder.read(file) as stream:
            parquet = pq.ParquetFile(stream)
            present = json.loads(parquet.schema_arrow.metadata[_BUCKETS])
            if bucket in present:
                tables.append(parquet.read_row_group(present.index(bucket)).replace_schema_metadata(None))
    return pa.concat_tables(tables) if tables else None
