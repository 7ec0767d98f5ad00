"""NGRC: the forecaster, a shell around features and readout."""

from collections.abc import Iterator, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, Literal, Self

from ngrc._memo import Memo
from ngrc._params import Parameters
from ngrc._threads import threads_for
from ngrc._types import FloatArray
from ngrc.archive import KeepableModel
from ngrc.features import FeatureMap, Group, Target
from ngrc.features.calendar import has_calendar
from ngrc.features.distinct import check_periods
from ngrc.features.inputs import SERIES
from ngrc.features.link import Link
from ngrc.features.standard import Shape, standard_map
from ngrc.features.target import Kind
from ngrc.features.transforms import Specification
from ngrc.fitted import Fitted, Sight
from ngrc.forecasters.facts import ModelFacts
from ngrc.forecasters.own import OwnJudgement
from ngrc.observed import Observed, observe
from ngrc.plan import Plan, Solver, plan_of
from ngrc.readout import DEFAULT_RIDGES
from ngrc.readout.coefficients import Coefficients
from ngrc.readout.convention import Columns, Intercept
from ngrc.series.agreement import has_zone
from ngrc.validation import check_count

if TYPE_CHECKING:
    from ngrc.refitting import Stop
    from ngrc.theory.noise import NoiseScale

_PLANS: Memo[Plan] = Memo(most=64)


class NGRC(KeepableModel, OwnJudgement, Parameters):
    """Next Generation Reservoir Computing: ridge regression on delays, their products and thin extras.

    Parameters
    ----------
    lags, spacing
        Delay length k, or the lags themselves, 1 being the newest observation; and their spacing s.
    degree, product_lags
        Highest degree of products of delays (2 is the paper's map, 1 is linear), and how many delays, counted from the
        first, are multiplied; all by default.
    horizon, path
        Steps H from a forecast's origin to its target; the readout is fitted directly to that target. With `path` one
        readout per horizon 1..H is fitted, all from one decomposition.
    periods, harmonics
        Periods in observations, and how many harmonics of each enter as Fourier terms of the target's time.
    seasonal
        How many cycles back the values around the target's own phase are read, for every period.
    clock_lags
        How many delays, counted from the first, are multiplied with the Fourier terms.
    calendar, holidays, zone
        Parts of the target's date, of "hour", "weekday" and "month", that enter as indicator columns, and the country
        ("DE") or country and subdivision ("US", "CA") of a column of public holidays; the series needs times. Times
        with a zone are kept in UTC: `zone`, such as "Europe/Berlin", names the clock on which hours and days are told.
    half_lives
        Half-lives, in observations, of exponentially weighted means of the past.
    exog, known
        Columns of `exog` in `fit` that are read through the origin, and those that are known ahead and read at the
        target's time. With neither, all columns that `fit` is given are read through the origin.
    exog_lags
        Delays of every column that is read through the origin.
    across
        Whether delays of different channels of a vector series are multiplied with each other.
    target
        "level", "increment" (over the horizon) or "seasonal" (over the first period); forecasts are levels always.
    clip
        Share of the fit block's range by which inputs may exceed it before they are clipped; None clips nothing.
    transform
        Monotone transform of the series before anything else: "log", "root" (signed square root), "boxcox", or with a
        number ("log", shift), ("boxcox", lambda). Forecasts come back in the series' own units, as medians.
    lower, upper
        Bounds that the series obeys, and forecasts with it.
    map
        Groups of columns or a `FeatureMap`, instead of all arguments above that describe columns.
    ridge
        Penalty in the normalised convention; None chooses one of `ridges` by chronological validation. Zero is least
        squares, the solution of least norm where columns are collinear: singular values up to 1e-10 of the largest
        count as zero. An infinite one leaves no weight: the mean, or with a difference as the target the naive or
        seasonal naive forecast.
    ridges
        Candidates for that choice.
    intercept
        "free" (not penalised), "penalised", or "none".
    columns
        "standardised": the penalty falls on columns divided by their standard deviations; "raw": on columns as they
        are.
    solver
        "primal" (p x p moments), "dual" (n x n kernel: more columns than rows), or "auto", the cheaper of them.

    Attributes
    ----------
    scale_
        `Scale` that standardises the series; a tuple of them for a vector series.
    readout_
        `Readout`, frozen: coefficients, leverage, effective dimension; of the longest horizon and the first channel.
    fitted_
        `Fitted`, everything that the fit settled, with the readouts of all horizons and channels.
    validation_
        `Validation` scores of the penalty grid, or None when the penalty was fixed.
    ridge_, d_eff_, fit_scale_, n_features_, n_rows_
        Penalty used, effective dimension, RMS of the fit residuals in the series' own units (those of its transform,
        where it has one), number of
        columns with the intercept, number of fit rows. The first three are arrays, by horizon and channel, where
        several readouts were fitted.

    Notes
    -----
    With fewer than 1000 columns (fewer than 1000 rows where the kernel is solved) results are the same to the bit for
    any number of BLAS threads and in any process. Above, where a second thread saves time, another number of threads
    changes forecasts in their last bits, and not which penalty is chosen: errors within 1e-9 of the smallest count as
    equal, and the first penalty of them is taken.

    Examples
    --------
    >>> import numpy as np
    >>> wave = np.sin(0.3 * np.arange(200))
    >>> model = NGRC(lags=2, degree=1, ridge=1e-9).fit(wave)
    >>> model.forecast(wave).round(6), np.sin(0.3 * 200).round(6)
    (array([-0.304811]), np.float64(-0.304811))
    >>> NGRC(lags=2, degree=1, horizon=3, path=True).fit(wave).predict_path(wave).shape
    (200, 3)
    """

    _fit_name = "fitted_"
    _fit_kind = Fitted

    def __init__(
        self,
        lags: int | Sequence[int] = 12,
        *,
        spacing: int = 1,
        degree: int = 2,
        product_lags: int | None = None,
        horizon: int = 1,
        path: bool = False,
        periods: Sequence[float] = (),
        harmonics: int = 2,
        seasonal: int = 0,
        clock_lags: int = 0,
        calendar: Sequence[str] = (),
        holidays: str | tuple[str, str] | None = None,
        zone: str | None = None,
        half_lives: Sequence[float] = (),
        exog: Sequence[str] = (),
        known: Sequence[str] = (),
        exog_lags: int | Sequence[int] = 3,
        across: bool = True,
        target: Kind = "level",
        clip: float | None = None,
        transform: Specification = None,
        lower: float | None = None,
        upper: float | None = None,
        map: Sequence[Group] | FeatureMap | None = None,
        ridge: float | None = None,
        ridges: Sequence[float] = DEFAULT_RIDGES,
        intercept: Intercept = "free",
        columns: Columns = "standardised",
        solver: Solver = "auto",
    ) -> None:
        self.lags = lags
        self.spacing = spacing
        self.degree = degree
        self.product_lags = product_lags
        self.horizon = horizon
        self.path = path
        self.periods = periods
        self.harmonics = harmonics
        self.seasonal = seasonal
        self.clock_lags = clock_lags
        self.calendar = calendar
        self.holidays = holidays
        self.zone = zone
        self.half_lives = half_lives
        self.exog = exog
        self.known = known
        self.exog_lags = exog_lags
        self.across = across
        self.target = target
        self.clip = clip
        self.transform = transform
        self.lower = lower
        self.upper = upper
        self.map = map
        self.ridge = ridge
        self.ridges = ridges
        self.intercept = intercept
        self.columns = columns
        self.solver = solver

    @property
    def feature_map(self) -> FeatureMap:
        """The columns that the parameters ask for, of a scalar series."""
        return self._map((SERIES,), tuple(self.exog))

    @property
    def goal(self) -> Target:
        """What the readout is fitted to."""
        period = next(iter(check_periods(self.periods)), None) if self.target == "seasonal" else None
        return Target(self.target, period)

    @property
    def wants_times(self) -> bool:
        """Whether `fit` and `predict` need the times of the rows."""
        return has_calendar(self.feature_map)

    @property
    def first_target(self) -> int:
        """First time that can be forecast: H steps after the first origin with a full row, (k-1)s + H of k lags."""
        return self._plan().first_target

    def fit(
        self,
        y: Any,
        *,
        exog: Any = None,
        times: Any = None,
        first: int = 0,
        scale: Any = None,
    ) -> Self:
        """Fit the readout to every row of `y` whose target time is at least `first`.

        Parameters
        ----------
        y
            Series, shape (n,), or a vector of series, shape (n, channels): finite.
        exog
            Columns beside the series: a frame, a mapping or an array of n rows.
        times
            Times of the rows, for calendar columns; by default those that `y` carries.
        first
            First target time to use; targets from max(first, first_target) to n - 1 are fitted. With `path` it is that
            of the longest horizon, and the others have the same origins.
        scale
            `Scale`, or any (mean, std) with std above zero, that standardises the series; by default that of `y`,
            population convention. One for all channels of a vector series, or a sequence of them.
        """
        plan, observed = self._prepared(y, exog, times)
        with threads_for(plan.decomposed(observed.size)):
            return self._keep(plan.fit(observed, first, scale))

    def fits(
        self,
        y: Any,
        ends: Sequence[int],
        *,
        exog: Any = None,
        times: Any = None,
        first: int = 0,
        scale: Any = None,
        window: int | None = None,
    ) -> Iterator[Self]:
        """A fitted copy for each of the rising `ends`, of the observations before it; this model stays as it is.

        Rows are summed once: a refit adds the moments of the new ones and solves again, at the scale of the first fit
        and at a penalty that is chosen at the first fit and whenever the rows have doubled since. With a transform, a
        clip or the kernel solver every fit is one of its own.

        Parameters
        ----------
        y, exog, times, first, scale
            As in `fit`; `scale` is by default that of the observations before the first end.
        ends
            Numbers of observations, in rising order.
        window
            How many observations before an end are fitted; None: all. Columns may read older ones.

        Examples
        --------
        >>> import numpy as np
        >>> y = np.random.default_rng(0).normal(size=300)
        >>> [model.n_rows_ for model in NGRC(lags=3, ridge=0.1).fits(y, (100, 200, 300))]
        [97, 197, 297]
        """
        for stop in self.stops(y, ends, exog=exog, times=times, first=first, scale=scale, window=window):
            yield self.at(stop)

    def stops(
        self,
        y: Any,
        ends: Sequence[int],
        *,
        exog: Any = None,
        times: Any = None,
        first: int = 0,
        scale: Any = None,
        window: int | None = None,
    ) -> "Iterator[Stop]":
        """The fits of `fits` as far as their forecasts need them; `at` makes a fitted copy of one."""
        # Imported here: most models are fitted once.
        from ngrc.refitting import fit_at

        plan, observed = self._prepared(y, exog, times)
        walk = fit_at(plan, observed, ends, first, scale, window)
        while True:
            with threads_for(plan.decomposed(observed.size)):
                stop = next(walk, None)
            if stop is None:
                return
            yield stop

    def at(self, stop: "Stop") -> Self:
        """A copy of this model, fitted as at one of its `stops`."""
        fitted = stop.fitted()
        with threads_for(fitted.decomposed):
            return type(self)(**self.get_params(deep=False))._keep(fitted)

    def _prepared(self, y: Any, exog: Any, times: Any) -> tuple[Plan, Observed]:
        """The plan of a fit, and what it is fitted to."""
        if self.zone is not None and has_zone(y) is False:
            raise ValueError(
                f"zone={self.zone!r} is for times with a zone, which are kept in UTC, and those of y have none; leave "
                "zone out: the calendar reads such times as they stand"
            )
        observed = observe(y, exog, times, names=self.exog, known=self.known)
        absent = [name for name in (*self.exog, *self.known) if name not in observed.beside]
        if absent:
            raise ValueError(
                f"{', '.join(absent)} {'is' if len(absent) == 1 else 'are'} declared, and fit got no exog; give exog "
                "with that column, or do not declare it"
            )
        beside = tuple(name for name in observed.beside if name not in self.known)
        return self._plan(observed.names, beside), observed

    def _keep(self, fitted: Fitted) -> Self:
        """Store what was learned, with the parameters it was learned under."""
        # Apart from the constructor's arguments: set_params after fit must not change what the readout is applied to.
        self.fitted_ = fitted
        self.readout_ = fitted.readout(fitted.horizon)
        self.validation_ = None if fitted.validations is None else fitted.validations[-len(fitted.channels)]
        scales = fitted.preparation.scales
        # A `Scale`, or one per channel: which of the two follows from the series alone, not from the code.
        self.scale_: Any = scales if fitted.vector else scales[0]
        stds = [scale.std for scale in scales] * len(fitted.horizons)
        self.ridge_ = fitted.shaped([readout.penalty for readout in fitted.readouts])
        self.d_eff_ = fitted.shaped([readout.d_eff for readout in fitted.readouts])
        self.fit_scale_ = fitted.shaped(
            [readout.fit_scale * std for readout, std in zip(fitted.readouts, stds, strict=True)]
        )
        self.n_features_ = fitted.features
        self.n_rows_ = self.readout_.count
        return self

    def predict(
        self, y: Any, *, exog: Any = None, times: Any = None, start: int = 0, since: int = 0
    ) -> FloatArray:
        """Forecasts by target time: entry t is made from y[..t-H], NaN where no forecast can be made.

        Parameters
        ----------
        y
            Series, shape (n,), or (n, channels); the forecasts have the same shape.
        exog, times
            As in `fit`.
        start
            Time index of y[0] counted from the first fitted observation, for the Fourier phase. Memory
            columns begin anew at y[0].
        since
            First target that is wanted; those before it are NaN, and cost nothing.
        """
        sight = self._sight(y, exog, times, start)
        with threads_for(self.fitted_.decomposed):
            return sight.by_target(sight.forecasts, since)

    def predict_path(
        self,
        y: Any,
        *,
        exog: Any = None,
        times: Any = None,
        start: int = 0,
        since: int = 0,
        before: int | None = None,
    ) -> FloatArray:
        """Forecasts of all horizons by target time, shape (n, H) or (n, H, channels); parameters as in `predict`.

        Entry (t, h - 1) is the forecast for time t, made h steps before: column h - 1 is what `predict` gives with the
        horizon h. Forecasts from the origin `before` on are left out, and NaN; None: none is.
        """
        sight = self._sight(y, exog, times, start)
        if not self.fitted_.path:
            raise ValueError("predict_path needs a model of all horizons; fit NGRC(horizon=H, path=True)")
        with threads_for(self.fitted_.decomposed):
            paths = sight.paths(since, before)
        return paths if self.fitted_.vector else paths[:, :, 0]

    def leverage(
        self, y: Any, *, exog: Any = None, times: Any = None, start: int = 0, since: int = 0
    ) -> FloatArray:
        """Leverages r'(R'R + n lambda D)^-1 r by target time, aligned like `predict`."""
        sight = self._sight(y, exog, times, start)
        with threads_for(self.fitted_.decomposed):
            return sight.by_target(sight.leverage, since)

    def forecast(self, y: Any, *, exog: Any = None, times: Any = None, start: int = 0) -> FloatArray:
        """Forecasts of the H values that follow `y`, shape (H,) or (H, channels).

        Each is made H steps before, from an origin of its own; with `path` all are made at the last observation.
        """
        self._check_fitted()
        sight = self._sight(y, exog, times, start, self.fitted_.horizon)
        with threads_for(self.fitted_.decomposed):
            return sight.ahead(sight.forecasts)

    def forecast_leverage(self, y: Any, *, exog: Any = None, times: Any = None, start: int = 0) -> FloatArray:
        """Leverages of the rows behind `forecast`, of the same shape."""
        self._check_fitted()
        sight = self._sight(y, exog, times, start, self.fitted_.horizon)
        with threads_for(self.fitted_.decomposed):
            return sight.ahead(sight.leverage)

    def free_run(self, y: Any, steps: int, *, times: Any = None, start: int = 0) -> FloatArray:
        """Continue `y` by feeding every one-step forecast back, shape (steps,) or (steps, channels).

        Parameters
        ----------
        y
            History, shape (n,) or (n, channels), at least (k-1)s + 1 values.
        steps
            How many values to produce.
        times
            Times of the rows of `y`, for calendar columns; by default those that `y` carries.
        start
            Time index of y[0] counted from the first fitted observation.
        """
        # Imported here: it loads a kernel that most models never run.
        from ngrc.running import check_running, run_freely

        self._check_fitted()
        check_running(self.fitted_)
        sight = self._sight(y, None, times, start, check_count(steps, "steps"))
        with threads_for(self.fitted_.decomposed):
            values = run_freely(sight, steps)
        return values if self.fitted_.vector else values[:, 0]

    def link(self, channel: int = 0) -> Link:
        """Transform and bounds of the series (of one channel), which intervals around the forecasts keep to."""
        self._check_fitted()
        return self.fitted_.preparation.links[channel]

    def facts(self) -> ModelFacts:
        """Size, penalty, effective dimension and fit scale of the fitted model, for reports and diagnostics."""
        self._check_fitted()
        fitted, readout = self.fitted_, self.readout_
        core = fitted.feature_map.core
        return ModelFacts(
            lags=self.fitted_.reach(fitted.horizon) + 1 if core is None else core.lags,
            features=self.n_features_,
            ridge=readout.penalty,
            d_eff=readout.d_eff,
            fit_scale=readout.fit_scale * fitted.preparation.scales[0].std,
            validation_rows=None if self.validation_ is None else self.validation_.rows,
        )

    def noise_scale(
        self, method: Literal["gcv", "evidence"] = "gcv", horizon: int | None = None, channel: int = 0
    ) -> "NoiseScale":
        """Noise of the fit rows in the series' own units, consistent where d_eff/n is not small; `fit_scale_` is not.

        From the readout's own decomposition, at a penalty that "gcv" or "evidence" chooses for this purpose; see
        `ngrc.theory.noise_scale`. An error where the columns interpolate every row. Of several readouts it is that of
        one horizon, by default the longest, and one channel, by default the first.

        Examples
        --------
        >>> import numpy as np
        >>> y = np.random.default_rng(0).normal(0.0, 2.0, 300)
        >>> model = NGRC(lags=10, ridge=1e-3).fit(y)
        >>> round(model.fit_scale_, 2), round(model.noise_scale().scale, 2)
        (1.88, 2.06)
        """
        # Imported here: it loads an optimiser that most models never run.
        from ngrc.noise import noise_of

        self._check_fitted()
        with threads_for(self.fitted_.decomposed):
            return noise_of(
                self.fitted_, method, self.fitted_.horizon if horizon is None else horizon, channel
            )

    def coefficients(self, horizon: int | None = None, channel: int = 0) -> Coefficients:
        """Weights by feature name, in the standardised series' units; print it to read the model.

        Parameters
        ----------
        horizon, channel
            Which readout, where there are several: by default that of the longest horizon and the first channel.
        """
        self._check_fitted()
        return self.fitted_.coefficients(self.fitted_.horizon if horizon is None else horizon, channel)

    def equation(self, terms: int | None = 12) -> str:
        """The fitted model as one line, with its `terms` largest weights (None: all)."""
        return self.coefficients().equation(terms)

    def _check_fitted(self) -> None:
        if not hasattr(self, "fitted_"):
            raise ValueError("this NGRC is not fitted yet; call fit first")

    def _sight(self, y: Any, exog: Any, times: Any, start: int, ahead: int = 0) -> Sight:
        """New data as the fitted model sees it; so many steps after it are going to be forecast."""
        self._check_fitted()
        known = self.fitted_.preparation.known
        names = tuple(name for name in self.fitted_.preparation.beside if name not in known)
        if exog is not None and not self.fitted_.preparation.beside:
            raise ValueError("this NGRC was fitted without exog; leave exog out, or fit it with exog")
        observed = observe(y, exog, times, names=names, known=known, ahead=ahead)
        if has_calendar(self.fitted_.feature_map):
            # The coming targets have dates too.
            observed = observed.reaching(ahead)
        return self.fitted_.see(observed, start)

    def _plan(self, channels: tuple[str, ...] = (SERIES,), exog: tuple[str, ...] | None = None) -> Plan:
        """The parameters, checked, for a series of these channels and columns beside it."""
        given, beside = self.get_params(deep=False), tuple(self.exog) if exog is None else exog
        make = partial(self._new_plan, given, channels, beside)
        # A class made from NGRC may see other columns in the same parameters.
        return _PLANS.get((channels, beside, *given.values()), make) if type(self) is NGRC else make()

    def _new_plan(self, given: dict[str, Any], channels: tuple[str, ...], exog: tuple[str, ...]) -> Plan:
        self._check_map(given)
        return plan_of(given, self._map(channels, exog), self.goal, channels)

    def _check_map(self, given: dict[str, Any]) -> None:
        """Refuse arguments beside `map=` that say which columns there are: the map alone does."""
        if self.map is None:
            return
        defaults = self._defaults()
        names = [name for name in Shape.__dataclass_fields__ if name not in ("periods", "exog", "known")]
        idle = [name for name in names if given[name] != defaults[name]]
        if idle:
            raise ValueError(
                f"map= says which columns there are; leave {', '.join(idle)} out, or put it in the map"
            )

    def _map(self, channels: tuple[str, ...], exog: tuple[str, ...]) -> FeatureMap:
        if self.map is not None:
            return self.map if isinstance(self.map, FeatureMap) else FeatureMap(self.map)
        arguments = {name: getattr(self, name) for name in Shape.__dataclass_fields__}
        return standard_map(Shape(**{**arguments, "exog": exog}), channels)
