"""The ridge readout: sums, solution, penalty choice, leverage."""

from ngrc.readout.fit import fit_readout, select_readout
from ngrc.readout.fitted import Readout
from ngrc.readout.penalty import DEFAULT_RIDGES, PAPER_RIDGES, Validation, choose_penalty

__all__ = [
    "DEFAULT_RIDGES",
    "PAPER_RIDGES",
    "Readout",
    "Validation",
    "choose_penalty",
    "fit_readout",
    "select_readout",
]
