"""Proportional dimension: closed Marchenko-Pastur limits, the phase boundary and the optimal penalty."""

from dataclasses import dataclass
from math import hypot, isclose, sqrt
from typing import Literal

from ngrc._normal import gaussian_coverage, gaussian_radius
from ngrc.theory._check import check_nonnegative
from ngrc.validation import check_positive

Ordering = Literal["bayes wider", "equal", "conformal wider"]


@dataclass(frozen=True, slots=True)
class ResolventLimits:
    """Limits of normalised resolvent traces of an isotropic design, p/n -> gamma."""

    I1: float
    """lim tr(A)/p, the integral of 1/(x + lambda)"""
    I2: float
    """lim tr(A^2)/p, the integral of 1/(x + lambda)^2"""
    J: float
    """lim tr(A S A)/p = I1 - lambda I2, the integral of x/(x + lambda)^2"""


def _root(gamma: float, ridge: float) -> float:
    """D = sqrt(b^2 + 4 gamma lambda), b = 1 - gamma + lambda, without overflow."""
    return hypot(1.0 - gamma + ridge, 2.0 * sqrt(gamma) * sqrt(ridge))


def resolvent_limits(gamma: float, ridge: float) -> ResolventLimits:
    """I1, I2 and J against the Marchenko-Pastur law of ratio gamma, its atom at zero included.

    With b = 1 - gamma + lambda, D = sqrt(b^2 + 4 gamma lambda):

        I1 = 2/(b + D),   I2 = I1 (1 + gamma I1)/D,   J = 2/(D (D + 1 + gamma + lambda)).

    I1 solves gamma lambda I1^2 + b I1 - 1 = 0; for b < 0 the equal form (D - b)/(2 gamma lambda) is taken.
    I2 = -dI1/dlambda. J = I1 - lambda I2 collapses to a quotient of positive terms, so nothing cancels where
    the difference would lose every digit (gamma > 1 with a small penalty). Holds for isotropic rows whose
    quadratic forms concentrate. Source: definitions of I1, I2, J in "Signal-dependent width ordering in
    proportional dimension".

    Parameters
    ----------
    gamma
        p/n > 0.
    ridge
        lambda > 0, normalised convention.

    Examples
    --------
    >>> limits = resolvent_limits(gamma=0.5, ridge=0.2)
    >>> round(limits.I1, 6), round(limits.I2, 6), round(limits.J, 6)
    (1.216991, 2.074971, 0.801996)
    """
    ratio, penalty = check_positive(gamma, "gamma"), check_positive(ridge, "ridge")
    b, root = 1.0 - ratio + penalty, _root(ratio, penalty)
    # Of the two equal forms of the positive root, the one whose terms have like signs.
    first = 2.0 / (b + root) if b >= 0 else (root - b) / 2.0 / ratio / penalty
    return ResolventLimits(
        I1=first,
        I2=first * (1.0 + ratio * first) / root,
        J=2.0 / root / (root + 1.0 + ratio + penalty),
    )


@dataclass(frozen=True, slots=True)
class Phase:
    """Which interval is wider in proportional dimension, and what that does to Bayesian coverage."""

    v_bayes: float
    """sigma^2 (1 + gamma I1), limit of W_B^2 / 4 z^2"""
    v_conformal: float
    """sigma^2 (1 + gamma J) + s^2 lambda^2 I2, limit of W_C^2 / 4 z^2 and of the prediction error"""
    gap: float
    """v_bayes - v_conformal = lambda I2 (sigma^2 gamma - s^2 lambda)"""
    ordering: Ordering
    coverage_bayes: float
    """2 Phi(z sqrt(v_bayes / v_conformal)) - 1; split conformal keeps the nominal level."""
    width_bayes: float
    width_conformal: float


def phase(gamma: float, ridge: float, signal: float, noise: float, level: float) -> Phase:
    """Limits of both widths and of Bayesian coverage for isotropic features, p/n -> gamma.

    W_B^2 - W_C^2 -> 4 z^2 lambda I2 (sigma^2 gamma - s^2 lambda): Bayes is wider below the boundary
    s^2 lambda = sigma^2 gamma and overcovers, narrower above it and undercovers (corollary "Signal-dependent
    high-dimensional width ordering"; appendix "Bayesian coverage in the proportional regime"). Assumes i.i.d.
    N(0, I_p) rows (or quadratic features under the diffuseness condition), a linear truth with Gaussian noise,
    known sigma, fixed lambda > 0, m -> infinity.

    Quadratic features come to these limits slowly, as p is of order d^2: at d = 24, gamma = lambda = noise = 0.5 and
    signal = 2 the finite traces average v_conformal = 1.22 where the limit is 1.13. For one design take its own
    traces, by `random_effects` or `decompose`; for lambda -> 0 see `ridgeless`.

    Parameters
    ----------
    gamma, ridge
        p/n > 0 and lambda > 0.
    signal
        s = ||w0|| >= 0 (a norm, not its square).
    noise
        sigma > 0 (a standard deviation, not a variance).
    level
        Nominal coverage 1 - alpha.

    Examples
    --------
    >>> limits = phase(gamma=0.5, ridge=0.2, signal=2.0, noise=1.0, level=0.95)
    >>> limits.ordering, round(limits.coverage_bayes, 4)
    ('conformal wider', 0.941)
    """
    limits = resolvent_limits(gamma, ridge)
    strength, sigma = check_nonnegative(signal, "signal"), check_positive(noise, "noise")
    radius = gaussian_radius(level)
    prior, truth = sigma**2 * gamma, strength**2 * ridge
    # The gap has a form of its own: near the boundary the difference of the two limits would be rounding.
    v_bayes = sigma**2 * (1.0 + gamma * limits.I1)
    v_conformal = limiting_risk(gamma, ridge, strength, sigma)
    return Phase(
        v_bayes=v_bayes,
        v_conformal=v_conformal,
        gap=ridge * limits.I2 * (prior - truth),
        ordering=_ordering(prior, truth),
        coverage_bayes=gaussian_coverage(radius * sqrt(v_bayes / v_conformal)),
        width_bayes=2.0 * radius * sqrt(v_bayes),
        width_conformal=2.0 * radius * sqrt(v_conformal),
    )


def _ordering(prior: float, truth: float) -> Ordering:
    # A tolerance of a few roundings: the penalty of `optimal_ridge` must land on the boundary.
    if isclose(prior, truth, rel_tol=1e-14):
        return "equal"
    return "bayes wider" if prior > truth else "conformal wider"


def optimal_ridge(gamma: float, signal: float, noise: float) -> float:
    """lambda* = sigma^2 gamma / s^2, the minimiser of the limiting risk, where both widths coincide.

    Source: appendix "Optimal ridge penalty and the equality boundary". Needs s > 0. Parameters as for
    `phase`.

    Examples
    --------
    >>> optimal_ridge(gamma=0.5, signal=2.0, noise=1.0)
    0.125
    """
    ratio, strength = check_positive(gamma, "gamma"), check_positive(signal, "signal")
    return (check_positive(noise, "noise") / strength) ** 2 * ratio


def limiting_risk(gamma: float, ridge: float, signal: float, noise: float) -> float:
    """E(lambda) = sigma^2 (1 + gamma J) + s^2 lambda^2 I2, the limiting squared prediction error.

    Source: appendix "Optimal ridge penalty and the equality boundary". Parameters as for `phase`.

    Examples
    --------
    >>> round(limiting_risk(gamma=0.5, ridge=0.2, signal=2.0, noise=1.0), 6)
    1.732994
    """
    limits = resolvent_limits(gamma, ridge)
    strength, sigma = check_nonnegative(signal, "signal"), check_positive(noise, "noise")
    return sigma**2 * (1.0 + gamma * limits.J) + (strength * ridge) ** 2 * limits.I2


def limiting_risk_derivative(gamma: float, ridge: float, signal: float, noise: float) -> float:
    """dE/dlambda = 2 (s^2 lambda - sigma^2 gamma) / D^3.

    The paper writes the last factor as the integral of x/(x + lambda)^3, which is -(dJ/dlambda)/2 = D^-3.
    Parameters as for `phase`.

    Examples
    --------
    >>> limiting_risk_derivative(gamma=0.5, ridge=0.125, signal=2.0, noise=1.0)
    0.0
    """
    ratio, penalty = check_positive(gamma, "gamma"), check_positive(ridge, "ridge")
    strength, sigma = check_nonnegative(signal, "signal"), check_positive(noise, "noise")
    return 2.0 * (strength**2 * penalty - sigma**2 * ratio) / _root(ratio, penalty) ** 3


def limiting_training_scale(gamma: float, ridge: float, signal: float, noise: float) -> float:
    """Limit of the mean squared training residual: s^2 lambda^2 J + sigma^2 (1 - gamma + gamma lambda^2 I2).

    The second factor is lim tr{(I - H)^2}/n, taken from the n x n companion law with ratio 1/gamma and
    penalty lambda/gamma, where nothing cancels. Source: appendix "Training residual scale in proportional
    dimension". Parameters as for `phase`.

    Examples
    --------
    >>> round(limiting_training_scale(gamma=0.5, ridge=0.2, signal=0.0, noise=1.0), 6)
    0.541499
    """
    limits = resolvent_limits(gamma, ridge)
    # I - H = lambda (RR'/n + lambda I)^-1, and RR'/n = gamma RR'/p, whose law is Marchenko-Pastur's of ratio 1/gamma.
    companion = resolvent_limits(1.0 / gamma, ridge / gamma)
    strength, sigma = check_nonnegative(signal, "signal"), check_positive(noise, "noise")
    leverage = (ridge / gamma) ** 2 * companion.I2
    return (strength * ridge) ** 2 * limits.J + sigma**2 * leverage
