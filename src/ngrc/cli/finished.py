"""Methods that are done, shown above the progress bar while others run."""

from rich.console import RenderableType

from ngrc._progress import Progress
from ngrc.backtesting.results import Band
from ngrc.cli.tables import band_table

ROOM = 76
"""Columns of the passing table: without what methods chose, which the lasting one tells."""


class Finished:
    """Bands as they come, those of the first level."""

    def __init__(self) -> None:
        self.bands: list[Band] = []

    def hear(self, event: Progress) -> None:
        """Keep the band that a method gave."""
        if isinstance(event.value, tuple) and event.value and isinstance(event.value[0], Band):
            self.bands.append(event.value[0])

    def table(self) -> RenderableType | None:
        """What there is so far; None where there is nothing yet."""
        bands = tuple(self.bands)
        return band_table(bands, "done so far", ROOM) if bands else None
