"""`Auto`: one name to type. Several methods aggregated online, with coverage control on top."""

from dataclasses import dataclass
from typing import ClassVar

from ngrc.intervals.auto.aggregate import Aggregate


@dataclass(frozen=True, slots=True)
class Auto(Aggregate):
    """The members' ends, weighted by the pinball loss of each end so far, then moved so that misses come at their rate.

    Members are quantiles of |e| at five memories (`rolling` and `weighted` in one), of |e| and of e over a size that is
    read off what is known at the origin (`scaled`), and two linear quantile readouts of the same columns (`quantile`).
    Weights move with what is observed, H steps late, and so do the ends: an interval that missed too often of late is
    widened, whatever the members say. With fewer than 30 residuals per step ahead it is Student's interval.

    Where the stream has a context, ends are cut to bounds on which outcomes pile up, and reach at most one plain radius
    beyond all outcomes so far before control moves them.

    Examples
    --------
    >>> import numpy as np
    >>> from ngrc.intervals import Stream
    >>> rng = np.random.default_rng(0)
    >>> stream = Stream(rng.normal(size=1200) * (1 + (np.arange(1200) // 300) % 2), start=600)
    >>> offsets = Auto().run(stream, 0.9)
    >>> inside = (offsets.lower <= stream.residuals[600:]) & (stream.residuals[600:] <= offsets.upper)
    >>> bool(abs(inside.mean() - 0.9) < 0.03), sorted(offsets.trace)
    (True, ['plain', 'quantile', 'scaled'])
    """

    name: ClassVar[str] = "auto"
    guarantee: ClassVar[str] = (
        "Steers the misses on either side towards half of one minus the level by feedback; in the long run they come "
        "no more often than that where errors stay bounded in units of the width. No finite-sample guarantee: with few "
        "residuals it is Student's interval and rests on nearly Gaussian errors."
    )
