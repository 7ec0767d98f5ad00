"""The stream of a window with outcomes that never came, as each method may see it."""

from dataclasses import dataclass, replace

import numpy as np

from ngrc._types import BoolArray
from ngrc.intervals.base import IntervalMethod, Stream
from ngrc.intervals.gaps import stand_ins, without
from ngrc.origins import wants_context
from ngrc.splits import Blocks


@dataclass(frozen=True, slots=True, eq=False)
class Streams:
    """A window's stream for methods that read a clock, for those that do not, and what is lost from the first test on.

    Parameters
    ----------
    sighted, plain
        Of what is known at the first interval missing outcomes are left out where nothing stands beside them, and
        observed residuals stand in for theirs where forecasts and a clock do.
    lost
        Which of the positions that are not known then have an outcome that never comes; None where all come.
    """

    sighted: Stream
    plain: Stream
    lost: BoolArray | None

    @classmethod
    def of(cls, stream: Stream, missing: BoolArray | None, blocks: Blocks) -> "Streams":
        """Those of a window; `missing` are places of the series that were carried forward, None where none was."""
        gone = None if missing is None else missing[blocks.history.start : blocks.test.stop]
        if missing is None or gone is None or not gone.any():
            return cls(stream, stream, None)
        if missing[blocks.test].all():
            raise ValueError(
                "every outcome of the test block is missing, and none is left to score; give more rows"
            )
        known, lost = gone[: stream.known], gone[stream.known :]
        residuals = stream.residuals.copy()
        residuals[: stream.known] = stand_ins(residuals[: stream.known], known)
        # Pending targets, between calibration and test block, count as lost too: what is learned from them may not
        # hang on later gaps.
        return cls(
            replace(stream, residuals=residuals),
            without(stream.without_context(), known),
            lost if lost.any() else None,
        )

    def seen_by(self, method: IntervalMethod) -> tuple[Stream, BoolArray | None]:
        """A method's stream, and its lost positions, none of them known at the first interval."""
        stream = self.sighted if wants_context([method]) else self.plain
        if self.lost is None:
            return stream, None
        return stream, np.concatenate([np.zeros(stream.known, dtype=np.bool_), self.lost])
