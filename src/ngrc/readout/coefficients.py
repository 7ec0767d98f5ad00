"""A readout that prints itself."""

from dataclasses import dataclass

import numpy as np

from ngrc._types import FloatArray


@dataclass(frozen=True, slots=True)
class Coefficients:
    """Named weights of the raw columns, in the standardised series' units.

    Parameters
    ----------
    names
        Column names, the intercept "1" first.
    values
        Weights, shape (len(names),).
    horizon
        Steps from the origin t to the target.
    channel
        What is forecast.
    base
        Where the weights are those of a difference: the values that it is measured from, as pairs of a weight and the
        steps before the target.

    Examples
    --------
    >>> weights = Coefficients(("1", "x[t]", "x[t]^2"), np.array([0.5, -2.0, 1.0]))
    >>> print(weights)
    feature  coefficient
    x[t]              -2
    x[t]^2             1
    1                0.5
    >>> weights.equation(terms=2)
    'x[t+1] = 0.5 - 2·x[t] + 1·x[t]^2'
    """

    names: tuple[str, ...]
    values: FloatArray
    horizon: int = 1
    channel: str = "x"
    base: tuple[tuple[float, int], ...] = ()

    @property
    def by_size(self) -> list[int]:
        """Positions by falling absolute weight."""
        return [int(position) for position in np.argsort(-np.abs(self.values), kind="stable")]

    def to_dict(self) -> dict[str, float]:
        """Weight by feature name, in the design's order."""
        return dict(zip(self.names, self.values.tolist(), strict=True))

    def equation(self, terms: int | None = 12) -> str:
        """The model as one line: the intercept and the `terms` largest other weights (None: all)."""
        # The intercept stands first whatever its size, as an equation is written.
        others = [position for position in self.by_size if self.names[position] != "1"]
        constant = sum(float(value) for name, value in self.to_dict().items() if name == "1")
        parts = [f"{constant:.6g}"] if "1" in self.names else ["0"]
        for position in others[:terms]:
            sign = "-" if self.values[position] < 0 else "+"
            parts.append(f"{sign} {abs(self.values[position]):.6g}·{self.names[position]}")
        left_out = len(others) - len(others[:terms])
        if left_out:
            parts.append(f"+ ({left_out} smaller terms)")
        return f"{self.channel}[t+{self.horizon}]{self._base()} = {' '.join(parts)}"

    def _base(self) -> str:
        """What the target is measured from, on the left: x[t+1] - x[t] = ..."""
        return "".join(self._part(weight, step - self.horizon) for weight, step in self.base)

    def _part(self, weight: float, back: int) -> str:
        value = f"{self.channel}[t]" if back == 0 else f"{self.channel}[t-{back}]"
        factor = "" if abs(weight) == 1.0 else f"{abs(weight):.4g}·"
        return f" {'-' if weight > 0 else '+'} {factor}{value}"

    def __str__(self) -> str:
        numbers = [f"{value:.6g}" for value in self.values]
        wide = max(len(name) for name in ("feature", *self.names))
        long = max(len(number) for number in ("coefficient", *numbers))
        lines = [f"{'feature':<{wide}}  {'coefficient':>{long}}"]
        lines += [f"{self.names[position]:<{wide}}  {numbers[position]:>{long}}" for position in self.by_size]
        return "\n".join(lines)
