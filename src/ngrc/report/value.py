"""A finished report: the record, and the page made from it."""

from dataclasses import dataclass, field
from pathlib import Path

from ngrc._atomic import check_file, write_text
from ngrc.report.page import page_of
from ngrc.report.record import Record

ENDINGS = (".html", ".htm")


@dataclass(frozen=True, slots=True)
class Report:
    """One series on one page.

    Parameters
    ----------
    record
        Everything that the page says, as plain values.
    html
        The page: one file that opens without any other.
    """

    record: Record
    html: str = field(repr=False)

    def save(self, path: str | Path) -> Path:
        """Write the page whole or not at all, and return its path."""
        target = Path(path)
        check_page(target)
        write_text(target, self.html)
        return target


def check_page(path: Path) -> None:
    """Refuse, before any work is done, a file that is no page by its name or cannot be written."""
    if path.suffix.lower() not in ENDINGS:
        raise ValueError(f"a report is an HTML page, got {path.name!r}; name it .html")
    check_file(path)


def report_of_record(record: Record) -> Report:
    """The page of a record."""
    return Report(record, page_of(record))
