"""A series at the border, and the channels beside it: numpy, pandas, polars and files of many kinds in.

Loaded on first use: a series made from an array needs no reader of files.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ngrc.series.channels import Channels as Channels
    from ngrc.series.channels import as_channels as as_channels
    from ngrc.series.channels import times_of as times_of
    from ngrc.series.entry import as_series as as_series
    from ngrc.series.files import read_series as read_series
    from ngrc.series.long import LongTable as LongTable
    from ngrc.series.long import read_long as read_long
    from ngrc.series.panels import SeveralSeriesError as SeveralSeriesError
    from ngrc.series.recordings import Recording as Recording
    from ngrc.series.recordings import read_channels as read_channels
    from ngrc.series.value import Series as Series

_PUBLIC = {
    "Channels": "channels",
    "LongTable": "long",
    "Recording": "recordings",
    "Series": "value",
    "SeveralSeriesError": "panels",
    "as_channels": "channels",
    "as_series": "entry",
    "read_channels": "recordings",
    "read_long": "long",
    "read_series": "files",
    "times_of": "channels",
}

__all__ = [
    "Channels",
    "LongTable",
    "Recording",
    "Series",
    "SeveralSeriesError",
    "as_channels",
    "as_series",
    "read_channels",
    "read_long",
    "read_series",
    "times_of",
]


def __getattr__(name: str) -> Any:
    if name not in _PUBLIC:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_PUBLIC[name]}"), name)


def __dir__() -> list[str]:
    return __all__
