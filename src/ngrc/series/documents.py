"""Tables in JSON: one object per line, a list of objects, or an object of columns."""

import json
from typing import TYPE_CHECKING, Any

from ngrc.series.wording import excerpt

if TYPE_CHECKING:
    import polars as pl

_WRITE = 'write [{"date": "2024-01-31", "value": 1.5}, ...], or one such object per line'


def looks_like_json(text: str) -> bool:
    """Whether text begins like a JSON object or list."""
    start = text.lstrip()[:64]
    return start.startswith("{") or (start.startswith("[") and start[1:].lstrip()[:1] in ("{", "]"))


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
    return pl.DataFrame(
        {name: pl.Series(map(_token, column), dtype=pl.String) for name, column in columns.items()}
    )


def _parsed(text: str) -> Any:
    try:
        return json.loads(text)
    except json.JSONDecodeError as whole:
        lines = [(number, line) for number, line in enumerate(text.split("\n"), 1) if line.strip()]
        if len(lines) < 2:
            raise ValueError(f"the JSON text is damaged ({whole}); {_WRITE}") from None
    rows = []
    for number, line in lines:
        try:
            rows.append(json.loads(line))
        except json.JSONDecodeError:
            raise ValueError(f"line {number} is no JSON object: {excerpt(line.strip())}; {_WRITE}") from None
    return rows


def _columns(document: Any) -> dict[str, list[Any]]:
    if isinstance(document, list) and document and all(isinstance(row, dict) for row in document):
        # In the order of first appearance, which a set would lose.
        names = dict.fromkeys(name for row in document for name in row)
        return {name: [row.get(name) for row in document] for name in names}
    if isinstance(document, dict):
        lists = [value for value in document.values() if isinstance(value, list | dict)]
        # {"data": [...]}: an envelope around the one list of objects.
        if len(lists) == 1 and isinstance(lists[0], list) and lists[0] and isinstance(lists[0][0], dict):
            return _columns(lists[0])
        # pandas writes {"y": {"0": 1.5, "1": 2.5}}.
        columns = {name: list(v.values()) if isinstance(v, dict) else v for name, v in document.items()}
        if len(lists) == len(document) and len({len(column) for column in columns.values()}) == 1:
            return columns
    raise ValueError(f"the JSON text is no table; {_WRITE}")


def _token(value: Any) -> str:
    if value is None:
        return ""
    if isinstance(value, dict | list):
        raise ValueError(
            f"the JSON text holds {excerpt(json.dumps(value))} where one value belongs; {_WRITE}"
        )
    return str(value)
