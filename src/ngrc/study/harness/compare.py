"""Verdicts: every tolerance is made of standard errors and the last printed place, none is chosen by hand."""

from dataclasses import asdict
from math import copysign, hypot, inf, isfinite

from scipy import special

from ngrc.study.harness.estimate import Estimate
from ngrc.study.harness.printed import Printed
from ngrc.study.harness.record import Cell, Check, Kind, Verdict

ERRORS = 3.0
"""A Monte-Carlo number may lie this many combined standard errors from the expected one: all but 0.3 % do."""
MANY = 100
"""Replications from which on a standard error counts as known: Student's quantile is then within 3 % of `ERRORS`."""
POWER = float(special.ndtri(0.9))
"""Beyond its tolerance by this many errors, a shift is found in nine runs of ten."""


def exact(cell: Cell, ours: float, paper: Printed, reason: str = "") -> Check:
    """Compare a deterministic number: a match at the same digits, within when they differ by one unit.

    Examples
    --------
    >>> from ngrc.study.harness.printed import printed
    >>> cell = Cell("phase", "text", "boundary")
    >>> [exact(cell, ours, printed("0.950")).verdict for ours in (0.9502, 0.9512, 0.952)]
    ['match', 'within', 'different']
    """
    _check_finite(cell, ours, 0.0)
    # Counted in units of the last printed place. One is allowed, and called so: a last digit may have been cut off
    # instead of rounded, or come from rounded numbers.
    steps = abs(round(ours / paper.unit) - round(paper.value / paper.unit))
    verdict: Verdict = "match" if steps == 0 else "within" if steps == 1 else "different"
    # The true value may lie half a unit below its print, so that one and a half more may still round to one off.
    return Check(**asdict(cell), kind="printed", ours=ours, expected=paper.value, tolerance=paper.unit,
                 detects=2.0 * paper.unit, rule="digits", verdict=verdict, reason=reason)  # fmt: skip


def equal(cell: Cell, ours: float, expected: float, *, kind: Kind, reason: str = "") -> Check:
    """Compare a count, or a choice from a grid: there is no small difference."""
    _check_finite(cell, ours, 0.0)
    verdict: Verdict = "match" if ours == expected else "different"
    whole = float(ours).is_integer() and float(expected).is_integer()
    return Check(**asdict(cell), kind=kind, ours=ours, expected=expected, tolerance=0.0,
                 detects=1.0 if whole else 0.0, rule="equal", verdict=verdict, reason=reason)  # fmt: skip


def holds(cell: Cell, ours: int, settings: int, reason: str = "") -> Check:
    """A statement of the paper that must hold in every one of the settings it is made for."""
    return equal(cell, ours, settings, kind="claim", reason=reason)


def monte_carlo(cell: Cell, ours: Estimate, paper: Printed, paper_reps: int, reason: str = "") -> Check:
    """Compare a mean with a printed one, within 3 combined standard errors and half a printed unit.

    Fewer than a hundred replications allow more errors, see `errors_allowed`.

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
    """
    error = _combined(ours, paper, paper_reps)
    tolerance = errors_allowed(ours.count) * error + paper.unit / 2
    close: Verdict = "match" if paper.same_digits(ours.mean) else "within"
    # The true mean behind the print may lie half a unit beyond it, on the side that hides a shift.
    detects = tolerance + POWER * error + paper.unit / 2
    return _judged(cell, "printed", ours.mean, paper.value, tolerance, detects, close, reason)


def against_formula(cell: Cell, ours: Estimate, value: float, reason: str = "") -> Check:
    """Compare a simulated mean with a closed form, within 3 of our standard errors; nothing is added.

    Parameters
    ----------
    cell
        What is simulated.
    ours
        Its mean and standard error.
    value
        What the formula gives at these very sizes. A known shift of a finite sample belongs in here.
    """
    return _without_print(cell, "formula", ours, value, reason)


def nominal(cell: Cell, ours: Estimate, level: float, reason: str = "") -> Check:
    """Compare coverage with the nominal level that the paper's words promise, by standard errors alone.

    Examples
    --------
    >>> cell = Cell("phase", "text", "coverage")
    >>> nominal(cell, Estimate(0.952, 0.0005, 100), 0.95, 100).verdict
    'different'
    """
    return _without_print(cell, "claim", ours, level, reason)


def errors_allowed(count: int) -> float:
    """3; with fewer than a hundred replications, Student's quantile of the same probability.

    A standard error from a handful of replications or seeds is itself too uncertain to be multiplied by 3: of right
    rows, one in 25 would lie beyond 3 errors of five values.

    Examples
    --------
    >>> errors_allowed(150), round(errors_allowed(10), 2), round(errors_allowed(4), 2)
    (3.0, 4.09, 9.22)
    """
    if count >= MANY:
        return ERRORS
    # The quantile that leaves as much in the tail as three standard normal deviations do.
    return float(special.stdtrit(count - 1, special.ndtr(ERRORS)))


def distance(ours: Estimate, paper: Printed, paper_reps: int) -> float:
    """How far ours lies from a printed mean, in the units of `errors_allowed`: beyond half a unit, signed.

    A row of `monte_carlo` is different exactly where this exceeds `errors_allowed(ours.count)`.

    Examples
    --------
    >>> round(distance(Estimate(1.0, 0.03, 150), Printed(1.1505, 0.001, 0.04), 150), 9)
    -3.0
    """
    error = _combined(ours, paper, paper_reps)
    away = ours.mean - paper.value
    if paper.same_digits(ours.mean):
        return 0.0
    # Without any error nothing but the same digits is near.
    return copysign((abs(away) - paper.unit / 2) / error if error else inf, away)


def _combined(ours: Estimate, paper: Printed, paper_reps: int) -> float:
    own = ours.error_at(paper_reps)
    # An error printed as 0.000 may hide up to half a unit.
    theirs = own if paper.spread is None else max(paper.spread, min(own, paper.unit / 2))
    return hypot(ours.error, theirs)


def incomparable(
    cell: Cell, expected: float | None, reason: str, ours: float | None = None, *, kind: Kind = "printed"
) -> Check:
    """A number that is shown but not judged, and why."""
    return Check(**asdict(cell), kind=kind, ours=ours, expected=expected, tolerance=None, detects=None,
                 rule="shown", verdict="not comparable", reason=reason)  # fmt: skip


def _without_print(cell: Cell, kind: Kind, ours: Estimate, value: float, reason: str) -> Check:
    tolerance = errors_allowed(ours.count) * ours.error
    return _judged(cell, kind, ours.mean, value, tolerance, tolerance + POWER * ours.error, "within", reason)


def _judged(
    cell: Cell,
    kind: Kind,
    ours: float,
    expected: float,
    tolerance: float,
    detects: float,
    close: Verdict,
    reason: str,
) -> Check:
    _check_finite(cell, ours, tolerance)
    verdict: Verdict = close if abs(ours - expected) <= tolerance else "different"
    return Check(**asdict(cell), kind=kind, ours=ours, expected=expected, tolerance=tolerance,
                 detects=detects, rule="errors", verdict=verdict, reason=reason)  # fmt: skip


def _check_finite(cell: Cell, ours: float, tolerance: float) -> None:
    if not (isfinite(ours) and isfinite(tolerance)):
        raise ValueError(
            f"{cell.table}, {cell.cell}: ours must be finite, got {ours} with tolerance {tolerance}"
        )
