"""Figures, one kind per file: axes in (`ax=`), axes out; matplotlib is the extra `ngrc[plot]`, loaded on first use."""

from ngrc.plot.band import band
from ngrc.plot.calibration import calibration
from ngrc.plot.coverage import coverage
from ngrc.plot.efficiency import efficiency
from ngrc.plot.phase import phase

__all__ = ["band", "calibration", "coverage", "efficiency", "phase"]
