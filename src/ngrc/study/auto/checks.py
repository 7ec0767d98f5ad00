"""What is claimed of the automatic model at the paper's fixed origin."""

from collections.abc import Sequence

import polars as pl

from ngrc.study.auto.tables import RIVALS
from ngrc.study.harness.compare import holds, incomparable
from ngrc.study.harness.printed import Printed
from ngrc.study.harness.record import Cell, Check
from ngrc.study.real.printed.models import SCORES
from ngrc.study.real.sources import Source

NAME = "auto"


def auto_checks(data: Sequence[Source], table: pl.DataFrame) -> list[Check]:
    """Per dataset: one step ahead against the best of the paper's four, further ahead against the paper's map."""
    checks = []
    for source in data:
        rows = table.filter(pl.col("dataset") == source.title)
        near = rows.filter(pl.col("horizon") == 1)["automatic"].item()
        checks.append(_against_the_best(source, near))
        checks.append(_against_the_map(source, rows.filter(pl.col("horizon") > 1)))
    return checks


def best_of_four(dataset: str) -> tuple[str, Printed]:
    """Which of the paper's forecasters has the lowest printed RMSE, and that.

    Examples
    --------
    >>> best_of_four("exchange")
    ('gru', Printed(value=1.275, unit=0.001, spread=None))
    """
    return min(((model, SCORES[dataset, model]["rmse"]) for model in RIVALS), key=lambda pair: pair[1].value)


def reaches(ours: float, paper: Printed) -> bool:
    """Whether ours is at or below a printed number, at its printed digits.

    Examples
    --------
    >>> paper = Printed(1.275, 0.001)
    >>> reaches(1.2754, paper), reaches(1.2756, paper), reaches(1.1, paper), reaches(float("nan"), paper)
    (True, False, True, False)
    """
    return ours <= paper.value or paper.same_digits(ours)


def _against_the_best(source: Source, ours: float) -> Check:
    cell = Cell(
        NAME,
        "scores",
        f"{source.title}: RMSE at or below the best of the paper's four at H = 1, at the printed digits",
    )
    if source.stand_in:
        return incomparable(cell, None, source.stand_in, kind="claim")
    model, paper = best_of_four(source.key)
    return holds(cell, int(reaches(ours, paper)), 1, f"{ours:.5f} against {paper.value:g} of {RIVALS[model]}")


def _against_the_map(source: Source, rows: pl.DataFrame) -> Check:
    where = " and ".join(str(horizon) for horizon in rows["horizon"])
    cell = Cell(NAME, "scores", f"{source.title}: RMSE below that of the paper's NGRC at H = {where}")
    below = rows.filter(pl.col("automatic") < pl.col("paper_map")).height
    sides = ", ".join(f"{row['automatic']:.5f} against {row['paper_map']:.5f}" for row in rows.to_dicts())
    if source.stand_in:
        return incomparable(cell, rows.height, f"{source.stand_in}; {sides}", below, kind="claim")
    return holds(cell, below, rows.height, sides)
