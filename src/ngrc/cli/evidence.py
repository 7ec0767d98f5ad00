"""What methods would have scored before the test block, in the terminal and as JSON."""

from dataclasses import asdict
from math import isfinite
from typing import Any

from rich.table import Table

from ngrc._text import percent, rounded
from ngrc.backtesting.summary import finite
from ngrc.cli.tables import BEST, NARROW, PIPED, console, paragraph, plain_table
from ngrc.diagnosis.evidence import Evidence


def plain_evidence(evidence: Evidence) -> dict[str, Any]:
    """Ready for JSON, the best method first; a number that does not exist is None."""
    rows = [
        {name: value if isinstance(value, str) else finite(value) for name, value in asdict(row).items()}
        for row in evidence.ranked
    ]
    return {**asdict(evidence), "rows": rows}


def show_evidence(evidence: Evidence, level: float) -> None:
    """Print the table, and which methods were not tried; nothing where there is no evidence."""
    if not evidence.rows:
        return
    out = console()
    title = f"Tried on {evidence.judged:,} calibration residuals at {percent(level)} %"
    out.print(evidence_table(evidence, title, out.width))
    if evidence.left_out:
        paragraph(out, f"not tried, as so many residuals take long: {', '.join(evidence.left_out)}")


def evidence_table(evidence: Evidence, title: str, width: int = PIPED) -> Table:
    """Winkler score, its distance from the best with a standard error, and coverage of every method, best first."""
    names = ["method", "Winkler", "above the best", "error", "coverage"]
    if width < NARROW:
        names.remove("error")
    table = plain_table(title, names)
    for place, row in enumerate(evidence.ranked):
        known = isfinite(row.winkler)
        cells = {
            "method": f"{row.method}{BEST * (place == 0)}",
            "Winkler": rounded(row.winkler) if known else "no bound",
            "above the best": rounded(row.difference, 3) if known else "",
            "error": rounded(row.error, 2) if known else "",
            "coverage": f"{row.coverage:.3f}",
        }
        table.add_row(*(cells[name] for name in names), style=None if place else "bold")
    return table
