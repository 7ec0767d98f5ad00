"""A cluster of Spark."""

import os
import pickle
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from ngrc._optional import load
from ngrc.panel.engines.base import Item, Result


@dataclass(frozen=True, slots=True)
class Spark:
    """Executors of a session; without one, of the session that is active, or a new one.

    One task per item. The answers are small (counts, no data), and all come back when the last is done.

    Parameters
    ----------
    session
        A `pyspark.sql.SparkSession`, or None.
    """

    session: Any = None

    def map(self, function: Callable[[Item], Result], items: Sequence[Item]) -> Iterator[tuple[int, Result]]:
        """Results when all have finished."""
        sql = load("pyspark.sql", None, "engine 'spark'")
        session = sql.SparkSession.getActiveSession() if self.session is None else self.session
        if session is None:
            # A session of our own runs the same interpreter; that of a cluster has settings that say which.
            os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
            session = sql.SparkSession.builder.getOrCreate()
        count = len(items)
        if not count:
            return
        # A range of as many partitions as items has one number per partition.
        places = session.range(0, count, 1, count)
        rows = places.mapInArrow(_mapped(function, list(items)), "place long, result binary").collect()
        # What our own function made in the user's own cluster, which runs his code anyway.
        yield from ((int(row["place"]), pickle.loads(bytes(row["result"]))) for row in rows)  # nosec B301


def _mapped(function: Callable[[Item], Result], items: list[Item]) -> Callable[[Any], Any]:
    def called(batches: Any) -> Iterator[Any]:
        import pyarrow as pa

        for batch in batches:
            places = batch.column(0).to_pylist()
            results = [pickle.dumps(function(items[place])) for place in places]
            yield pa.RecordBatch.from_pydict(
                {"place": pa.array(places, pa.int64()), "result": pa.array(results, pa.binary())}
            )

    return called
