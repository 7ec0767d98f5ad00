"""What a fitted forecaster may tell of itself beyond its forecasts: optional parts of the contract."""

from dataclasses import dataclass
from typing import Any, Protocol, runtime_checkable

from ngrc._types import FloatArray


@dataclass(frozen=True, slots=True)
class ModelFacts:
    """Numbers for reports and diagnostics; None where a forecaster has no such thing.

    Parameters
    ----------
    lags
        Delays that a forecast reads.
    features
        Columns of the design, the intercept included.
    ridge
        Penalty in use.
    d_eff
        Effective dimension at that penalty.
    fit_scale
        Root mean square of the fit residuals, in the series' own units.

    Examples
    --------
    >>> print(ModelFacts(lags=2, features=6, ridge=0.01, d_eff=4.25))
    2 lags, 6 features, ridge 0.01, effective dimension 4.2
    """

    lags: int | None = None
    features: int | None = None
    ridge: float | None = None
    d_eff: float | None = None
    fit_scale: float | None = None

    def __str__(self) -> str:
        parts = (
            None if self.lags is None else f"{self.lags} lags",
            None if self.features is None else f"{self.features} features",
            None if self.ridge is None else f"ridge {self.ridge:g}",
            None if self.d_eff is None else f"effective dimension {self.d_eff:.1f}",
        )
        return ", ".join(part for part in parts if part is not None)


@runtime_checkable
class Described(Protocol):
    """A forecaster that tells its facts once it is fitted; `NGRC` does."""

    def facts(self) -> ModelFacts:
        """What the fit came to."""


@runtime_checkable
class Leveraged(Protocol):
    """A forecaster that knows the leverage of its rows, which the Bayesian interval needs; `NGRC` does."""

    def leverage(self, y: Any) -> FloatArray:
        """Leverages r'(R'R + n lambda D)^-1 r by target time, aligned like `predict`."""


@runtime_checkable
class Noted(Protocol):
    """A forecaster whose fit leaves remarks, one line each: warnings of an optimiser, the course of a training."""

    notes_: tuple[str, ...]


def facts_of(model: object) -> ModelFacts:
    """The facts that a fitted forecaster tells; none where it tells none.

    Examples
    --------
    >>> facts_of(object())
    ModelFacts(lags=None, features=None, ridge=None, d_eff=None, fit_scale=None)
    """
    return model.facts() if isinstance(model, Described) else ModelFacts()
