"""What the penalty falls on: which intercept, and columns standardised or as they are."""

from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from ngrc._types import FloatArray

Intercept = Literal["free", "penalised", "none"]
Columns = Literal["standardised", "raw"]


@dataclass(frozen=True, slots=True)
class Convention:
    """How columns enter the moments, and how an intercept goes with them.

    Parameters
    ----------
    intercept
        "free" (not penalised), "penalised" on centred columns (the theory's convention), or "none": columns are not
        centred and no constant is added.
    columns
        "standardised": every column is divided by its standard deviation over the fit rows. "raw": none is.
    difference
        Whether the target is an increment, so that an infinite penalty takes the intercept too.

    Examples
    --------
    >>> Convention("penalised").share(1.0), Convention().share(np.inf), Convention(difference=True).share(np.inf)
    (0.5, 1.0, 0.0)
    """

    intercept: Intercept = "free"
    columns: Columns = "standardised"
    difference: bool = False

    def __post_init__(self) -> None:
        _check_choice(self.intercept, "intercept", ("free", "penalised", "none"))
        _check_choice(self.columns, "columns", ("standardised", "raw"))

    @property
    def centred(self) -> bool:
        """Whether columns and target are centred."""
        return self.intercept != "none"

    def intercept_penalty(self, penalty: float) -> float:
        """Penalty on the intercept; infinite where there is none."""
        if self.intercept == "none" or (self.difference and np.isinf(penalty)):
            return np.inf
        return penalty if self.intercept == "penalised" else 0.0

    def share(self, penalty: float) -> float:
        """What is left of the target's mean, 1 / (1 + lambda_0): the intercept's equation on centred columns."""
        return 1.0 / (1.0 + self.intercept_penalty(penalty))

    def shares(self, penalties: FloatArray) -> FloatArray:
        """`share` of every penalty, shape (m,)."""
        own = penalties if self.intercept == "penalised" else np.zeros(penalties.shape)
        if self.intercept == "none" or self.difference:
            own = np.where(np.isinf(penalties) | (self.intercept == "none"), np.inf, own)
        return np.asarray(1.0 / (1.0 + own))


def _check_choice(value: Any, name: str, choices: tuple[str, ...]) -> None:
    if value not in choices:
        raise ValueError(
            f"{name} must be {', '.join(map(repr, choices[:-1]))} or {choices[-1]!r}, got {value!r}"
        )


STANDARD = Convention()
