"""The ends of a walk: at each a fitted model, made whole where it is asked for, and what it says up to the next."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np

from ngrc._progress import tell
from ngrc._types import FloatArray
from ngrc.automatic import AutoNGRC
from ngrc.forecasters.beside import Beside
from ngrc.forecasters.walking import asked, walk
from ngrc.model import NGRC

if TYPE_CHECKING:
    from ngrc.refitting import Stop


class PathStop(Protocol):
    """One end of a walk of a model of paths."""

    def model(self) -> Any:
        """The model as fitted there."""

    def fill(self, said: FloatArray, origins: range) -> None:
        """Write its forecasts from `origins`, by target time, into `said` of shape (n, steps, channels)."""


def path_stops(
    model: Any, values: FloatArray, ends: Sequence[int], scale: Any, window: int | None, beside: Beside
) -> Iterator[PathStop]:
    """One stop per end; arguments as of `walk`."""
    # Not of a class made from NGRC, which may forecast in a way of its own.
    if type(model) is NGRC:
        stops = model.stops(values, ends, scale=scale, window=window, **beside.until(len(values)))
        for done, stop in enumerate(stops, start=1):
            tell("fits", done, len(ends))
            yield _Quick(model, stop)
        return
    for fitted in walk(model, values, ends, scale=scale, window=window, beside=beside):
        yield _Asked(fitted, values, beside)


@dataclass(frozen=True, slots=True)
class _Quick:
    """An NGRC, which forecasts from the rows that its walk has summed."""

    unfitted: NGRC
    stop: "Stop"

    def model(self) -> NGRC:
        return self.unfitted.at(self.stop)

    def fill(self, said: FloatArray, origins: range) -> None:
        self.stop.fill(said, origins)


@dataclass(frozen=True, slots=True)
class _Asked:
    """Any other model, asked for what it says of the series."""

    fitted: Any
    values: FloatArray
    beside: Beside

    def model(self) -> Any:
        return self.fitted

    def fill(self, said: FloatArray, origins: range) -> None:
        size, horizon = said.shape[:2]
        stop, since = min(origins.stop + horizon, size), 0
        if isinstance(self.fitted, AutoNGRC):
            since = origins.start + 1
            found = self.fitted.recent_paths(
                self.values[:stop], **self.beside.until(stop), since=since, before=origins.stop
            )
        else:
            found = self._whole(stop, origins)
        found = found.reshape(stop - since, horizon, -1)
        for step in range(1, horizon + 1):
            first, last = origins.start + step, min(origins.stop + step, size)
            said[first:last, step - 1] = found[first - since : last - since, step - 1]

    def _whole(self, stop: int, origins: range) -> FloatArray:
        """What the model says of every target before `stop`, or of those that it can be asked for."""
        wanted = asked(self.fitted.predict_path, since=origins.start + 1, before=origins.stop)
        found = self.fitted.predict_path(self.values[:stop], **self.beside.until(stop), **wanted)
        return np.asarray(found)
