"""Dependence: absolute regularity of the Gaussian AR(1), and what separated windows inherit."""

from dataclasses import dataclass
from math import atanh, ceil, exp, log, log1p, pi, sinh, tanh

from ngrc._optional import load
from ngrc.theory._check import check_nonnegative, check_number
from ngrc.validation import check_count, check_positive

# Below this correlation r/pi is exact to double precision: the relative error, O(r^2 log r), is 2e-17 here.
_ASYMPTOTIC = 1e-9


def _correlation(rho: float, lag: int) -> float:
    size = abs(check_number(rho, "rho"))
    if size >= 1:
        raise ValueError(f"rho must lie strictly between -1 and 1 for a stationary AR(1), got {rho!r}")
    return float(size ** check_count(lag, "lag"))


def beta_mixing_ar1(rho: float, lag: int) -> float:
    """Absolute-regularity coefficient beta(h) of the stationary Gaussian AR(1), by quadrature.

    beta(h) = E_x TV{N(r x, 1 - r^2), N(0, 1)}, r = |rho|^h, TV half the L1 distance (appendix
    "Absolute-regularity penalties under temporal dependence"); by the Markov property it couples whole pasts
    and futures h steps apart. This is the distance of a bivariate normal law of correlation r from the
    product of its margins. In rotated polar coordinates its derivative in r is an integral of exp(-a cosh t):

        beta = 1/pi * integral_0^{atanh r} a {K1(a) + tanh(u) K0(a)} du,   a = log(cosh u)/tanh(u),

    with Bessel functions K. The integrand is positive, so the relative accuracy holds to the smallest value.

    Parameters
    ----------
    rho
        Autoregressive coefficient, -1 < rho < 1; only |rho| matters.
    lag
        h >= 1, steps from the last observation of one window to the first of the next.

    Notes
    -----
    Needs SciPy for the Bessel functions and the quadrature (`pip install "ngrc[paper]"`).

    Examples
    --------
    >>> round(beta_mixing_ar1(0.8, 1), 5), f"{beta_mixing_ar1(0.8, 45):.4e}"
    (0.38556, '1.3864e-05')
    """
    correlation = _correlation(rho, lag)
    if correlation < _ASYMPTOTIC:
        return correlation / pi
    integrate = load("scipy.integrate", "paper", "beta_mixing_ar1")
    return float(integrate.quad(_slope, 0.0, atanh(correlation), epsabs=0.0, epsrel=1e-12, limit=200)[0]) / pi


def _slope(u: float) -> float:
    # log cosh u = log(1 + 2 sinh^2(u/2)): cosh u itself rounds to one below u = 1e-8, and every digit would go.
    special = load("scipy.special", "paper", "beta_mixing_ar1")
    a = log1p(2.0 * sinh(u / 2.0) ** 2) / tanh(u)
    # Scaled Bessel functions: K0 and K1 carry a factor exp(-a).
    return a * exp(-a) * float(special.k1e(a) + tanh(u) * special.k0e(a))


def beta_mixing_ar1_asymptotic(rho: float, lag: int) -> float:
    """|rho|^h / pi, the limit form of `beta_mixing_ar1` as h grows: half of E|x| E|y| times the correlation.

    Examples
    --------
    >>> f"{beta_mixing_ar1_asymptotic(0.8, 45):.4e}"
    '1.3864e-05'
    """
    return _correlation(rho, lag) / pi


@dataclass(frozen=True, slots=True)
class TransferBound:
    """What a probability statement loses on the way from independent to separated dependent windows."""

    correction: float
    """(N - 1) beta(h), not truncated"""
    failure: float
    """delta + (N - 1) beta(h), cut at 1"""
    vacuous: bool
    """whether the correction alone reaches 1"""


def transfer_bound(windows: int, beta: float, failure: float = 0.0) -> TransferBound:
    """Failure probability under dependence, given that under independence.

    An event that fails with probability at most delta for N independent windows fails with probability at
    most delta + (N - 1) beta(h) for N windows of one stationary process that lie h apart; with delta = alpha
    this bounds the miscoverage of split conformal prediction (proposition "Transfer under absolute
    regularity"). Every pair of successive windows must be separated, not only the blocks.

    Parameters
    ----------
    windows
        N >= 1: fitting, calibration and, for a coverage statement, the one test window.
    beta
        beta(h), in [0, 1].
    failure
        delta in [0, 1]; 0 for a comparison of distributions.

    Examples
    --------
    >>> beta = beta_mixing_ar1(0.8, 45)
    >>> round(transfer_bound(840, beta).correction, 4), round(transfer_bound(841, beta, 0.05).failure, 4)
    (0.0116, 0.0616)
    """
    count, coefficient = check_count(windows, "windows"), check_nonnegative(beta, "beta")
    delta = check_nonnegative(failure, "failure")
    if coefficient > 1 or delta > 1:
        raise ValueError(f"beta and failure must be probabilities, got beta={beta} and failure={failure}")
    # Berbee's coupling once for each of the N - 1 transitions, and the union bound.
    correction = (count - 1) * coefficient
    return TransferBound(correction, min(delta + correction, 1.0), correction >= 1.0)


@dataclass(frozen=True, slots=True)
class Separation:
    """The gap that brings a dependence error down to a wanted size."""

    lag: int
    """h, from the last observation of a window to the first of the next"""
    origins: int
    """distance between forecast origins, h + reach"""
    correction: float
    """(N - 1) beta(h) at that lag"""


def required_separation(rho: float, windows: int, error: float, reach: int) -> Separation:
    """Smallest lag of a Gaussian AR(1) with (N - 1) beta(h) <= error, and the origins' distance.

    Source: the window separation condition t_{j+1} - t_j >= L + H + h.

    Parameters
    ----------
    rho
        Autoregressive coefficient, -1 < rho < 1.
    windows
        N >= 2.
    error
        Wanted bound on the dependence error, > 0.
    reach
        L + H, distance between a window's first and last observation: (k - 1)s + H.

    Examples
    --------
    >>> required_separation(0.8, windows=840, error=1.0, reach=19)
    Separation(lag=26, origins=45, correction=0.807...)
    """
    others = check_count(windows, "windows", 2) - 1
    bound, span = check_positive(error, "error"), check_count(reach, "reach", 0)
    # beta(h) falls with h: double until the bound holds, then halve. It holds at `high` and at no lag up to `low`.
    low, high = 0, 1
    while others * beta_mixing_ar1(rho, high) > bound:
        low, high = high, 2 * high
    while high - low > 1:
        middle = (low + high) // 2
        if others * beta_mixing_ar1(rho, middle) > bound:
            low = middle
        else:
            high = middle
    return Separation(high, high + span, others * beta_mixing_ar1(rho, high))


def exponential_separation(constant: float, rate: float, windows: int, error: float) -> int:
    """Smallest whole h >= log{C (N - 1)/error}/c, at least 1, for a process with beta(h) <= C exp(-c h).

    Source: the example after the proposition "Transfer under absolute regularity".

    Examples
    --------
    >>> exponential_separation(constant=1.0, rate=0.5, windows=101, error=0.01)
    19
    """
    count = check_count(windows, "windows", 2)
    factor = check_positive(constant, "constant") / check_positive(error, "error")
    return max(1, ceil(log(factor * (count - 1)) / check_positive(rate, "rate")))


def sample_cost(windows: int, reach: int, lag: int) -> int:
    """Length of a series that holds N windows at a separation of reach + lag: (N - 1)(L + H + h) + L + H + 1.

    With a full quadratic map and p ~ n the reach grows as n^1/2, so that n windows cost at least order n^3/2.
    Source: "Sampling cost under quadratic features".

    Examples
    --------
    >>> sample_cost(windows=841, reach=19, lag=45)
    53780
    """
    count, span = check_count(windows, "windows"), check_count(reach, "reach", 0)
    return (count - 1) * (span + check_count(lag, "lag")) + span + 1
