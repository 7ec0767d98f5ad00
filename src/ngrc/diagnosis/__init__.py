"""Which interval to trust on a user's own data, what the forecast leaves undone, and why."""

from ngrc.diagnosis.advice import RULES, Advice, Rule, advise
from ngrc.diagnosis.beaten import Comparison
from ngrc.diagnosis.dimension import HighDimension
from ngrc.diagnosis.entry import Diagnosis, diagnose, diagnose_backtest
from ngrc.diagnosis.evidence import Evidence, Trial
from ngrc.diagnosis.finding import Finding
from ngrc.diagnosis.forecast import ForecastCheck
from ngrc.diagnosis.shape import ResidualShape, residual_shape

__all__ = [
    "RULES",
    "Advice",
    "Comparison",
    "Diagnosis",
    "Evidence",
    "Finding",
    "ForecastCheck",
    "HighDimension",
    "ResidualShape",
    "Rule",
    "Trial",
    "advise",
    "diagnose",
    "diagnose_backtest",
    "residual_shape",
]
