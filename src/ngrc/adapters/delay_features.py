"""`DelayFeatures`: the feature map as a transformer of scikit-learn."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from ngrc._optional import load
from ngrc._types import AnyArray, FloatArray
from ngrc.features import Delays, FeatureMap, Group, Products, Scale, Seasonal
from ngrc.features.blocks import hstack
from ngrc.features.inputs import SERIES
from ngrc.features.monomials import monomial_count, monomials
from ngrc.features.scaling import as_scale
from ngrc.features.standard import Shape, standard_map
from ngrc.validation import check_count

load("sklearn", "sklearn", "DelayFeatures")

from sklearn.base import BaseEstimator, TransformerMixin  # noqa: E402
from sklearn.utils.validation import check_is_fitted, validate_data  # noqa: E402


class DelayFeatures(TransformerMixin, BaseEstimator):  # type: ignore[misc]
    """Delays, their products and seasonal delays of rows that each hold a stretch of the past.

    The columns are those of `NGRC` with the same parameters, the intercept aside. A row is what `delay_rows` makes: the
    last values up to an origin, oldest first. How far back they are read is then a parameter to be tuned, over one and
    the same set of rows.

    Parameters
    ----------
    lags, spacing
        Delay length k, or the lags themselves, 1 being the newest value; and their spacing s. None: all that a row has.
    degree, product_lags
        Highest degree of products, and how many delays are multiplied; all by default.
    periods, seasonal
        Periods in observations, and how many cycles back the values around the target's phase are read.
    horizon
        Steps from a row's newest value to the outcome, for seasonal delays, which lie around the target's phase.
    channels, across
        Channels of a row, one after the other, and whether delays of different channels are multiplied.
    scale
        (mean, std) that standardises the values, or one pair per channel; None: that of the newest values of the rows
        that are fitted, in which every observation of a series stands once.

    Attributes
    ----------
    map_
        The `FeatureMap`.
    scales_
        One `Scale` per channel.

    Examples
    --------
    >>> from ngrc.adapters.sklearn import delay_rows
    >>> X, y, _ = delay_rows(np.sin(np.arange(50.0)), width=6)
    >>> features = DelayFeatures(lags=2, spacing=3).fit(X)
    >>> features.transform(X).shape, features.get_feature_names_out().tolist()
    ((44, 5), ['x[t]', 'x[t-3]', 'x[t]^2', 'x[t]*x[t-3]', 'x[t-3]^2'])
    """

    def __init__(
        self,
        lags: int | Sequence[int] | None = None,
        *,
        spacing: int = 1,
        degree: int = 2,
        product_lags: int | None = None,
        periods: Sequence[float] = (),
        seasonal: int = 0,
        horizon: int = 1,
        channels: int = 1,
        across: bool = True,
        scale: Any = None,
    ) -> None:
        self.lags = lags
        self.spacing = spacing
        self.degree = degree
        self.product_lags = product_lags
        self.periods = periods
        self.seasonal = seasonal
        self.horizon = horizon
        self.channels = channels
        self.across = across
        self.scale = scale

    def fit(self, X: Any, y: Any = None) -> "DelayFeatures":
        """Settle the map and the scale; `y` is not read."""
        rows = validate_data(self, X, dtype=np.float64)
        channels, horizon = check_count(self.channels, "channels"), check_count(self.horizon, "horizon")
        width, left = divmod(rows.shape[1], channels)
        if left or not width:
            raise ValueError(
                f"rows of {channels} channels have as many columns of each, got n_features = {rows.shape[1]}; give "
                "rows of delay_rows, or other channels="
            )
        self.map_ = self._map(width, channels)
        self.horizon_ = horizon
        reach = self.map_.reach(horizon)
        if reach >= width:
            raise ValueError(
                f"the columns read {reach + 1} values back and a row has {width} (n_features = {rows.shape[1]}); make "
                f"rows with delay_rows(series, width={reach + 1}), or use fewer lags or cycles"
            )
        self.scales_ = self._scales(rows, width, channels)
        return self

    def transform(self, X: Any) -> FloatArray:
        """The columns of every row, shape (n, columns), in the order of `get_feature_names_out`."""
        check_is_fitted(self)
        rows = validate_data(self, X, dtype=np.float64, reset=False)
        width = rows.shape[1] // len(self.scales_)
        # Newest first: the value `step` steps before the origin stands in column `step`.
        values = {
            name: scale.standardise(rows[:, place * width : (place + 1) * width])[:, ::-1]
            for place, (name, scale) in enumerate(zip(_names(len(self.scales_)), self.scales_, strict=True))
        }
        parts = [_columns(group, values, self.horizon_) for group in self.map_.groups]
        return hstack(parts, len(rows))

    def get_feature_names_out(self, input_features: Any = None) -> AnyArray:
        """Names of the columns; t is the row's origin and t' the target's time."""
        check_is_fitted(self)
        if input_features is not None and len(input_features) != self.n_features_in_:
            raise ValueError(
                f"input_features should have length equal to number of features ({self.n_features_in_}), got "
                f"{len(input_features)}"
            )
        return np.array(self.map_.names(self.horizon_)[1:], dtype=object)

    def _map(self, width: int, channels: int) -> FeatureMap:
        lags = (width - 1) // check_count(self.spacing, "spacing") + 1 if self.lags is None else self.lags
        # Fourier terms need the time of a row, which it does not carry.
        shape = Shape(
            lags,
            spacing=self.spacing,
            degree=self.degree,
            product_lags=self.product_lags,
            periods=self.periods,
            harmonics=0,
            seasonal=self.seasonal,
            across=self.across,
        )
        return standard_map(shape, _names(channels))

    def _scales(self, rows: FloatArray, width: int, channels: int) -> tuple[Scale, ...]:
        if self.scale is None:
            return tuple(Scale.of(rows[:, (place + 1) * width - 1]) for place in range(channels))
        pairs = self.scale if np.ndim(self.scale) == 2 else [self.scale] * channels
        if len(pairs) != channels:
            raise ValueError(f"scale must be one pair (mean, std) or {channels}, got {len(pairs)}")
        return tuple(as_scale(pair) for pair in pairs)


def _names(channels: int) -> tuple[str, ...]:
    """Channels as `NGRC` calls them."""
    return (SERIES,) if channels == 1 else tuple(f"{SERIES}{place}" for place in range(channels))


def _columns(group: Group, values: dict[str, FloatArray], horizon: int) -> FloatArray:
    """Columns of one group of the map, from values by steps before the origin."""
    if isinstance(group, Delays):
        return values[group.channel][:, list(group.steps)]
    if isinstance(group, Seasonal):
        return values[group.channel][:, [step - horizon for step in group.steps(horizon)]]
    if isinstance(group, Products):
        factors = np.hstack([_columns(delays, values, horizon) for delays in group.delays])
        return monomials(factors, group.degree)[:, monomial_count(group.width, group.lowest - 1) :]
    raise TypeError(f"rows of the past alone cannot make {group!r}")
