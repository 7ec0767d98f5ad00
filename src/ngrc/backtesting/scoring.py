"""One interval method over one stream: tuned, run and scored."""

from collections.abc import Sequence

from ngrc._types import BoolArray, FloatArray
from ngrc.backtesting.results import Band
from ngrc.ends import judged_ends
from ngrc.features.bounds import Bounds
from ngrc.features.limits import Limits
from ngrc.features.link import IDENTITY, Link
from ngrc.intervals.base import IntervalMethod, Stream
from ngrc.intervals.levels import Pass, passes
from ngrc.intervals.lost import passes_with_lost


def evaluate(
    method: IntervalMethod,
    label: str,
    stream: Stream,
    forecasts: FloatArray,
    level: float,
    link: Link = IDENTITY,
) -> Band:
    """Tune and run one method over a stream at one level and score it; parameters as for `evaluate_levels`."""
    (band,) = evaluate_levels(method, label, stream, forecasts, (level,), link)
    return band


def evaluate_levels(
    method: IntervalMethod,
    label: str,
    stream: Stream,
    forecasts: FloatArray,
    levels: Sequence[float],
    link: Link = IDENTITY,
    limits: Limits | None = None,
    lost: BoolArray | None = None,
) -> tuple[Band, ...]:
    """Tune and run one method over a stream and score it, one band per level.

    Parameters
    ----------
    method, label
        The method, and the name under which the band is shown.
    stream
        Residuals in the units of the link.
    forecasts
        Those of the wanted positions, in the series' own units.
    levels
        Nominal coverages. A method that serves them together runs once; any other once for each, as if it were alone.
    link
        What leads from the one to the other; the identity by default.
    limits
        Bounds that the series is found to obey, for methods that keep to them.
    lost
        One per position of the stream: whether its outcome never came. Such a one teaches nothing and is not scored.
    """
    kept = limits if method.bounded else None
    if lost is None or not lost.any():
        ran, came = passes(method, stream, levels), None
    else:
        ran, came = passes_with_lost(method, stream, levels, lost), ~lost[stream.start :]
    return tuple(scored(label, one, stream, forecasts, link, kept, came) for one in ran)


def scored(
    label: str,
    one: Pass,
    stream: Stream,
    forecasts: FloatArray,
    link: Link = IDENTITY,
    limits: Limits | None = None,
    came: BoolArray | None = None,
) -> Band:
    """The band of one pass over the stream; parameters as for `evaluate_levels`, `came` is false where one is lost."""
    residuals = stream.residuals[stream.start :]
    ends = judged_ends(one.offsets, forecasts, residuals, one.level, link, limits, came)
    return Band(
        method=label,
        level=one.level,
        lower=ends.lower,
        upper=ends.upper,
        **ends.scores._asdict(),
        seconds=one.seconds,
        selected={**one.tuned.selected, **one.tuned.leaned(one.offsets.trace)},
        guarantee=one.tuned.guarantee,
        trace=one.offsets.trace,
        bounds=Bounds() if limits is None else limits.bounds,
    )
