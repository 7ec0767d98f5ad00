"""The probe: every cut, every input, every change, and nothing said by then may move."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np

from ngrc.testing.changes import CHANGES, Domain, Rule, changed_after
from ngrc.testing.given import SERIES, Given, mixed
from ngrc.testing.output import Difference, Output, first_difference

# A product of matrices with fewer rows is summed in another order: the last bits of a series cut short are not those
# of the whole one, and a look ahead is larger by far.
ROUNDING = 1e-9


class Subject(Protocol):
    """Something that says numbers about what it is given."""

    @property
    def name(self) -> str:
        """Who speaks, for the error."""

    @property
    def shortens(self) -> bool:
        """Whether a series cut short must give the same numbers; not where blocks are shares of the length."""

    def told(self, given: Given) -> Sequence[Output]:
        """All that it says, each time anew."""


@dataclass(frozen=True, slots=True)
class Probe:
    """How a subject is probed: where, by which changes, within which values, and to which tolerance."""

    cuts: tuple[int, ...]
    domain: Domain | None = None
    tolerance: float = 0.0
    seed: int = 0

    def run(self, subject: Subject, given: Given, changes: Iterable[str] = CHANGES) -> None:
        """Raise `AssertionError` where the future reaches the past."""
        before = subject.told(given)
        self._check_repeats(subject, before, subject.told(given), "at once")
        self._check_worth(subject, before, given)
        rules = {name: CHANGES[name] for name in changes}
        for cut in self.cuts:
            self._changed(subject, given, before, cut, rules)
            if subject.shortens:
                self._shortened(subject, given, before, cut)
        self._check_repeats(subject, before, subject.told(given), "after it has seen other futures")

    def _changed(
        self, subject: Subject, given: Given, before: Sequence[Output], cut: int, rules: Mapping[str, Rule]
    ) -> None:
        rng = np.random.default_rng([self.seed, cut])
        for name, values in given.inputs.items():
            domain = Domain.of(values) if self.domain is None or name != SERIES else self.domain
            for change, rule in rules.items():
                other = changed_after(given, name, cut, rule, domain, rng)
                if other is None:
                    continue
                found = self._compared(subject, before, other, cut, name, change)
                if found is not None:
                    seen, found = self._last_seen(subject, given, other, before, name, cut, found)
                    raise AssertionError(_words(subject.name, found, name, seen, change, cut))

    def _compared(
        self, subject: Subject, before: Sequence[Output], other: Given, cut: int, name: str, change: str
    ) -> Difference | None:
        try:
            after = subject.told(other)
        except Exception as error:
            error.add_note(
                f"raised by {subject.name} when {name} after {cut} got {change} (assert_no_lookahead)"
            )
            raise
        known = name in other.known
        return first_difference(before, after, cut, known=known, tolerance=self.tolerance)

    def _last_seen(
        self,
        subject: Subject,
        given: Given,
        other: Given,
        before: Sequence[Output],
        name: str,
        cut: int,
        found: Difference,
    ) -> tuple[int, Difference]:
        """A place whose change alone decides: changed from there on something moves, changed after it nothing does."""
        moves, still = cut + 1, given.size
        while still - moves > 1:
            middle = (moves + still) // 2
            partly = given.replaced(name, mixed(given.inputs[name], other.inputs[name], middle))
            moved = self._compared(subject, before, partly, cut, name, "a part of it")
            if moved is None:
                still = middle
            else:
                moves, found = middle, moved
        return moves, found

    def _shortened(self, subject: Subject, given: Given, before: Sequence[Output], cut: int) -> None:
        # So long that the last entry that may read through the cut is still there. Another future stands behind the
        # part that is handed over as well, for one that reaches beyond it.
        size = min(cut + 1 + max(int(np.max(output.delay)) for output in before), given.size - 1)
        rng = np.random.default_rng([self.seed, cut])
        other = changed_after(given, SERIES, cut, CHANGES["noise"], Domain.of(given.y), rng) or given
        after = subject.told(other.until(size))
        found = first_difference(before, after, cut, tolerance=max(self.tolerance, ROUNDING))
        if found is not None:
            raise AssertionError(
                f"{subject.name} looks ahead: {found.entry} may read y[..{found.readable}], and is {found.before:.6g} "
                f"in the whole series and {found.after:.6g} where it ends at y[{size - 1}]: it knows what follows, or "
                "how much"
            )

    def _check_repeats(
        self, subject: Subject, before: Sequence[Output], again: Sequence[Output], when: str
    ) -> None:
        found = first_difference(before, again, np.iinfo(np.int64).max, tolerance=self.tolerance)
        if found is not None:
            raise AssertionError(
                f"{subject.name} does not repeat itself: asked the same {when}, {found.entry} was {found.before:.6g} "
                f"and is {found.after:.6g}; fix its seed, and let it keep nothing of a series between two questions"
            )

    def _check_worth(self, subject: Subject, before: Sequence[Output], given: Given) -> None:
        """Refuse a probe that could find nothing: at no cut is anything said that reads as far as the cut."""
        for output in before:
            at_cut = np.isin(output.readable(known=False), self.cuts)
            if (~np.isnan(output.values) & at_cut).any():
                return
        raise ValueError(
            f"{subject.name} says nothing at the cuts {list(self.cuts)} of {given.size} observations, so that there is "
            "nothing to compare; give a longer series or other cuts"
        )


def _words(subject: str, found: Difference, name: str, seen: int, change: str, cut: int) -> str:
    by, entries = abs(found.after - found.before), "entry" if found.count == 1 else "entries"
    return (
        f"{subject} looks ahead: {found.entry} may read {name}[..{found.readable}], and changed from "
        f"{found.before:.6g} to {found.after:.6g} (by {by:.3g}) because {name}[{seen}] changed.\n"
        f"The change: {change} after {name}[{cut}]; {found.count} such {entries} moved, and none when only "
        f"{name}[{seen + 1}..] changed."
    )
