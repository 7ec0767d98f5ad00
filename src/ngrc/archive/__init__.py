"""A value in a file: arrays and JSON, versioned and checksummed; no pickle, and nothing that a file names is run."""

from ngrc.archive.entry import dumps, load, loads, save
from ngrc.archive.keepable import Keepable, KeepableModel, check_floats, check_shape, check_that

__all__ = [
    "Keepable",
    "KeepableModel",
    "check_floats",
    "check_shape",
    "check_that",
    "dumps",
    "load",
    "loads",
    "save",
]
