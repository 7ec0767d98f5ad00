"""One period, as a value."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Period:
    """A cycle that a series may repeat itself with: a proposal, which validation keeps or not.

    Parameters
    ----------
    steps
        Observations per cycle; need not be whole (a year has 365.25 days).
    name
        "hour", "day", "week", "year", or "37 steps" for one found in the values.
    reason
        One clause that says where it comes from.
    """

    steps: float
    name: str
    reason: str

    def same(self, steps: float) -> bool:
        """Whether a cycle of `steps` observations is this one, within one step or 2 %.

        Examples
        --------
        >>> Period(52.18, "year", "weekly time stamps").same(52), Period(4, "year", "").same(6)
        (True, False)
        """
        # One step is a quarter of a cycle of four: there it would make neighbours of different cycles.
        return abs(steps - self.steps) <= max(min(1.0, 0.1 * self.steps), 0.02 * self.steps)
