"""Many series: a long frame in, a long frame out, on one machine or on many."""

from ngrc.panel.answers import Answer, PanelWarning
from ngrc.panel.entry import (
    answered,
    backtest,
    backtests,
    cross_validation,
    cross_validations,
    forecast,
    forecasts,
)
from ngrc.panel.layout import Layout
from ngrc.panel.parquet import Manifest, answer_parquet, forecast_parquet
from ngrc.panel.partition import partition
from ngrc.panel.task import Task
from ngrc.panel.work import Forecasting, Rolling, Scoring
from ngrc.series.long import long_from_frame, read_long

__all__ = [
    "Answer",
    "Forecasting",
    "Layout",
    "Manifest",
    "PanelWarning",
    "Rolling",
    "Scoring",
    "Task",
    "answer_parquet",
    "answered",
    "backtest",
    "backtests",
    "cross_validation",
    "cross_validations",
    "forecast",
    "forecast_parquet",
    "forecasts",
    "long_from_frame",
    "partition",
    "read_long",
]
