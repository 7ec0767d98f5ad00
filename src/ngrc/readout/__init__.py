"""The ridge readout: sums, solution, penalty choice, leverage."""

from ngrc.readout.explicit import RidgeSolution, ridge_path, ridge_solve
from ngrc.readout.fit import fit_readout, select_readout
from ngrc.readout.fitted import Readout
from ngrc.readout.penalty import DEFAULT_RIDGES, PAPER_RIDGES, Validation, choose_penalty

__all__ = [
    "DEFAULT_RIDGES",
    "PAPER_RIDGES",
    "Readout",
    "RidgeSolution",
    "Validation",
    "choose_penalty",
    "fit_readout",
    "ridge_path",
    "ridge_solve",
    "select_readout",
]
