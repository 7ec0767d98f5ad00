"""Moved to `ngrc.normal`."""

from ngrc.normal import gaussian_coverage, gaussian_radius

__all__ = ["gaussian_coverage", "gaussian_radius"]
