"""One series, forecast out of sample: every method around every forecast, with scores and diagnostics."""

from ngrc.backtesting.diagnostics import Diagnostics
from ngrc.backtesting.entry import backtest
from ngrc.backtesting.results import Backtest, Band, Run

__all__ = ["Backtest", "Band", "Diagnostics", "Run", "backtest"]
