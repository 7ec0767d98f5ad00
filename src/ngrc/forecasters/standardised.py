"""The shell of every forecaster that learns from a standardised series."""

from abc import ABC, abstractmethod
from typing import Any, ClassVar, Self

import numpy as np

from ngrc._params import Parameters
from ngrc._types import FloatArray
from ngrc.features.scaling import Scale, as_scale
from ngrc.validation import check_count, check_vector


class StandardisedForecaster(Parameters, ABC):
    """Fit and predict of the forecaster contract around two methods that see the standardised series.

    A subclass stores `horizon` and says what it learns from the fit targets (`_learn`) and what it forecasts
    for given targets (`_forecast`).

    Attributes
    ----------
    scale_
        `Scale` that standardises the series.
    """

    horizon: int
    least_rows: ClassVar[int] = 1

    @property
    @abstractmethod
    def first_target(self) -> int:
        """Smallest time for which there is a forecast."""

    @abstractmethod
    def _learn(self, z: FloatArray, targets: range) -> None:
        """Learn from the standardised series `z`, whose last observation is the last of the fit `targets`."""

    @abstractmethod
    def _forecast(self, z: FloatArray, targets: range) -> FloatArray:
        """Standardised forecasts of the `targets`, each from z[..t - horizon]."""

    def fit(self, y: Any, *, first: int = 0, scale: tuple[float, float] | None = None) -> Self:
        """Learn from the rows whose targets lie in max(first, first_target)..len(y)-1.

        Parameters
        ----------
        y
            Observations up to and including the last fit target, shape (n,).
        first
            First fit target.
        scale
            `Scale`, or any (mean, std) with std above zero, that standardises the series; that of `y` by default.
        """
        values = check_vector(y, "y")
        targets = range(max(check_count(first, "first", 0), self.first_target), values.size)
        if len(targets) < self.least_rows:
            raise ValueError(
                f"{type(self).__name__} needs at least {targets.start + self.least_rows} observations to fit "
                f"from target {targets.start} on, got {values.size}; give more or look back less"
            )
        self.scale_ = Scale.of(values) if scale is None else as_scale(scale)
        self._learn(self.scale_.standardise(values), targets)
        # `predict` compares: lags or a horizon changed after fit would address other columns than were learned.
        self._learned_with = self.get_params(deep=False)
        return self

    def predict(self, y: Any) -> FloatArray:
        """Forecasts by target time, shape (n,): entry t is made from y[..t-H], NaN before `first_target`."""
        self._check_fitted()
        values = check_vector(y, "y")
        targets = range(self.first_target, values.size)
        result = np.full(values.size, np.nan)
        if targets:
            result[targets.start :] = self._forecast(self.scale_.standardise(values), targets)
        return self.scale_.restore(result)

    def _check_fitted(self) -> None:
        name = type(self).__name__
        if not hasattr(self, "_learned_with"):
            raise ValueError(f"this {name} is not fitted yet; call fit first")
        now = self.get_params(deep=False)
        changed = [key for key, value in self._learned_with.items() if now[key] != value]
        if changed:
            raise ValueError(f"{', '.join(changed)} of this {name} changed after fit; call fit again")
