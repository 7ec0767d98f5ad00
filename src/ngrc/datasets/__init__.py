"""The paper's series from their original files, and simulated systems."""

from ngrc.datasets.catalogue import load, names
from ngrc.datasets.flows import double_scroll, lorenz63
from ngrc.datasets.registry import DatasetError
from ngrc.datasets.systems import gaussian_ar1, mackey_glass
from ngrc.datasets.volterra import volterra, volterra_observations
from ngrc.datasets.weather import beijing_channels

__all__ = [
    "DatasetError",
    "beijing_channels",
    "double_scroll",
    "gaussian_ar1",
    "load",
    "lorenz63",
    "mackey_glass",
    "names",
    "volterra",
    "volterra_observations",
]
