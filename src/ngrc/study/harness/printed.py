"""A number as the paper prints it: its digits are part of the value."""

from dataclasses import dataclass
from decimal import Decimal, InvalidOperation


@dataclass(frozen=True, slots=True)
class Printed:
    """The right side of a comparison with the paper.

    Parameters
    ----------
    value
        The printed number.
    unit
        One unit in its last printed place.
    spread
        The standard error printed after the ±; None where none is printed.
    """

    value: float
    unit: float
    spread: float | None = None

    def same_digits(self, ours: float) -> bool:
        """Whether `ours` rounds to the printed number."""
        # Half a unit, and the rounding of the division itself.
        return abs(ours - self.value) <= self.unit / 2 * (1 + 1e-9)


def printed(text: str) -> Printed:
    """Read a number together with its precision, optionally followed by ± and a standard error.

    Examples
    --------
    >>> printed("0.950±0.001")
    Printed(value=0.95, unit=0.001, spread=0.001)
    >>> printed("1.39e-5").unit
    1e-07
    """
    # Decimal keeps trailing zeros: "0.950" is known to a thousandth, "0.95" to a hundredth.
    head, sign, tail = text.partition("±")
    try:
        number, spread = Decimal(head.strip()), Decimal(tail.strip()) if sign else None
    except InvalidOperation:
        raise ValueError(f"a printed number must look like '0.95' or '0.950±0.001', got {text!r}") from None
    exponent = number.as_tuple().exponent
    if not isinstance(exponent, int):
        raise ValueError(f"a printed number must be finite, got {text!r}")
    return Printed(
        float(number), float(Decimal(1).scaleb(exponent)), None if spread is None else float(spread)
    )
