"""The stream that a run's methods saw, for further methods around the same forecasts."""

from ngrc.backtesting.results import Run
from ngrc.intervals.base import Stream
from ngrc.origins import clock_periods, context_of
from ngrc.series import Series


def stream_of(run: Run, series: Series) -> Stream:
    """Residuals, leverage, fit scale and context of a run over `series`, as `backtest` hands them to its methods.

    Other estimates of the noise, which `bayes` reads only where it is told to, are left out.
    """
    blocks, times = run.blocks, series.times
    known = blocks.history.stop
    periods = clock_periods(series.values[:known], None if times is None else times[:known])
    first = blocks.history.start
    context = context_of(run.forecasts[first : blocks.test.stop], periods, first, run.link)
    # The same at every level.
    tau_fit = next(iter(run.diagnostics.values())).tau_fit
    return blocks.stream(run.residuals, run.leverage, tau_fit, None, context)
