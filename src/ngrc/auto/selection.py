"""What a search did: a record for people, and the members that a fit needs."""

from collections.abc import Mapping
from dataclasses import dataclass, field

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

    def __str__(self) -> str:
        named = ", ".join(f"{period.name} ({period.steps:g} steps)" for period in self.periods)
        many = (
            f"{self.horizons[0]}" if len(self.horizons) == 1 else f"{self.horizons[0]} to {self.horizons[-1]}"
        )
        lines = [
            f"horizon {many}: {len(self.attempts)} candidates on {self.rows} validation rows in "
            f"{self.seconds:.2f} s; periods proposed: {named or 'none'}"
        ]
        lines += [f"  {member.weight:.2f} x {member.recipe.words()}" for member in self.members]
        if self.transform is not None:
            lines.append(f"  on the {self.transform} of the series")
        scores = ", ".join(f"{name} {score:.3f}" for name, score in self.references.items())
        lines.append(f"  error over the last value's on those rows: {scores}")
        return "\n".join(lines)
