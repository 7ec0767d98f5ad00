"""One comparison and its verdict: of three kinds, which are never counted together."""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass
from typing import Any, Literal, get_args

Kind = Literal["printed", "formula", "claim"]
KINDS: tuple[Kind, ...] = get_args(Kind)
EXPECTED: dict[Kind, str] = {"printed": "paper", "formula": "formula", "claim": "claim"}
"""What the right side of a comparison is called, in files and in tables."""
Rule = Literal["digits", "equal", "errors", "shown"]
Verdict = Literal["match", "within", "different", "not comparable"]
VERDICTS: tuple[Verdict, ...] = get_args(Verdict)
MARKS: dict[Verdict, str] = {"match": "=", "within": "≈", "different": "≠", "not comparable": "·"}


@dataclass(frozen=True, slots=True)
class Cell:
    """Where a number belongs."""

    target: str
    table: str
    cell: str


@dataclass(frozen=True, slots=True)
class Check:
    """One number of ours and what it is held against.

    Parameters
    ----------
    target, table, cell
        Which command gives it, and the label of the paper's table, figure or section it belongs to.
    kind
        "printed": a number that the paper prints. "formula": our simulation against a closed form. "claim": the
        paper's words, that is an ordering, a nominal level or a direction. Only the first is reproduction.
    ours, expected, tolerance
        Values; None where there is none to give.
    detects
        The smallest true shift of ours that the row would call different in nine runs of ten.
    rule
        "digits" for deterministic numbers, "equal" for counts and choices, "errors" for means with a standard error,
        "shown" where nothing is judged.
    verdict
        "match" at the printed digits, "within" the tolerance, "different", or "not comparable".
    reason
        Why it differs or cannot be compared, or what it was compared with.
    """

    target: str
    table: str
    cell: str
    kind: Kind
    ours: float | None
    expected: float | None
    tolerance: float | None
    detects: float | None
    rule: Rule
    verdict: Verdict
    reason: str = ""


def of_kind(checks: Iterable[Check], kind: Kind) -> list[Check]:
    """The checks of one kind, in order."""
    return [check for check in checks if check.kind == kind]


def tally(checks: Iterable[Check]) -> dict[Verdict, int]:
    """How many checks have each verdict, all four named."""
    counts = Counter(check.verdict for check in checks)
    return {verdict: counts[verdict] for verdict in VERDICTS}


def as_row(check: Check) -> dict[str, Any]:
    """A check ready for JSON, its right side under the name of its kind.

    Examples
    --------
    >>> check = Check("phase", "fig", "a", "formula", 1.0, 1.1, 0.2, 0.3, "errors", "within")
    >>> row = as_row(check)
    >>> row["formula"], "paper" in row
    (1.1, False)
    """
    return {
        EXPECTED[check.kind] if name == "expected" else name: value for name, value in asdict(check).items()
    }


def from_row(row: Mapping[str, Any]) -> Check:
    """The check that `as_row` wrote."""
    name = EXPECTED[row["kind"]]
    return Check(**{"expected" if key == name else key: value for key, value in row.items()})
