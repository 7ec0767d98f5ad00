"""Several readouts over the same origins, from one decomposition: horizons, channels, or both."""

from ngrc.readout.tasks.fit import fit_tasks
from ngrc.readout.tasks.fitted import TaskReadout
from ngrc.readout.tasks.value import Tasks

__all__ = ["TaskReadout", "Tasks", "fit_tasks"]
