"""Tables in JSON: one object per line, a list of objects or of rows, an object of columns, alone or in an envelope."""

import json
from typing import TYPE_CHECKING, Any

from ngrc.series.wording import excerpt, shortly

if TYPE_CHECKING:
    import polars as pl

_WRITE = 'write [{"date": "2024-01-31", "value": 1.5}, ...], or one such object per line'


def looks_like_json(text: str) -> bool:
    """Whether text begins like a JSON object or list."""
    start = text.lstrip()[:64]
    return start.startswith("{") or (start.startswith("[") and start[1:].lstrip()[:1] in ("{", "]", "["))


def read_json(text: str) -> "pl.DataFrame":
    r"""The table of a JSON text, every value as text, missing where an object lacks it.

    Examples
    --------
    >>> read_json('{"day": 1, "y": 2.5}\n{"day": 2}').rows()
    [('1', '2.5'), ('2', '')]
    """
    import polars as pl

    columns = _columns(_parsed(text))
    if not columns or not next(iter(columns.values())):
        raise ValueError(f"the JSON text holds no rows; {_WRITE}")
    try:
        return pl.DataFrame(
            {name: pl.Series(map(_token, column), dtype=pl.String) for name, column in columns.items()}
        )
    except UnicodeEncodeError as error:
        # JSON can spell half of a pair of surrogates, as \ud800, and no text has that.
        half = error.object[error.start : error.end]
        raise ValueError(f"the JSON text holds {half!r}, half of a sign; spell the whole sign") from None


def _parsed(text: str) -> Any:
    try:
        return json.loads(text)
    except RecursionError:
        raise ValueError(f"the JSON text is nested too deeply for a table; {_WRITE}") from None
    # Of the text, or of a whole number of more digits than Python reads.
    except ValueError as whole:
        lines = [(number, line) for number, line in enumerate(text.split("\n"), 1) if line.strip()]
        if len(lines) < 2:
            raise ValueError(f"the JSON text is damaged ({shortly(whole)}); {_WRITE}") from None
    rows = []
    for number, line in lines:
        try:
            rows.append(json.loads(line))
        except (ValueError, RecursionError):
            raise ValueError(f"line {number} is no JSON object: {excerpt(line.strip())}; {_WRITE}") from None
    return rows


def _columns(document: Any) -> dict[str, list[Any]]:
    if isinstance(document, list) and document and all(isinstance(row, dict) for row in document):
        # In the order of first appearance, which a set would lose.
        names = dict.fromkeys(name for row in document for name in row)
        return {name: [row.get(name) for row in document] for name in names}
    # [[1704067200000, 1.5], ...], as charts take them.
    if isinstance(document, list) and _alike(document):
        columns = [list(column) for column in zip(*document, strict=True)]
        return {f"column_{place}": column for place, column in enumerate(columns, 1)}
    if isinstance(document, dict):
        # pandas writes {"y": {"0": 1.5, "1": 2.5}}.
        named = {name: list(v.values()) if isinstance(v, dict) else v for name, v in document.items()}
        if all(_is_column(column) for column in named.values()) and _alike(list(named.values())):
            return named
        tables = [found for value in document.values() if (found := _inside(value)) is not None]
        # A list of names beside the table is one column of words.
        tables = [found for found in tables if len(found) > 1] or tables
        if len(tables) == 1:
            return tables[0]
        if tables:
            raise ValueError(f"the JSON text holds {len(tables)} tables; keep one of them: {_WRITE}")
    raise ValueError(f"the JSON text is no table; {_WRITE}")


def _alike(lists: list[Any]) -> bool:
    """Whether all are lists of one length."""
    return (
        bool(lists) and all(isinstance(one, list) for one in lists) and len({len(one) for one in lists}) == 1
    )


def _is_column(value: Any) -> bool:
    return isinstance(value, list) and not any(isinstance(one, dict | list) for one in value)


def _inside(value: Any) -> dict[str, list[Any]] | None:
    """The table in one part of an envelope such as {"meta": ..., "data": [...]}; None where it is none of two rows."""
    try:
        found = _columns(value)
    except ValueError:
        return None
    return found if found and len(next(iter(found.values()))) > 1 else None


def _token(value: Any) -> str:
    if value is None:
        return ""
    if isinstance(value, dict | list):
        raise ValueError(
            f"the JSON text holds {excerpt(json.dumps(value))} where one value belongs; {_WRITE}"
        )
    return str(value)
