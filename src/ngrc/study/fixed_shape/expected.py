"""What Experiment 1 should show at its very sizes: the limit of the theorem and every known shift from it."""

from dataclasses import dataclass

import numpy as np

from ngrc._normal import gaussian_radius
from ngrc.study.fixed_shape.cells import CALIBRATION, FIT, READOUT, RIDGE
from ngrc.study.simulated.blur import BlurredLaw
from ngrc.study.simulated.finite import expected_coverage, expected_score
from ngrc.study.simulated.mean_square import mean_square_law
from ngrc.theory import (
    ResidualLaw,
    fixed_dimension,
    limiting_risk,
    limiting_training_scale,
    resolvent_limits,
)


@dataclass(frozen=True, slots=True)
class Expected:
    """Expectations at one level, in the order of the measures."""

    width_difference: float
    bayes_coverage: float
    split_coverage: float


class FiniteShape:
    """Expectations of Experiment 1 for one residual law, at n fitted rows, p features and m scores.

    With x = p/n: RSS/e'e has the mean of (1 - x) plus what the penalty leaves, whatever the law of e, because a
    Gaussian design looks the same from every direction of e; so the training RMS is the root of that times the RMS of
    the noise itself, whose law is convolved exactly. The posterior adds x to the variance. A new residual is e plus an
    independent normal estimation error of variance x. The conformal quantile has the mean of its order statistic, and
    covers k/(m + 1) exactly. What is left out is of order x^2/p, 1e-5: the spread of the leverage over test rows.

    Parameters
    ----------
    law
        The residuals.
    rows, columns, scores
        n, p and m.
    """

    def __init__(
        self, law: ResidualLaw, *, rows: int = FIT, columns: int = READOUT.size, scores: int = CALIBRATION
    ) -> None:
        ratio, signal = columns / rows, float(np.linalg.norm(READOUT))
        self._law, self._scores = law, scores
        self.scale_ratio = limiting_training_scale(ratio, RIDGE, signal, law.rms) / law.rms**2
        """E[RSS/e'e], the training mean square over that of the noise drawn."""
        spread = 1.0 + ratio * resolvent_limits(ratio, RIDGE).I1
        self._squares = mean_square_law(law, rows)
        # Radius over z, for every value that the mean square of the noise may take.
        self._radii = np.sqrt(self._squares.values * self.scale_ratio * spread)
        self._residual = BlurredLaw(law, limiting_risk(ratio, RIDGE, signal, law.rms) - law.rms**2)

    def at(self, level: float) -> Expected:
        """Expectations at one level."""
        limit, normal = fixed_dimension(self._law, level), gaussian_radius(level)
        radii = normal * self._radii
        score = expected_score(self._residual.quantile, self._scores, level)
        # The theorem's own numbers, moved by the sample's distance from the limit, which is taken without them: an
        # error on either side shows.
        widths = 2.0 * (self._squares.expectation(radii) - score)
        known = 2.0 * (normal * self._law.rms - self._law.absolute_quantile(level))
        # Over the spread of the scale as well: coverage bends in the radius.
        covered = self._squares.expectation(self._residual.share(radii))
        return Expected(
            width_difference=limit.difference + (widths - known),
            bayes_coverage=limit.coverage_bayes + (covered - self._law.absolute_cdf(normal * self._law.rms)),
            split_coverage=expected_coverage(self._scores, level),
        )
