"""The tables, in SQLAlchemy's core language; loaded by `Store.open`, as SQLAlchemy is optional.

`seq` counts the observations of a series from 1. `forecasts` were issued after observation `seq`, `outcomes` matured
by it. Times are text, `moment` is the same as a number: microseconds since 1970 in universal time, or the index.
"""

import sqlalchemy as sa

APPLICATION = 0x4E475243
"""`NGRC`, in the header of our SQLite files."""
VERSION = 1
"""Of the tables: raised where an older ngrc could not go on with what a newer one writes."""

TABLES = sa.MetaData()


def _of_a_series() -> list[sa.Column[int]]:
    return [
        sa.Column("series", sa.Integer, sa.ForeignKey("series.id"), primary_key=True, autoincrement=False),
        sa.Column("seq", sa.BigInteger, primary_key=True, autoincrement=False),
    ]


def _step_and_level() -> list[sa.Column[int] | sa.Column[float] | sa.Column[str]]:
    return [
        sa.Column("step", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("level", sa.Double, primary_key=True, autoincrement=False),
        sa.Column("origin", sa.Text, nullable=False),
        sa.Column("target", sa.Text, nullable=False),
        sa.Column("mean", sa.Double, nullable=False),
    ]


series = sa.Table(
    "series",
    TABLES,
    sa.Column("id", sa.Integer, primary_key=True),
    sa.Column("name", sa.Text, nullable=False, unique=True),
    sa.Column("settings", sa.Text, nullable=False),
    sa.Column("plan", sa.LargeBinary, nullable=False),
    sa.Column("created", sa.Text, nullable=False),
    sa.Column("ngrc", sa.Text, nullable=False),
)
observations = sa.Table(
    "observations",
    TABLES,
    *_of_a_series(),
    sa.Column("time", sa.Text, nullable=False),
    sa.Column("moment", sa.BigInteger, nullable=False),
    sa.Column("value", sa.Double),
    sa.Column("kind", sa.Text, nullable=False),
    sa.Column("received", sa.Text, nullable=False),
    sa.Column("chain", sa.LargeBinary, nullable=False),
    sa.Index("observations_by_moment", "series", "moment"),
    sqlite_with_rowid=False,
)
forecasts = sa.Table(
    "forecasts",
    TABLES,
    *_of_a_series(),
    *_step_and_level(),
    sa.Column("lower", sa.Double, nullable=False),
    sa.Column("upper", sa.Double, nullable=False),
    sqlite_with_rowid=False,
)
outcomes = sa.Table(
    "outcomes",
    TABLES,
    *_of_a_series(),
    *_step_and_level(),
    sa.Column("value", sa.Double, nullable=False),
    sa.Column("lower", sa.Double),
    sa.Column("upper", sa.Double),
    sa.Column("covered", sa.Boolean),
    sqlite_with_rowid=False,
)
# With a rowid: large contents in a tree that is ordered by them would be read along on every search.
snapshots = sa.Table(
    "snapshots",
    TABLES,
    *_of_a_series(),
    sa.Column("content", sa.LargeBinary, nullable=False),
    sa.Column("sha256", sa.Text, nullable=False),
    sa.Column("created", sa.Text, nullable=False),
)
about = sa.Table("ngrc_state", TABLES, sa.Column("version", sa.Integer, nullable=False))
"""Says of a PostgreSQL database what the header says of an SQLite file."""
commits = sa.Table(
    "commits",
    TABLES,
    sa.Column("number", sa.BigInteger, nullable=False),
    sa.Column("digest", sa.LargeBinary, nullable=False),
)
"""One row: the newest commit to an SQLite file, which is also recorded beside it."""


def tables_of(sqlite: bool) -> list[sa.Table]:
    """The tables of one of the two databases, in the order in which they are made."""
    return [table for table in TABLES.sorted_tables if table is not (about if sqlite else commits)]
