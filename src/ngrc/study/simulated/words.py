"""Sentences that several pages build from their numbers."""

from collections.abc import Sequence

from scipy import special

from ngrc.study.harness.compare import ERRORS
from ngrc.study.harness.record import Check

TAIL = float(2.0 * special.ndtr(-ERRORS))
"""How often a right number lies beyond 3 standard errors."""


def listed(names: Sequence[str]) -> str:
    """Names as a list in a sentence.

    Examples
    --------
    >>> listed(["a"]), listed(["a", "b", "c"])
    ('a', 'a, b and c')
    """
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"


def chance(checks: Sequence[Check]) -> str:
    """How many rows judged by standard errors lie beyond them, against how many would by chance alone.

    Claims of a nominal level are left out: they may be missed for a known reason.
    """
    judged = [check for check in checks if check.rule == "errors" and check.kind != "claim"]
    beyond = [check for check in judged if check.verdict == "different"]
    expected = TAIL * len(judged)
    # Rows share designs and noise, so that this takes them as independent only to give the size of the matter.
    probability = float(special.pdtrc(len(beyond) - 1, expected)) if beyond else 1.0
    told = f"{len(beyond)} of {len(judged)} rows judged by standard errors lie beyond them"
    if not beyond:
        return f"{told}; {expected:.1f} would by chance."
    names = "; ".join(check.cell for check in beyond)
    odds = f"as many or more with probability {probability:.2g}"
    return f"{told}, where {expected:.1f} would by chance ({odds}): {names}."
