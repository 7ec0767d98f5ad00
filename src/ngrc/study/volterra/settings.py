"""The settings of Experiment 4: blocks, noise, model and methods (paper, section "Online robustness")."""

from ngrc.intervals import (
    Adaptive,
    Asymmetric,
    Bayes,
    Gaussian,
    IntervalMethod,
    ResCP,
    Rolling,
    Split,
    Weighted,
)
from ngrc.splits import FixedSizes

CHANGE = 160
"""Test step at which the noise's standard deviation rises from 0.15 to 0.35."""

LAGS, RIDGE = 20, 0.01
LOW, HIGH = 0.15, 0.35
"""Standard deviation of the noise before and after the change."""
BLOCKS = FixedSizes(fit=1600, calibration=800, test=800)

RESERVOIR = ResCP(temperature=0.1, window="fifo")
"""The demonstration's, with a fixed temperature; the experiment takes what its pilot chooses."""
METHODS: dict[str, IntervalMethod] = {
    "bayes": Bayes(),
    "split": Split(),
    "asymmetric": Asymmetric(),
    "rolling": Rolling(window=100),
    "gaussian": Gaussian(window=100),
    "adaptive": Adaptive(rate=0.01),
    "weighted": Weighted(decay=0.98),
    "rescp": RESERVOIR,
}
"""The settings of the paper's Experiment 4, which are not tuned: a steady past cannot tell how fast to adapt."""
