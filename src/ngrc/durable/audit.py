"""Checksums of many rows, straight from the tuples of the driver: a start waits for it, and no entry is made."""

from collections.abc import Sequence
from itertools import groupby
from operator import itemgetter
from typing import Any

import sqlalchemy as sa

from ngrc.durable.chain import START, sealed
from ngrc.durable.entry import said_time
from ngrc.durable.schema import forecasts, observations, outcomes

CHUNK = 1_000
"""Observations whose rows are in memory at once."""
_OBSERVED = [observations.c[name] for name in ("seq", "time", "moment", "value", "kind", "chain")]
_SAID = [forecasts.c[name] for name in ("seq", "step", "level", "origin", "target", "mean", "lower", "upper")]
_SETTLED = [
    outcomes.c[name]
    for name in ("seq", "step", "level", "origin", "target", "mean", "value", "lower", "upper", "covered")
]
Row = Sequence[Any]


def audit(connection: sa.Connection, number: int, last: int) -> str:
    """What is wrong with the rows of a series up to an observation; empty where nothing is."""
    seq, chain = 0, START
    while seq < last:
        end = min(seq + CHUNK, last)
        rows = _rows(connection, observations, _OBSERVED, number, seq, end)
        said = _by_seq(_rows(connection, forecasts, _SAID, number, seq, end))
        settled = _by_seq(_rows(connection, outcomes, _SETTLED, number, seq, end))
        for one, time, moment, value, kind, kept in rows:
            if one != seq + 1:
                return f"observation {seq + 1} is missing"
            try:
                words = said_words(said.get(one, ())), settled_words(settled.get(one, ()))
            except ValueError:
                return f"rows of observation {one} were altered"
            chain = sealed(chain, (one, time, moment, value, kind, *words))
            if chain != kept:
                return f"rows of observation {one} were altered"
            seq = one
        if seq != end:
            return f"observation {seq + 1} is missing"
    return ""


def said_words(rows: Sequence[Row]) -> Any:
    """Forecasts as they are hashed, from rows in order of step and level; `ValueError` where rows contradict others."""
    if not rows:
        return None
    origin = rows[0][3]
    levels = [row[2] for row in rows if row[1] == 1]
    count = len(levels)
    if not count or len(rows) % count:
        raise ValueError("a step has other levels than the first")
    first = rows[::count]
    for place, (_, step, level, begin, target, mean, _, _) in enumerate(rows):
        head = first[place // count]
        alike = step == place // count + 1 and level == levels[place % count] and begin == origin
        if not (alike and target == head[4] and mean == head[5]):
            raise ValueError("what rows of one origin say twice, they must say alike")
    lower = {level: tuple([row[6] for row in rows[place::count]]) for place, level in enumerate(levels)}
    upper = {level: tuple([row[7] for row in rows[place::count]]) for place, level in enumerate(levels)}
    targets = tuple([said_time(row[4]) for row in first])
    return said_time(origin), targets, tuple([row[5] for row in first]), lower, upper


def settled_words(rows: Sequence[Row]) -> list[Any]:
    """What matured as it is hashed, from rows in order of step and level; `ValueError` as above."""
    words: list[Any] = []
    head: Row = (None, None)
    for row in rows:
        _, step, level, origin, target, mean, value, lower, upper, covered = row
        held = None if covered is None else bool(covered)
        if step != head[1]:
            head = row
            ends = {level: held}, {level: lower}, {level: upper}
            words.append((step, said_time(origin), said_time(target), mean, value, *ends))
            continue
        if tuple(row[3:7]) != tuple(head[3:7]):
            raise ValueError("what rows of one outcome say twice, they must say alike")
        words[-1][5][level], words[-1][6][level], words[-1][7][level] = held, lower, upper
    return words


def _by_seq(rows: list[Row]) -> dict[int, list[Row]]:
    return {seq: list(some) for seq, some in groupby(rows, itemgetter(0))}


def _rows(
    connection: sa.Connection, table: sa.Table, columns: list[Any], number: int, after: int, end: int
) -> list[Row]:
    query = sa.select(*columns).where(table.c.series == number, table.c.seq > after, table.c.seq <= end)
    order = [table.c[name] for name in ("seq", "step", "level") if name in table.c]
    result = connection.execute(query.order_by(*order))
    # Past the rows of SQLAlchemy, which cost as much as all the rest.
    cursor: Any = result.cursor
    rows: list[Row] = cursor.fetchall()
    result.close()
    return rows
