"""Many rows into a table at once, past the parts of SQLAlchemy that look at each value."""

from functools import cache
from typing import Any

import sqlalchemy as sa


def fill(connection: sa.Connection, table: sa.Table, rows: list[tuple[Any, ...]]) -> None:
    """Insert rows, whose values are in the order of the table's columns and of plain types."""
    if not rows:
        return
    if connection.dialect.name == "sqlite":
        connection.exec_driver_sql(_insert(table, connection.dialect), rows)
        return
    # One message for all rows, where INSERT has one or two per row; both end with the transaction.
    cursor: Any = connection.connection.cursor()
    with cursor, cursor.copy(f"COPY {_columns(table)} FROM STDIN") as copy:
        for row in rows:
            copy.write_row(row)


@cache
def _insert(table: sa.Table, dialect: sa.Dialect) -> str:
    """INSERT with a place for every column, in the table's order."""
    return str(table.insert().compile(dialect=dialect))


@cache
def _columns(table: sa.Table) -> str:
    """Names that we chose, none of which needs quotes."""
    return f"{table.name} ({', '.join(column.name for column in table.columns)})"
