"""Ours against the paper's: one row per printed number, a stated tolerance and a verdict."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from math import hypot, isfinite
from typing import Any, Literal

from scipy import special

from ngrc.study.harness.estimate import Estimate
from ngrc.study.harness.printed import Printed

Kind = Literal["exact", "monte-carlo", "seed"]
Verdict = Literal["match", "within", "different", "not comparable"]
VERDICTS: tuple[Verdict, ...] = ("match", "within", "different", "not comparable")
MARKS: dict[Verdict, str] = {"match": "=", "within": "≈", "different": "≠", "not comparable": "·"}
ERRORS = 3.0
"""A Monte-Carlo number may lie this many combined standard errors from the printed one: all but 0.3 % do."""


@dataclass(frozen=True, slots=True)
class Cell:
    """Where a number is printed."""

    target: str
    table: str
    cell: str


@dataclass(frozen=True, slots=True)
class Check:
    """One printed number and ours.

    Parameters
    ----------
    target, table, cell
        Which command gives it and where the paper prints it (the label of a table, figure or section).
    ours, paper, tolerance
        Values; None where there is none to give.
    kind
        "exact" for deterministic numbers, "monte-carlo" for means over replications, "seed" for numbers that
        move with the seed of a stochastic method.
    verdict
        "match" at the printed digits (exact: one unit in the last place is allowed), "within" the tolerance,
        "different", or "not comparable".
    reason
        Why it differs or cannot be compared, or what the tolerance holds besides the standard errors.
    """

    target: str
    table: str
    cell: str
    ours: float | None
    paper: float | None
    tolerance: float | None
    kind: Kind
    verdict: Verdict
    reason: str = ""


def exact(cell: Cell, ours: float, paper: Printed, reason: str = "") -> Check:
    """Compare a deterministic number: a match when both round to the same place, give or take one unit.

    Examples
    --------
    >>> from ngrc.study.harness.printed import printed
    >>> exact(Cell("phase", "text", "boundary"), 0.9512, printed("0.950")).verdict
    'match'
    """
    # Counted in units of the last printed place. One is allowed: a last digit may have been cut off instead of rounded,
    # or come from rounded numbers.
    unit = paper.unit
    steps = abs(round(ours / unit) - round(paper.value / unit)) if unit else float(ours != paper.value)
    verdict: Verdict = "match" if steps <= (1 if unit else 0) else "different"
    return Check(**asdict(cell), ours=ours, paper=paper.value, tolerance=unit, kind="exact",
                 verdict=verdict, reason=reason)  # fmt: skip


def count(cell: Cell, ours: int, paper: int, reason: str = "") -> Check:
    """Compare a whole number, where one unit is not small."""
    verdict: Verdict = "match" if ours == paper else "different"
    return Check(
        **asdict(cell), ours=ours, paper=paper, tolerance=0, kind="exact", verdict=verdict, reason=reason
    )


def seeded(cell: Cell, ours: float, paper: Printed, tolerance: float, reason: str = "") -> Check:
    """Compare a number that depends on a seed, within a stated tolerance."""
    return _toleranced(cell, ours, paper, tolerance, "seed", reason)


def monte_carlo(
    cell: Cell, ours: Estimate, paper: Printed, paper_reps: int, *, allowance: float = 0.0, reason: str = ""
) -> Check:
    """Compare a mean over replications, within 3 combined standard errors and half a printed unit.

    Fewer replications than the paper's allow more errors, see `errors_allowed`.

    Parameters
    ----------
    cell
        Where it is printed.
    ours
        Our mean and standard error.
    paper
        The printed mean.
    paper_reps
        Replications behind the printed mean. Its error is ours at that many when none is printed, or when the
        printed one has been rounded to zero (then at most half a unit).
    allowance
        A deterministic difference that is known beforehand, such as the distance of a finite sample from the
        limit it is compared with. State it in `reason`.
    """
    # Three cases: no error printed; one printed with digits, which 0.000 is not and may hide up to half a unit; and a
    # formula, which has no error.
    own = ours.error_at(paper_reps)
    if paper.spread is None:
        theirs = own
    elif paper.unit:
        theirs = max(paper.spread, min(own, paper.unit / 2))
    else:
        theirs = paper.spread
    tolerance = errors_allowed(ours.count, paper_reps) * hypot(ours.error, theirs)
    tolerance += paper.unit / 2 + allowance
    return _toleranced(cell, ours.mean, paper, tolerance, "monte-carlo", reason)


def errors_allowed(count: int, paper_reps: int) -> float:
    """3; with fewer replications than the paper's, Student's quantile of the same probability.

    A standard error from a handful of replications is itself too uncertain to be multiplied by 3.

    Examples
    --------
    >>> errors_allowed(150, 150), round(errors_allowed(8, 150), 2)
    (3.0, 4.53)
    """
    if count >= paper_reps:
        return ERRORS
    # The quantile that leaves as much in the tail as three standard normal deviations do.
    return float(special.stdtrit(count - 1, special.ndtr(ERRORS)))


def incomparable(
    cell: Cell, paper: float | None, kind: Kind, reason: str, ours: float | None = None
) -> Check:
    """A printed number that is shown but not judged, and why."""
    return Check(**asdict(cell), ours=ours, paper=paper, tolerance=None, kind=kind,
                 verdict="not comparable", reason=reason)  # fmt: skip


def _toleranced(cell: Cell, ours: float, paper: Printed, tolerance: float, kind: Kind, reason: str) -> Check:
    if not (isfinite(ours) and isfinite(tolerance)):
        raise ValueError(
            f"{cell.table}, {cell.cell}: ours must be finite, got {ours} with tolerance {tolerance}"
        )
    verdict: Verdict = "different"
    if paper.unit and paper.same_digits(ours):
        verdict = "match"
    elif abs(ours - paper.value) <= tolerance:
        verdict = "within"
    return Check(**asdict(cell), ours=ours, paper=paper.value, tolerance=tolerance, kind=kind,
                 verdict=verdict, reason=reason)  # fmt: skip


def tally(checks: Iterable[Check]) -> dict[Verdict, int]:
    """How many checks have each verdict, all four named."""
    counts = Counter(check.verdict for check in checks)
    return {verdict: counts[verdict] for verdict in VERDICTS}


def rows(checks: Iterable[Check]) -> list[dict[str, Any]]:
    """Checks as plain dictionaries, ready for JSON."""
    return [asdict(check) for check in checks]
