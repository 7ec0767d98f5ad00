"""Minima of functions of one number."""

from collections.abc import Callable
from math import sqrt
from sys import float_info

MOST_STEPS = 500
"""Of one search; some fifteen are usual."""


def bounded_minimum(
    function: Callable[[float], float], low: float, high: float, tolerance: float
) -> tuple[float, float]:
    """A local minimum between `low` and `high`, and its value: parabolas, and golden sections where they do not help.

    R. P. Brent (1973), "Algorithms for Minimization without Derivatives", chapter 5.

    Examples
    --------
    >>> place, value = bounded_minimum(lambda x: (x - 1.0) ** 2, 0.0, 3.0, 1e-9)
    >>> round(place, 6), round(value, 9)
    (1.0, 0.0)
    """
    golden, least = 0.5 * (3.0 - sqrt(5.0)), sqrt(float_info.epsilon)
    # The best place so far, the next best, and the one before it.
    best = second = third = low + golden * (high - low)
    best_value = second_value = third_value = function(best)
    move = before = 0.0
    for _ in range(MOST_STEPS):
        middle, near = 0.5 * (low + high), least * abs(best) + tolerance / 3.0
        if abs(best - middle) <= 2.0 * near - 0.5 * (high - low):
            break
        parabola = None
        if abs(before) > near:
            # The parabola through the three: its lowest point is `top / bottom` from the best.
            r = (best - second) * (best_value - third_value)
            q = (best - third) * (best_value - second_value)
            top, bottom = (best - third) * q - (best - second) * r, 2.0 * (q - r)
            top, bottom = (-top, bottom) if bottom > 0.0 else (top, -bottom)
            last, before = before, move
            if abs(top) < abs(0.5 * bottom * last) and bottom * (low - best) < top < bottom * (high - best):
                parabola = top / bottom
        if parabola is None:
            before = (low if best >= middle else high) - best
            move = golden * before
        else:
            move = parabola
            if best + move - low < 2.0 * near or high - best - move < 2.0 * near:
                move = near if middle >= best else -near
        # No two places may be so near that their values differ by rounding alone.
        place = best + (max(abs(move), near) if move >= 0.0 else -max(abs(move), near))
        value = function(place)
        if value <= best_value:
            low, high = (best, high) if place >= best else (low, best)
            third, third_value, second, second_value = second, second_value, best, best_value
            best, best_value = place, value
            continue
        low, high = (place, high) if place < best else (low, place)
        if value <= second_value or second == best:
            third, third_value, second, second_value = second, second_value, place, value
        elif value <= third_value or third in (best, second):
            third, third_value = place, value
    return best, best_value
