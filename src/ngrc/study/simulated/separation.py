"""Panels by forecast-origin separation, which two experiments draw."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from ngrc._types import FloatArray
from ngrc.study.harness.estimate import Estimate, standard_error
from ngrc.study.harness.figure import LOOKS, points
from ngrc.study.simulated.transfer import CASES, SEPARATIONS
from ngrc.study.simulated.trial import MEASURES


def transfer_distances(axes: Any, transfer: FloatArray, distances: Sequence[Estimate]) -> None:
    """Width distribution against independent windows, and residual against normal, by separation."""
    widths = np.array([(distance.mean, distance.error) for distance in distances]).T
    points(
        axes, range(len(SEPARATIONS)), widths[0], widths[1], LOOKS[2], "width to benchmark", linestyle="-."
    )
    residual = transfer[..., MEASURES.index("residual_ks")]
    points(axes, range(len(CASES)), residual.mean(axis=0), standard_error(residual), LOOKS[3], "residual to normal",
           linestyle=":")  # fmt: skip
    separation_axis(axes)
    axes.set(ylabel="KS distance", ylim=(0.0, None))
    axes.legend(fontsize=8)


def separation_axis(axes: Any) -> None:
    """The four separations and the independent benchmark at equal distances."""
    axes.set_xticks(range(len(CASES)), [*CASES[:-1], "indep."])
    axes.set(xlabel="forecast-origin separation", xlim=(-0.4, len(CASES) - 0.6))
