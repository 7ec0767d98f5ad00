"""The sign that separates the columns of a text."""

import csv
import re
from collections import Counter

# A comma may be a decimal sign or part of a date; the others are rarer inside fields, so they come first.
SEPARATORS = ("\t", ";", "|", ",")
# Lines that settle the separator: more than any preamble, few enough for lines of thousands of columns.
_SNIFFED = 60
# A longer line is looked at in part: its first fields tell the separator.
_LONGEST = 200_000
_DECIMAL_COMMAS = re.compile(r"^\s*[+-]?\d+(,\d+)?\s*$")
_GROUPED = re.compile(r"^[+-]?\d{1,3}([  ]\d{3})+([.,]\d+)?$")
# A date and its time of day: the blank between them separates nothing.
_MOMENT = re.compile(r"(\d{1,4}[-./]\d{1,2}[-./]\d{1,4}|\d{4}-\d{2})[ ]+(\d{1,2}:\d{2})")
_FIELD = re.compile(
    r"^([+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?|\d{1,4}[-./]\d{1,2}[-./]\d{1,4}\S*|nan|na|-)$", re.IGNORECASE
)


def find_separator(text: str) -> str | None:
    """The separator that splits the first lines into equally many fields, else most of them; None for one column."""
    lines = [line[:_LONGEST] for line in text.split("\n", _SNIFFED)[:_SNIFFED] if line.strip()]
    # Comments say nothing about the columns, unless there is nothing else.
    sample = [line for line in lines if not line.lstrip().startswith("#")] or lines
    widths = {sign: _widths(sample, sign) for sign in SEPARATORS}
    for sign, counts in widths.items():
        if counts[0] > 1 and min(counts) == max(counts):
            return sign
    # A few odd lines, such as a title or a footer, are no reason to see one column.
    best, most = None, 0.5
    for sign, counts in widths.items():
        common, times = Counter(counts).most_common(1)[0]
        if common > 1 and times / len(counts) > most and not (sign == "," and _one_column(sample)):
            best, most = sign, times / len(counts)
    return best


def _one_column(lines: list[str]) -> bool:
    """Whether lines after the first are single numbers, some with a decimal comma, under a name without comma."""
    return "," not in lines[0] and all(_DECIMAL_COMMAS.match(line) for line in lines[1:])


def _widths(lines: list[str], sign: str) -> list[int]:
    if not any('"' in line for line in lines):
        return [line.count(sign) + 1 for line in lines]
    try:
        return [len(fields) for fields in csv.reader(lines, delimiter=sign)]
    except csv.Error:
        # A field beyond the reader's limit: another separator may make it smaller, else reading it raises.
        return [1]


def with_tabs(text: str) -> str | None:
    """Text whose columns are separated by blanks, with tabs in their place; None where blanks separate nothing."""
    sample = [_one_line(line) for line in text.split("\n", _SNIFFED)[:_SNIFFED]]
    body = [line for line in sample if line and not line.startswith("#")]
    body = body[len(body) // 2 :]
    widths = {len(line.split()) for line in body}
    if len(widths) != 1 or widths == {1} or all(_GROUPED.match(line) for line in body):
        return None
    if not all(_FIELD.match(field.partition("\0")[0]) for line in body for field in line.split()):
        return None
    return "\n".join("\t".join(_one_line(line).split()) for line in text.split("\n")).replace("\0", " ")


def _one_line(line: str) -> str:
    """A line without blanks around it, and with a zero sign between a date and its time of day."""
    return _MOMENT.sub("\\1\0\\2", line.strip())
