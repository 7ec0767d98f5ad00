"""Files that are no tables, named by their first bytes, so that the error says what came."""

import re

from ngrc.series.encoding import NOT_A_TABLE

_SIGNS = (
    (b"%PDF", "a PDF document", "copy its table into a CSV file"),
    (b"\x89PNG", "a PNG picture", NOT_A_TABLE),
    (b"\xff\xd8\xff", "a JPEG picture", NOT_A_TABLE),
    (b"GIF8", "a GIF picture", NOT_A_TABLE),
    (b"SQLite format 3", "an SQLite database", "export the table as CSV"),
    (b"\x89HDF", "an HDF5 or NetCDF file", "export the series as CSV or Parquet"),
    (b"CDF\x01", "a NetCDF file", "export the series as CSV or Parquet"),
    (b"CDF\x02", "a NetCDF file", "export the series as CSV or Parquet"),
    (b"\x93NUMPY", "a numpy array", "load it with numpy and pass it to as_series"),
    (b"FEA1", "a Feather file of the first version", "write it again as Feather 2 or Parquet"),
    (b"\x7fELF", "a program", NOT_A_TABLE),
    (b"Rar!", "a RAR archive", "unpack it first"),
    (b"7z\xbc\xaf", "a 7-Zip archive", "unpack it first"),
    (b"RDX", "an R data file", "save it in R with write.csv"),
    (b"<?xml", "an XML document", "export the table as CSV"),
    (b"{\\rtf", "an RTF document", "copy its table into a CSV file"),
)
# Protocols 2 to 5 of pickle, whose files end with a stop sign; never loaded, as loading one runs what it names.
_PICKLE = re.compile(rb"^\x80[\x02-\x05]")
_PAGE = re.compile(rb"^\s*(<!--.*?-->\s*)*<(!doctype\s+html|html|head|body)\b", re.IGNORECASE | re.DOTALL)


def refuse_foreign(data: bytes) -> None:
    """Raise `ValueError` where bytes are those of a document, a picture, a pickle or a web page.

    Examples
    --------
    >>> refuse_foreign(b"%PDF-1.7")
    Traceback (most recent call last):
    ...
    ValueError: this is a PDF document, not a table; copy its table into a CSV file
    """
    head = data[:2048]
    for sign, noun, remedy in _SIGNS:
        if head.startswith(sign):
            raise ValueError(f"this is {noun}, not a table; {remedy}")
    if _PICKLE.match(head):
        raise ValueError(
            "this is a pickle, which is never loaded, as that would run what it holds; write it as CSV or Parquet"
        )
    if _PAGE.match(head):
        raise ValueError(
            "this is a web page, not a table; download the file itself, or copy its table into a CSV file"
        )
