"""Verdicts on the cells of one printed table."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from math import sqrt
from typing import TypeAlias

from ngrc.study.harness.compare import equal, errors_allowed, exact, incomparable, monte_carlo
from ngrc.study.harness.estimate import Estimate
from ngrc.study.harness.printed import Printed
from ngrc.study.harness.record import Cell, Check
from ngrc.study.real.printed.seeds import PAPER_SEEDS
from ngrc.study.real.sources import Source

OTHER_MACHINE = "seconds of another machine"

Reason: TypeAlias = str | Callable[[], str]
"""Why a cell is off its print; a function is called only where one is, as it may have to try something."""


@dataclass(frozen=True, slots=True)
class Sheet:
    """One printed table of a target; a stand-in's cells are shown and not judged."""

    target: str
    table: str

    def exact(self, source: Source, cell: str, ours: float, paper: Printed, reason: Reason = "") -> Check:
        """A deterministic number; the reason is given only where it is off."""
        return self._explained(source, exact(self._cell(source, cell), ours, paper), reason)

    def equal(self, source: Source, cell: str, ours: float, paper: float, reason: Reason = "") -> Check:
        """A count or a choice from a grid; the reason is given only where it is off."""
        return self._explained(source, equal(self._cell(source, cell), ours, paper, kind="printed"), reason)

    def seeds(
        self, source: Source, cell: str, ours: Estimate, paper: Printed, *, reason: Reason = ""
    ) -> Check:
        """A mean over seeds against a printed number whose `spread` is its standard error over seeds."""
        check = monte_carlo(self._cell(source, cell), ours, paper, PAPER_SEEDS)
        return self._explained(source, check, reason)

    def deviation(self, source: Source, cell: str, ours: Estimate, paper: Printed) -> Check:
        """Our deviation over seeds against the printed one of five.

        Its own error is that of a deviation of normal values, a third of it for five of them; no more than three
        such errors above can be found, and nothing below.
        """
        spread = ours.error_at(1)
        sample = Estimate(spread, spread * deviation_error(ours.count), ours.count)
        printed = Printed(float(paper.spread or 0.0), paper.unit, spread * deviation_error(PAPER_SEEDS))
        return self._explained(
            source, monte_carlo(self._cell(source, f"{cell}, deviation"), sample, printed, PAPER_SEEDS), ""
        )

    def shown(self, source: Source, cell: str, ours: float | None, paper: Printed, *, reason: str) -> Check:
        """A number that is only shown."""
        return incomparable(self._cell(source, cell), paper.value, source.stand_in or reason, ours)

    def _cell(self, source: Source, cell: str) -> Cell:
        return Cell(self.target, self.table, f"{source.title}, {cell}")

    @staticmethod
    def _explained(source: Source, check: Check, reason: Reason) -> Check:
        # Another station's numbers can neither match nor differ: counting either would be a claim.
        if source.stand_in:
            return replace(
                check,
                tolerance=None,
                detects=None,
                rule="shown",
                verdict="not comparable",
                reason=source.stand_in,
            )
        off = check.verdict == "different" or (check.rule == "digits" and check.verdict == "within")
        if not off:
            return replace(check, reason="")
        return replace(check, reason=reason if isinstance(reason, str) else reason())


def seed_rule(count: int) -> str:
    """How rows of ResCP are judged, in words, for so many seeds of ours."""
    return (
        "ResCP moves with its seed: ours are means over seeds, held against the print by combined standard errors and "
        "half a printed unit; as many errors are allowed as Student's law has for 3 normal ones, "
        f"{errors_allowed(count):.1f} with {count} seeds. The error of ours is its deviation over seeds divided by the "
        "root of their number; that of the printed number is the paper's own deviation, of one seed or divided by the "
        "root of five, and ours where the paper prints none"
    )


def five_seeds(paper: Printed) -> Printed:
    """A mean that is printed with its deviation over five seeds, with the mean's own standard error instead."""
    assert paper.spread is not None
    return replace(paper, spread=paper.spread / sqrt(PAPER_SEEDS))


def one_seed(paper: Printed, deviation: float | None, ours: Estimate) -> Printed:
    """A number that is printed for one seed, with its standard error: the deviation over seeds.

    Parameters
    ----------
    paper
        The printed number.
    deviation
        What the paper prints as its deviation over five seeds; None where it prints none, then it is ours.
    ours
        Our mean over seeds.

    Examples
    --------
    >>> one_seed(Printed(0.934, 0.001), None, Estimate(0.93, 0.002, 4)).spread
    0.004
    """
    return replace(paper, spread=ours.error_at(1) if deviation is None else deviation)


def deviation_error(count: int) -> float:
    """Standard deviation of the standard deviation of `count` normal values, as a share of it.

    Examples
    --------
    >>> round(deviation_error(5), 2), round(deviation_error(50), 2)
    (0.35, 0.1)
    """
    # To first order in 1 / count; at five the exact share is 0.34.
    return 1.0 / sqrt(2.0 * (count - 1))
