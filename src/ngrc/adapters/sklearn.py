"""Delay features and the ridge readout as estimators of scikit-learn, and the rows that both begin with."""

from ngrc.adapters.delay_features import DelayFeatures
from ngrc.adapters.delay_rows import delay_rows
from ngrc.adapters.ridge_readout import RidgeReadout

__all__ = ["DelayFeatures", "RidgeReadout", "delay_rows"]
