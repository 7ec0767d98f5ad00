"""Numbers for people: as many digits as tell neighbouring numbers apart, and no more."""

from collections.abc import Iterable
from math import floor, isfinite, log10


def decimals(numbers: Iterable[float], spread: float) -> int:
    """Decimal places that show numbers to three digits of their spread, and at most six significant digits.

    Parameters
    ----------
    numbers
        What will be shown.
    spread
        The difference that matters, such as the width of an interval.

    Examples
    --------
    >>> decimals([1234.5678], 50.0), decimals([0.001234], 0.0004), decimals([12.3], 0.0)
    (1, 6, 2)
    """
    known = [abs(number) for number in numbers if isfinite(number)]
    largest = max(known, default=0.0)
    # Without a spread, as of a constant series, the numbers' own size says how many digits they have.
    scale = spread if isfinite(spread) and spread > 0.0 else largest / 10.0
    if scale == 0.0:
        return 0
    places = 2 - floor(log10(scale))
    most = 5 - floor(log10(largest)) if largest > 0.0 else places
    return max(0, min(places, max(most, 0)))


def shown(number: float, places: int) -> str:
    """A number with so many decimals; an end that does not exist is said to be none.

    Examples
    --------
    >>> shown(1234.5678, 1), shown(float("inf"), 1), shown(-0.0001, 2)
    ('1234.6', 'none', '0.00')
    """
    if not isfinite(number):
        return "none"
    text = f"{number:.{places}f}"
    return text.lstrip("-") if float(text) == 0.0 else text
