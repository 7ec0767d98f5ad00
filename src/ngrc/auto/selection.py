"""What a search did: a record for people, and the members that a fit needs."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any

import numpy as np

from ngrc.auto.periods import Period
from ngrc.auto.recipe import Recipe
from ngrc.features.transforms import Specification


@dataclass(frozen=True, slots=True)
class Member:
    """One recipe of the combination.

    Parameters
    ----------
    recipe
        Columns and target.
    weight
        Its share; all members' sum to one.
    penalties
        By horizon at which the recipe was tried.
    """

    recipe: Recipe
    weight: float
    penalties: Mapping[int, float]

    def penalty(self, horizon: int) -> float:
        """The penalty of the nearest horizon that was tried, by ratio."""
        nearest = min(self.penalties, key=lambda tried: abs(np.log(tried / horizon)))
        return self.penalties[nearest]


@dataclass(frozen=True, slots=True)
class Attempt:
    """A candidate and its score: root mean squared error on the folds over that of the last value."""

    words: str
    columns: int
    ratio: float


@dataclass(frozen=True, slots=True)
class Selection:
    """The outcome of one search.

    Parameters
    ----------
    horizons
        Those that it serves, in rising order.
    members
        The combination, the heaviest first.
    transform
        Of the series.
    periods
        What was proposed, with reasons.
    attempts
        Every candidate that was tried, the best first.
    references
        Scores of the combination, of naive, seasonal naive and linear forecasts on the same rows.
    rows
        Rows on which they were scored.
    seconds
        What the search cost.
    """

    horizons: tuple[int, ...]
    members: tuple[Member, ...]
    transform: Specification
    periods: tuple[Period, ...]
    attempts: tuple[Attempt, ...] = field(repr=False)
    references: Mapping[str, float] = field(repr=False)
    rows: int
    seconds: float

    @property
    def seasons(self) -> frozenset[float]:
        """Periods whose season any member reads."""
        return frozenset().union(*(member.recipe.seasons for member in self.members))

    @property
    def causal(self) -> bool:
        """Whether no member has weights fitted to rows: a forecast from an earlier origin is what it was then."""
        # A level without columns is the mean of the rows, and that is fitted.
        return all(
            member.recipe.fixed and (member.recipe.smoothing is not None or member.recipe.target != "level")
            for member in self.members
        )

    @property
    def reach(self) -> int:
        """How far behind its origin any forecast reads."""
        recipes = [member.recipe for member in self.members]
        return max(recipe.reach(horizon) for recipe in recipes for horizon in self.horizons)

    def __str__(self) -> str:
        """What was chosen, in four or five lines."""
        named = ", ".join(f"{period.name} ({period.steps:g} steps)" for period in self.periods)
        tried = f"{len(self.attempts)} candidates in {self.seconds:.2f} s"
        where = f" on {self.rows:,} validation rows" if self.rows else ""
        lines = [f"{self._horizons()}: {tried}{where}; periods proposed: {named or 'none'}"]
        lead, *others = self.members
        lines.append(f"  {lead.weight:.0%} {lead.recipe.words()}")
        if others:
            alike = f"{len(others)} more" if len(others) > 1 else others[0].recipe.words()
            lines.append(f"  {1.0 - lead.weight:.0%} {alike}")
        if self.transform is not None:
            lines.append(f"  fitted to the {self.transform} of the series")
        if self.references:
            scores = ", ".join(f"{name} {score:.3f}" for name, score in self.references.items())
            lines.append(f"  validation error relative to the last value's: {scores}")
        return "\n".join(lines)

    def _horizons(self) -> str:
        first, last = self.horizons[0], self.horizons[-1]
        return f"horizon {first}" if first == last else f"horizons {first} to {last}"

    def details(self, most: int | None = None) -> str:
        """Every member, every period with its reason, and the candidates with their scores, the best first."""
        lines = [str(self)]
        lines += [f"period {period.steps:g}: {period.reason}" for period in self.periods]
        lines += [f"{member.weight:6.1%}  {member.recipe.words()}" for member in self.members]
        lines += [f"{one.ratio:6.3f}  {one.columns:4d} columns  {one.words}" for one in self.attempts[:most]]
        return "\n".join(lines)

    def plain(self) -> dict[str, Any]:
        """The record as plain values for JSON; an infinite penalty, which leaves no weight, is None."""
        return {
            "horizons": [self.horizons[0], self.horizons[-1]],
            "periods": [asdict(period) for period in self.periods],
            "transform": self.transform,
            "members": [
                {
                    "weight": member.weight,
                    "words": member.recipe.words(),
                    "penalties": {
                        str(horizon): penalty if np.isfinite(penalty) else None
                        for horizon, penalty in member.penalties.items()
                    },
                }
                for member in self.members
            ],
            "references": dict(self.references),
            "candidates": [
                {
                    "words": one.words,
                    "columns": one.columns,
                    "ratio": one.ratio if np.isfinite(one.ratio) else None,
                }
                for one in self.attempts
            ],
            "validation_rows": self.rows,
            "seconds": self.seconds,
        }
