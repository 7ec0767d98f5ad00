"""Sentences on what held and what broke, made from the numbers of the run."""

import polars as pl

from ngrc.study.stress.cells import EQUAL, HORIZONS, TRUE, WINDOW
from ngrc.study.stress.checks import promised
from ngrc.study.stress.laws import ADVERSARY, CASES, DRIFT, JUMP, LEVEL, Sizes

WHERE = {
    "exchangeable": "Exchangeable normal residuals",
    "heavy tails": "Exchangeable heavy tails",
    "skewed": "A skewed law",
    "jump": f"After a jump of the scale by {JUMP:g}",
    "drift": f"While the scale drifts by a factor of {DRIFT:g}",
    "seasonal": "A seasonal scale",
    ADVERSARY: "Against an adversary",
}


def stress_findings(table: pl.DataFrame, sizes: Sizes) -> list[str]:
    """Per law the range of the worst windows; then what the bounds allow and what was seen."""
    named = table.filter(~pl.col("method").is_in([EQUAL, TRUE]))
    return [
        _chance(table),
        *(_windows(named, law) for law in CASES),
        _widths(named),
        _adversary(table, sizes),
    ]


def _chance(table: pl.DataFrame) -> str:
    """What no method can be blamed for."""
    row = table.filter((pl.col("method") == TRUE) & (pl.col("law") == CASES[0])).row(0, named=True)
    return (
        f"Chance alone: the worst coverage over {WINDOW} steps in a row of an interval that knows the law is "
        f"{row['worst']:.3f} on average, and {row['least']:.3f} in the worst replication."
    )


def _windows(table: pl.DataFrame, law: str) -> str:
    parts = []
    for horizon in HORIZONS:
        rows = table.filter((pl.col("law") == law) & (pl.col("horizon") == horizon)).sort("worst")
        low, high = rows.row(0, named=True), rows.row(-1, named=True)
        parts.append(
            f"at H = {horizon} from {low['worst']:.3f} ({low['method']}) to {high['worst']:.3f} ({high['method']})"
        )
    return f"{WHERE[law]}: the worst coverage over {WINDOW} steps in a row is, on average, {' and '.join(parts)}."


def _widths(table: pl.DataFrame) -> str:
    """Among methods whose coverage is within a point of the level."""
    parts = []
    for law in (law for law in CASES if law != ADVERSARY):
        rows = table.filter(
            (pl.col("law") == law) & (pl.col("horizon") == 1) & ((pl.col("coverage") - LEVEL).abs() <= 0.01)
        ).sort("width")
        if rows.height:
            best = rows.row(0, named=True)
            parts.append(f"{law} {best['width']:.3f} ({best['method']})")
    return (
        "Narrowest at H = 1 among those that cover within a point of the level, relative to the true law's interval: "
        f"{', '.join(parts)}." if parts else "No method covers within a point of the level at H = 1."
    )  # fmt: skip


def _adversary(table: pl.DataFrame, sizes: Sizes) -> str:
    parts = []
    for horizon in HORIZONS:
        row = table.filter(
            (pl.col("law") == ADVERSARY)
            & (pl.col("horizon") == horizon)
            & (pl.col("method") == "unprojected")
        ).row(0, named=True)
        bound = promised("unprojected")(sizes.adversary, horizon)
        parts.append(
            f"at H = {horizon} it covers {row['coverage']:.3f} where {LEVEL - bound:.3f} is promised, with "
            f"{row['infinite']:.1%} of its intervals infinite"
        )
    return f"Unprojected against its adversary over {sizes.adversary} steps: {'; '.join(parts)}."
