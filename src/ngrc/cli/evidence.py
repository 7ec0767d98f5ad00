"""What methods would have scored before the test block, in the terminal and as JSON."""

from dataclasses import asdict
from math import isfinite
from typing import Any

from rich import box
from rich.table import Table
from rich.text import Text

from ngrc.backtesting.summary import finite
from ngrc.cli.tables import console
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
    out.print(
        evidence_table(evidence, f"Tried on {evidence.judged:,} calibration residuals at {100 * level:g} %")
    )
    if evidence.left_out:
        out.print(f"not tried, as so many residuals take long: {', '.join(evidence.left_out)}")


def evidence_table(evidence: Evidence, title: str) -> Table:
    """Winkler score, its distance from the best with a standard error, and coverage of every method, best first."""
    table = Table(title=Text(title), box=box.SIMPLE_HEAD, title_justify="left", title_style="bold")
    table.add_column("method")
    for name in ("Winkler", "above the best", "error", "coverage"):
        table.add_column(name, justify="right")
    for row in evidence.ranked:
        known = isfinite(row.winkler)
        table.add_row(
            row.method,
            f"{row.winkler:.4g}" if known else "no bound",
            f"{row.difference:.3g}" if known else "",
            f"{row.error:.2g}" if known else "",
            f"{row.coverage:.3f}",
        )
    return table
