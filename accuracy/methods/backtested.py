"""The automatic model with the automatic interval, by `ngrc.backtest`: residuals of the walk calibrate."""

from dataclasses import dataclass
from time import process_time

from accuracy.methods.base import LEVEL, Forecasts
from accuracy.schedule import Schedule
from accuracy.series import LongSeries
from accuracy.walk import Walk
from ngrc._shares import share
from ngrc.splits import Blocks, WalkForward

METHOD = "auto"
"""The interval method around the automatic model."""


@dataclass(frozen=True, slots=True)
class ScheduledWalk:
    """`WalkForward` up to the test block, then the schedule's own fits: the targets and ends of every peer."""

    plan: Schedule

    def splits(self, n: int, first_target: int, horizon: int) -> tuple[Blocks, ...]:
        """The one walk; its test block are the targets of the schedule's origins."""
        usual = WalkForward()
        fit = share(usual.fit, n - first_target)
        end, first = first_target + fit, self.plan.ends[0]
        refits = usual.refits[0]
        before = [end + (first - end) * step // refits for step in range(1, refits + 1)]
        start = int(self.plan.origins[0]) + horizon
        return (
            Blocks(
                start=first_target,
                fit_rows=fit,
                calibration_rows=start - end,
                test_rows=self.plan.origins.size,
                horizon=horizon,
                scale_end=end,
                # The last of those before the test block is the schedule's first.
                ends=(*before, *self.plan.ends[1:]),
            ),
        )


def backtested(series: LongSeries, plan: Schedule) -> Walk:
    """Forecasts with ends for every origin of the plan, horizons 1 and one season."""
    import ngrc

    observed = ngrc.as_series(series.values, time=series.times)
    forecasts: dict[int, Forecasts] = {}
    seconds: dict[int, float] = {}
    for horizon in (1, series.season):
        begin = process_time()
        run = ngrc.backtest(
            observed, ngrc.AutoNGRC(horizon=horizon), methods=[METHOD], level=LEVEL, split=ScheduledWalk(plan)
        ).run(horizon)
        seconds[horizon] = process_time() - begin
        (band,) = run.bands
        forecasts[horizon] = Forecasts(run.forecasts[run.blocks.test], band.lower, band.upper)
    return Walk(plan.origins, forecasts, seconds)
