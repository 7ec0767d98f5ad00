"""What the paper prints of Experiment 4, typed in once."""

from typing import NamedTuple

REPS = 100
"""Paired replications behind every printed row."""
CHANGE = 160
"""The printed test step of the change; typed here again, so that moving the one in `settings` is noticed."""
LOW, HIGH = 0.15, 0.35
"""The printed noise scales, again not those of `settings`."""

TITLES = {
    "bayes": "Bayesian (frozen scale)",
    "split": "SCP (frozen quantile)",
    "rolling": "Rolling SCP",
    "gaussian": "Updated Gaussian",
    "adaptive": "Adaptive CP",
    "weighted": "Time-weighted CP",
    "rescp-all": "ResCP (all history)",
    "rescp-fifo": "ResCP (shift-aware FIFO, N = 800)",
}


class Row(NamedTuple):
    """Five means with standard errors, replications of 100 that recovered, and their mean delay."""

    measures: tuple[str, ...]
    recovered: int
    delay: str | None = None


ROWS = {
    "bayes": Row(("0.941±0.001", "0.624±0.001", "0.702±0.005", "0.726±0.001", "0.858±0.003"), 0),
    "split": Row(("0.949±0.001", "0.645±0.002", "0.606±0.008", "0.595±0.003", "0.645±0.002"), 0),
    "rolling": Row(("0.950±0.000", "0.656±0.002", "0.794±0.004", "0.935±0.001", "1.502±0.006"), 62, "592.6±5.1"),
    "gaussian": Row(("0.947±0.001", "0.643±0.002", "0.756±0.005", "0.929±0.001", "1.458±0.005"), 58, "587.2±5.5"),
    "adaptive": Row(("0.949±0.000", "0.650±0.002", "0.832±0.003", "0.938±0.000", "1.544±0.007"), 80, "546.6±9.8"),
    "weighted": Row(("0.945±0.000", "0.642±0.002", "0.828±0.004", "0.933±0.000", "1.476±0.006"), 76, "574.4±7.6"),
    "rescp-all": Row(("0.911±0.001", "0.583±0.002", "0.602±0.006", "0.815±0.001", "1.127±0.005"), 11, "610.3±13.7"),
    "rescp-fifo": Row(("0.901±0.001", "0.571±0.002", "0.602±0.006", "0.830±0.001", "1.177±0.005"), 17, "603.3±9.8"),
}  # fmt: skip

HALVED = {"coverage": "3.6e-4", "width": "6.3e-5", "delay": "2.24"}
"""Largest changes of a summary when the integration step is halved."""
