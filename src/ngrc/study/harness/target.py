"""What a target is: a name, what it shows, and a function from settings to an outcome."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import polars as pl

from ngrc.study.harness.record import Check
from ngrc.validation import check_count

DrawFigure = Callable[[], Any]
"""Draws one matplotlib figure; called only when it is written."""
THE_PAPER = "the paper"
"""The paper that this library comes from."""


@dataclass(frozen=True, slots=True)
class Settings:
    """How a target is run.

    Parameters
    ----------
    reps
        Replications; None for the paper's number.
    jobs
        Parallel processes. The numbers do not depend on it.
    seed
        Root of every random stream.
    quick
        A few replications only, to see that everything works.
    out
        Folder that receives one folder per target.
    """

    reps: int | None = None
    jobs: int = 1
    seed: int = 0
    quick: bool = False
    out: Path = field(default_factory=lambda: Path("results"))

    def __post_init__(self) -> None:
        if self.reps is not None:
            check_count(self.reps, "reps", 2)
        check_count(self.jobs, "jobs")
        check_count(self.seed, "seed", 0)

    def replications(self, paper: int, quick: int = 8) -> int:
        """`reps` if given, else `quick` or the paper's number.

        Examples
        --------
        >>> Settings(quick=True).replications(150), Settings().replications(150), Settings(5).replications(150)
        (8, 150, 5)
        """
        if self.reps is not None:
            return self.reps
        return quick if self.quick else paper


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a run gives.

    Parameters
    ----------
    tables
        Tables by file name; the first ones matter most.
    figures
        Functions that draw the figures, by file name.
    checks
        Ours against the paper's print, a formula or the paper's words.
    captions
        What a table or figure shows, by the same names.
    findings
        Sentences on what came out, made from the numbers of this very run.
    notes
        Remarks for the page: replications, readings, what differs and why.
    """

    tables: Mapping[str, pl.DataFrame]
    figures: Mapping[str, DrawFigure]
    checks: tuple[Check, ...]
    captions: Mapping[str, str] = field(default_factory=dict)
    findings: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Target:
    """One result that a command reproduces: the paper's, or one of ours that says so.

    Parameters
    ----------
    name
        As typed after `ngrc reproduce`.
    title
        One line.
    shows
        One paragraph on what is asked and how, true whatever comes out; results are an outcome's findings.
    run
        From settings to the outcome.
    paper
        Whose print and words its rows are held against. Only rows of the paper itself count towards the sum of all.
    """

    name: str
    title: str
    shows: str
    run: Callable[[Settings], Outcome]
    paper: str = THE_PAPER
