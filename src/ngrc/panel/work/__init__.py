"""What can be asked of each series: forecasts, scores of a backtest, forecasts from several cutoffs."""

from ngrc.panel.work.cutoffs import Rolling
from ngrc.panel.work.forecasting import Forecasting
from ngrc.panel.work.scoring import Scoring

__all__ = ["Forecasting", "Rolling", "Scoring"]
