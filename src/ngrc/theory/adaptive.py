"""Long-run coverage of adaptive conformal prediction with late outcomes."""

from ngrc.validation import check_count, check_level, check_positive


def adaptive_bound(steps: int, rate: float, level: float, *, horizon: int = 1) -> float:
    """Bound on |mean coverage error - alpha| over T intervals, for every sequence of outcomes whatever.

    alpha_{t+1} = alpha_t + eta (alpha - err_{t-D}), from alpha_1 = alpha on, not projected, D = H - 1 outcomes late; an
    interval at alpha_t <= 0 is unbounded and at alpha_t >= 1 empty. alpha_t then stays within (D + 1) eta of [0, 1].
    The T - D errors that were seen telescope to (alpha_1 - alpha_{T+1})/eta, and each of the D others adds at most
    max(alpha, 1 - alpha):

        (max(alpha, 1 - alpha) + (D + 1) eta)/(eta T) + D max(alpha, 1 - alpha)/T.

    Not claimed for `Adaptive`, which projects alpha_t and caps its rank so that no interval is infinite. Without delay
    it is the bound of Gibbs and Candes (2021); the delayed form is this project's.

    Parameters
    ----------
    steps
        T, how many intervals were issued.
    rate
        eta > 0.
    level
        Nominal coverage 1 - alpha.
    horizon
        H, so that D = H - 1.

    Examples
    --------
    >>> round(adaptive_bound(1000, 0.05, 0.9), 4), round(adaptive_bound(1000, 0.05, 0.9, horizon=7), 4)
    (0.019, 0.0304)
    """
    count, eta, delay = (
        check_count(steps, "steps"),
        check_positive(rate, "rate"),
        check_count(horizon, "horizon") - 1,
    )
    nominal = check_level(level)
    largest = max(nominal, 1.0 - nominal)
    return (largest + (delay + 1) * eta) / (eta * count) + delay * largest / count
