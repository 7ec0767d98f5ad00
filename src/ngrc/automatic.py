"""AutoNGRC: the forecaster that chooses its own columns, a shell around the search."""

from collections.abc import Iterable, Iterator, Sequence
from copy import copy
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Literal, Self

import numpy as np

from ngrc._params import Parameters
from ngrc._threads import one_thread
from ngrc._types import FloatArray
from ngrc.archive import KeepableModel
from ngrc.auto.fit import AutoFit, fit_ends
from ngrc.auto.plan import AutoPlan, check_ends
from ngrc.auto.selection import Selection
from ngrc.features.link import Link
from ngrc.features.transforms import Specification
from ngrc.fitted import Fitted, Sight
from ngrc.forecasters.facts import ModelFacts
from ngrc.forecasters.own import OwnJudgement
from ngrc.observed import observe
from ngrc.readout.coefficients import Coefficients
from ngrc.validation import check_count

if TYPE_CHECKING:
    from ngrc.theory.noise import NoiseScale


class AutoNGRC(KeepableModel, OwnJudgement, Parameters):
    """NGRC that needs no choosing: periods, lags, seasons, products, target, transform and penalty by validation.

    Candidates are compared on chronological folds inside the fit block, richer ones kept where they are better by more
    than a standard error, and the best few combined by validated weights into one readout.

    Parameters
    ----------
    horizon, path
        Steps H from a forecast's origin to its target; with `path` one readout per horizon 1..H.
    periods
        Periods in observations; None finds them from the times' spacing and from the series itself.
    transform
        "auto" chooses among none, root and log where the series allows them; None, or what `NGRC` takes.
    exog, known
        Columns of `exog` in `fit` that are read through the origin, and those known ahead.
    lower, upper
        Bounds that the series obeys, and forecasts with it.

    Attributes
    ----------
    selections_
        What each search did, one per band of horizons; print one to read it.
    fitted_
        One `Fitted` per band.
    ridge_, d_eff_, fit_scale_
        Penalty of the leading member, effective dimension, RMS of the fit residuals; arrays by horizon with `path`.

    Examples
    --------
    >>> wave = np.sin(0.3 * np.arange(400))
    >>> model = AutoNGRC().fit(wave)
    >>> bool(abs(model.forecast(wave)[0] - np.sin(0.3 * 400)) < 1e-3)
    True
    """

    # A forecast needs one observation at least; how far back the chosen columns reach is known after the fit.
    wants_times = True
    _fit_name = "state_"
    _fit_kind = AutoFit

    def __init__(
        self,
        horizon: int = 1,
        *,
        path: bool = False,
        periods: Sequence[float] | None = None,
        transform: Specification | Literal["auto"] = "auto",
        exog: Sequence[str] = (),
        known: Sequence[str] = (),
        lower: float | None = None,
        upper: float | None = None,
    ) -> None:
        self.horizon = horizon
        self.path = path
        self.periods = periods
        self.transform = transform
        self.exog = exog
        self.known = known
        self.lower = lower
        self.upper = upper

    @property
    def first_target(self) -> int:
        """First time that can be forecast, H steps after the first observation: by a naive forecast if need be."""
        return check_count(self.horizon, "horizon")

    @property
    def least_observations(self) -> int:
        """Fewest observations that `fit` takes: a last value to repeat."""
        return 1

    def fit(self, y: Any, *, exog: Any = None, times: Any = None, first: int = 0, scale: Any = None) -> Self:
        """Search and fit on every row of `y` whose target time is at least `first`; parameters as in `NGRC.fit`."""
        (fitted,) = self.fits(y, None, exog=exog, times=times, first=first, scale=scale)
        self._keep(fitted.state_)
        return self

    def fits(
        self,
        y: Any,
        ends: Iterable[int] | None,
        *,
        exog: Any = None,
        times: Any = None,
        first: int = 0,
        scale: Any = None,
        window: int | None = None,
    ) -> Iterator[Self]:
        """A fitted copy per end: the search is made at the first, and again where the series has doubled since.

        After a search on 24,000 rows, as many as any search reads, none follows. Of a series of up to 2,000
        observations it is made at the last end too. At every other end the members that were chosen are solved again on
        the rows known by then. The transform of the first search of more than 300 observations is that of all later
        ones.
        """
        observed = observe(y, exog, times, names=self.exog, known=self.known)
        plan = AutoPlan.of(self.get_params(deep=False), observed)
        all_ends = (observed.size,) if ends is None else check_ends(ends, observed.size)
        window = None if window is None else check_count(window, "window")
        walk = fit_ends(plan, observed, all_ends, first=first, scale=scale, window=window)
        for _ in all_ends:
            # Many small products, which on several threads would wait for each other; and one result on any machine.
            with one_thread():
                state = next(walk)
            other = copy(self)
            other._keep(state)
            yield other

    def _keep(self, state: AutoFit) -> None:
        self.state_ = state
        self.fitted_: tuple[Fitted, ...] = state.bands
        self.selections_: tuple[Selection, ...] = state.selections
        readouts = [readout for band in state.bands for readout in band.readouts]
        std = state.preparation.scales[0].std

        def shaped(numbers: Sequence[float]) -> Any:
            return np.array(numbers) if self.path else numbers[0]

        self.ridge_ = shaped([readout.penalty for readout in readouts])
        self.d_eff_ = shaped([readout.d_eff for readout in readouts])
        self.fit_scale_ = shaped([readout.fit_scale * std for readout in readouts])
        self.n_features_ = state.bands[-1].features
        self.n_rows_ = readouts[-1].count

    def predict(
        self, y: Any, *, exog: Any = None, times: Any = None, start: int = 0, since: int = 0
    ) -> FloatArray:
        """Forecasts by target time, shape (n,): entry t is made from y[..t-H]; parameters as in `NGRC.predict`."""
        sight = self._sights(y, exog, times, start)[-1]
        with one_thread():
            return sight.by_target(sight.forecasts, since)

    def predict_path(
        self, y: Any, *, exog: Any = None, times: Any = None, start: int = 0, since: int = 0
    ) -> FloatArray:
        """Forecasts of all horizons by target time, shape (n, H); entry (t, h - 1) is made h steps before t."""
        self._check_path()
        sights = self._sights(y, exog, times, start)
        result = np.full((sights[0].observed.size, self.horizon), np.nan)
        _write_paths(sights, result[since:], since)
        return result

    def recent_paths(
        self,
        y: Any,
        *,
        exog: Any = None,
        times: Any = None,
        start: int = 0,
        since: int = 0,
        before: int | None = None,
    ) -> FloatArray:
        """The same from the target `since` on, shape (n - since, H), and from origins before `before` alone."""
        self._check_path()
        sights = self._sights(y, exog, times, start)
        # The last rows alone: all of 2 million rows and 48 steps are 768 MB, made anew for every fit of a walk.
        result = np.full((max(sights[0].observed.size - since, 0), self.horizon), np.nan)
        _write_paths(sights, result, since, before)
        return result

    def leverage(
        self, y: Any, *, exog: Any = None, times: Any = None, start: int = 0, since: int = 0
    ) -> FloatArray:
        """Leverages by target time, aligned like `predict`."""
        sight = self._sights(y, exog, times, start)[-1]
        with one_thread():
            return sight.by_target(sight.leverage, since)

    def forecast(self, y: Any, *, exog: Any = None, times: Any = None, start: int = 0) -> FloatArray:
        """Forecasts of the H values that follow `y`, shape (H,); with `path` all made at the last observation."""
        sights = self._sights(y, exog, times, start, ahead=self.horizon)
        with one_thread():
            return np.concatenate([sight.ahead(sight.forecasts) for sight in sights])

    def forecast_leverage(self, y: Any, *, exog: Any = None, times: Any = None, start: int = 0) -> FloatArray:
        """Leverages of the rows behind `forecast`, of the same shape."""
        sights = self._sights(y, exog, times, start, ahead=self.horizon)
        with one_thread():
            return np.concatenate([sight.ahead(sight.leverage) for sight in sights])

    def link(self, channel: int = 0) -> Link:
        """Transform and bounds of the series, which intervals around the forecasts keep to."""
        self._check_fitted()
        return self.state_.preparation.links[channel]

    def facts(self) -> ModelFacts:
        """Size, penalty, effective dimension and fit scale of the longest horizon's readout."""
        self._check_fitted()
        band = self.fitted_[-1]
        readout = band.readouts[-1]
        return ModelFacts(
            features=self.n_features_,
            # Infinite where the leading member has no weights to penalise.
            ridge=readout.penalty if np.isfinite(readout.penalty) else None,
            d_eff=readout.d_eff,
            fit_scale=readout.fit_scale * band.preparation.scales[0].std,
            validation_rows=self.selections_[-1].rows,
        )

    def noise_scale(
        self, method: Literal["gcv", "evidence"] = "gcv", horizon: int | None = None, channel: int = 0
    ) -> "NoiseScale":
        """Noise of the fit rows in the series' own units, from the leading member; see `NGRC.noise_scale`."""
        from ngrc.noise import noise_of

        horizon = self.horizon if horizon is None else horizon
        with one_thread():
            return noise_of(self._band(horizon), method, horizon, channel)

    def coefficients(self, horizon: int | None = None) -> Coefficients:
        """Weights by feature name, in the standardised series' units; print it to read the model."""
        horizon = self.horizon if horizon is None else horizon
        return self._band(horizon).coefficients(horizon, 0)

    def equation(self, terms: int | None = 12, horizon: int | None = None) -> str:
        """The fitted model as one line, with its `terms` largest weights (None: all)."""
        return self.coefficients(horizon).equation(terms)

    def report(self) -> str:
        """What was tried and chosen, for people; `selections_[0].details()` has every candidate."""
        self._check_fitted()
        return "\n".join(str(selection) for selection in self.selections_)

    def record(self) -> list[dict[str, Any]]:
        """The same with every candidate, as plain values for JSON: one entry per band of horizons."""
        self._check_fitted()
        return [selection.plain() for selection in self.selections_]

    def _check_fitted(self) -> None:
        if not hasattr(self, "state_"):
            raise ValueError("this AutoNGRC is not fitted yet; call fit first")

    def _check_path(self) -> None:
        self._check_fitted()
        if not self.fitted_[0].path:
            raise ValueError("predict_path needs a model of all horizons; fit AutoNGRC(horizon=H, path=True)")

    def _band(self, horizon: int) -> Fitted:
        self._check_fitted()
        for band in self.fitted_:
            if horizon in band.horizons:
                return band
        raise ValueError(
            f"there is no readout of horizon {horizon}; the model has the horizons "
            f"{self.fitted_[0].horizons[0]} to {self.fitted_[-1].horizon}"
        )

    def _sights(self, y: Any, exog: Any, times: Any, start: int, ahead: int = 0) -> list[Sight]:
        """New data as every band sees it."""
        self._check_fitted()
        preparation = self.state_.preparation
        known = preparation.known
        names = tuple(name for name in preparation.beside if name not in known)
        if exog is not None and not preparation.beside:
            raise ValueError("this AutoNGRC was fitted without exog; leave exog out, or fit it with exog")
        observed = observe(y, exog, times, names=names, known=known, ahead=ahead)
        first = self.fitted_[0].see(observed, start)
        # All bands read the series by one preparation.
        return [replace(first, fitted=band) for band in self.fitted_]


def _write_paths(sights: Sequence[Sight], result: FloatArray, since: int, before: int | None = None) -> None:
    """What every band says of the targets from `since` on, shape (n - since, H)."""
    with one_thread():
        for sight in sights:
            horizons = sight.fitted.horizons
            sight.write_paths(result[:, horizons[0] - 1 : horizons[-1], np.newaxis], since, before)
