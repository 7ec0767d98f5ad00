"""Verdicts on the cells of one printed table."""

from dataclasses import dataclass, replace

from ngrc.study.harness.printed import Printed
from ngrc.study.harness.record import Cell, Check, Kind, count, exact, incomparable, seeded
from ngrc.study.real.sources import Source

COVERAGE_TOLERANCE = 0.015
WIDTH_TOLERANCE, WINKLER_TOLERANCE = 0.10, 0.05
"""Some 1.5 times the largest deviation over seeds that the paper prints: 0.010, 6.6 % and 3.5 %, Solar at H = 3."""
SEED_TOLERANCE = (
    f"ResCP moves with its seed: coverage is compared within {COVERAGE_TOLERANCE}, the Winkler score within "
    f"{100 * WINKLER_TOLERANCE:g} % and the width within {100 * WIDTH_TOLERANCE:g} % of the printed"
)
OTHER_MACHINE = "seconds of another machine"


@dataclass(frozen=True, slots=True)
class Sheet:
    """One printed table of a target; a stand-in's cells are shown and not judged."""

    target: str
    table: str

    def exact(self, source: Source, cell: str, ours: float, paper: Printed, reason: str = "") -> Check:
        """A deterministic number; the reason is given only where it differs."""
        check = exact(self._cell(source, cell), ours, paper)
        return self._judged(source, replace(check, reason=reason if check.verdict == "different" else ""))

    def count(self, source: Source, cell: str, ours: int, paper: int) -> Check:
        """A whole number."""
        return self._judged(source, count(self._cell(source, cell), ours, paper))

    def near(
        self,
        source: Source,
        cell: str,
        ours: float,
        paper: Printed,
        *,
        share: float,
        reason: str,
        kind: Kind = "exact",
    ) -> Check:
        """A number that depends on a choice the paper does not print, within a share of the printed one."""
        # One unit at least: a small number may be printed more coarsely than the share allows.
        tolerance = max(share * abs(paper.value), paper.unit)
        check = seeded(self._cell(source, cell), ours, paper, tolerance, reason)
        return self._judged(source, replace(check, kind=kind))

    def rescp(
        self,
        source: Source,
        cell: str,
        measure: str,
        ours: float,
        paper: Printed,
        *,
        reason: str,
        allowance: float = 0.0,
    ) -> Check:
        """A ResCP number, within the stated tolerance of its measure and an allowance that the reason explains."""
        share = {"width": WIDTH_TOLERANCE, "winkler": WINKLER_TOLERANCE}.get(measure)
        # Half a printed unit besides: a small number's digits are coarser than the tolerance itself.
        tolerance = (
            (COVERAGE_TOLERANCE if share is None else share * paper.value) + paper.unit / 2 + allowance
        )
        check = seeded(self._cell(source, f"{cell}, {measure}"), ours, paper, tolerance, reason)
        return self._judged(source, check)

    def one_seed(
        self, source: Source, cell: str, measure: str, ours: float, paper: Printed, *, mean: Printed
    ) -> Check:
        """A ResCP number that is printed for one seed, which may lie off the paper's own `mean` over five."""
        reason = f"printed for one seed; the paper's five seeds have {mean.value:.3f}±{mean.spread:.3f}"
        away = abs(paper.value - mean.value)
        if away > 0.0:
            reason += f", and this distance of {away:.3f} is added to the tolerance"
        return self.rescp(source, cell, measure, ours, paper, reason=reason, allowance=away)

    def shown(
        self,
        source: Source,
        cell: str,
        ours: float | None,
        paper: Printed,
        *,
        reason: str,
        kind: Kind = "exact",
    ) -> Check:
        """A number that is only shown."""
        return incomparable(self._cell(source, cell), paper.value, kind, source.stand_in or reason, ours)

    def _cell(self, source: Source, cell: str) -> Cell:
        return Cell(self.target, self.table, f"{source.title}, {cell}")

    @staticmethod
    def _judged(source: Source, check: Check) -> Check:
        # Another station's numbers can neither match nor differ: counting either would be a claim.
        if not source.stand_in:
            return check
        return replace(check, tolerance=None, verdict="not comparable", reason=source.stand_in)
