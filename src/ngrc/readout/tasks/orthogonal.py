"""The design's own singular values for many tasks: one QR decomposition per set of columns."""

from collections.abc import Sequence

import numpy as np

from ngrc.readout.gram import Gram
from ngrc.readout.orthogonal import standardised_triangle
from ngrc.readout.spectrum import Regression
from ngrc.readout.tasks.value import Tasks


def task_spectra(tasks: Tasks, grams: Sequence[Gram], places: Sequence[int]) -> dict[int, Regression]:
    """By task, the spectrum of its design with its own target; `design_spectrum` of each, from few decompositions.

    Tasks that share their moments' matrix have the same columns: their targets stand side by side in one QR.
    """
    families: dict[int, list[int]] = {}
    for place in dict.fromkeys(places):
        families.setdefault(id(grams[place].matrix), []).append(place)
    spectra: dict[int, Regression] = {}
    for family in families.values():
        targets = np.stack([tasks.rows[place].target - grams[place].target_mean for place in family], axis=1)
        lead = family[0]
        triangle = standardised_triangle(tasks.rows[lead], grams[lead], targets)
        spectra |= dict(zip(family, Regression.of_triangles(triangle, tasks.count, len(family)), strict=True))
    return spectra
