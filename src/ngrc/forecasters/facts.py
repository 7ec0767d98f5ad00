"""What a fitted forecaster may tell of itself beyond its forecasts: optional parts of the contract."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, Protocol, runtime_checkable

from ngrc._types import FloatArray
from ngrc.features.link import IDENTITY, Link

if TYPE_CHECKING:
    from ngrc.theory.noise import NoiseScale


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
        Root mean square of the fit residuals, in the units of the model's link: the series' own, or those of the
        transformed series where there is a transform.
    validation_rows
        Rows on which the penalty was chosen.

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
    validation_rows: int | None = None

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
class NoiseEstimator(Protocol):
    """A forecaster that estimates the noise of its fit rows consistently in high dimension; `NGRC` does."""

    def noise_scale(self, method: Literal["gcv", "evidence"]) -> "NoiseScale":
        """The estimate in the units of the model's link, the series' own where it has none."""


@runtime_checkable
class Linked(Protocol):
    """A forecaster whose residuals are comparable in other units than the series' own, or whose series has bounds.

    Its forecasts are in the series' own units and within the bounds; what it tells of its residuals (the fit scale, the
    noise scale) is in the units of its link, in which an interval method works.
    """

    def link(self) -> Link:
        """Transform and bounds as the fit block settled them."""


@runtime_checkable
class Noted(Protocol):
    """A forecaster whose fit leaves remarks, one line each: warnings of an optimiser, the course of a training."""

    notes_: tuple[str, ...]


@runtime_checkable
class Choosing(Protocol):
    """A forecaster that chose its columns itself, and tells how; `AutoNGRC` does."""

    def report(self) -> str:
        """What was tried and chosen, for people."""

    def record(self) -> list[dict[str, Any]]:
        """The same as plain values for JSON."""


def facts_of(model: object) -> ModelFacts:
    """The facts that a fitted forecaster tells; none where it tells none.

    Examples
    --------
    >>> facts_of(object())
    ModelFacts(lags=None, features=None, ridge=None, d_eff=None, fit_scale=None, validation_rows=None)
    """
    return model.facts() if isinstance(model, Described) else ModelFacts()


def link_of(model: object) -> Link:
    """The link of a fitted forecaster; the identity where it has none.

    Examples
    --------
    >>> link_of(object()).identity
    True
    """
    return model.link() if isinstance(model, Linked) else IDENTITY


def check_estimates(model: object, names: Iterable[str]) -> None:
    """Refuse before the fit what a forecaster cannot estimate.

    Examples
    --------
    >>> check_estimates(object(), ["gcv"])
    Traceback (most recent call last):
    ValueError: noise='gcv' needs a forecaster with noise_scale(), such as NGRC, got object; use noise='fit' or a number
    """
    for name in names:
        if not isinstance(model, NoiseEstimator):
            raise ValueError(
                f"noise={name!r} needs a forecaster with noise_scale(), such as NGRC, got {type(model).__name__}; use "
                "noise='fit' or a number"
            )


def noise_scales_of(model: object, names: Iterable[Literal["gcv", "evidence"]]) -> dict[str, float]:
    """The named estimates of a fitted forecaster, in the units of its link."""
    names = tuple(names)
    check_estimates(model, names)
    return {name: model.noise_scale(name).scale for name in names if isinstance(model, NoiseEstimator)}


def report_of(model: object) -> str:
    """What a fitted forecaster chose, for people; empty where it chose nothing."""
    return model.report() if isinstance(model, Choosing) else ""


def record_of(model: object) -> list[dict[str, Any]] | None:
    """What a fitted forecaster chose, as plain values; None where it chose nothing."""
    return model.record() if isinstance(model, Choosing) else None
