"""Which interval to trust on a user's own data, and why: facts, rules with stated thresholds, advice."""

from ngrc.diagnosis.advice import RULES, Advice, Rule, advise
from ngrc.diagnosis.dimension import HighDimension
from ngrc.diagnosis.entry import Diagnosis, diagnose
from ngrc.diagnosis.shape import ResidualShape, residual_shape

__all__ = [
    "RULES",
    "Advice",
    "Diagnosis",
    "HighDimension",
    "ResidualShape",
    "Rule",
    "advise",
    "diagnose",
    "residual_shape",
]
