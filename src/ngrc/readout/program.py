"""A feature map as a program for a kernel: which values are multiplied, and what drives them from outside."""

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from ngrc._types import FloatArray, IntArray
from ngrc.features.clock_products import ClockProducts
from ngrc.features.delays import Delays
from ngrc.features.group import Group
from ngrc.features.inputs import Inputs
from ngrc.features.map import FeatureMap
from ngrc.features.memory import Memory
from ngrc.features.monomials import monomial_count, monomial_indices
from ngrc.features.products import Products
from ngrc.features.seasonal import Seasonal

Slot = tuple[str, int]
"""A channel, and how many steps before the origin it is read."""


@dataclass
class Program:
    """One-step columns in a kernel's terms, filled group by group.

    Parameters
    ----------
    inputs, steps
        The history, and how many steps the program runs.

    Attributes
    ----------
    slots
        Values that are read, in the order in which factors name them.
    factors, multipliers
        By product column: the slots multiplied, and which drive column they are multiplied with (0: ones).
    drives
        Columns that are known for all steps, shape (steps,) each; the first is ones.
    places
        Positions in the design of the product columns, of the driven ones and of the memories.
    """

    inputs: Inputs
    steps: int
    slots: dict[Slot, int] = field(default_factory=dict)
    factors: list[tuple[int, ...]] = field(default_factory=list)
    multipliers: list[int] = field(default_factory=list)
    drives: list[FloatArray] = field(default_factory=list)
    products: list[int] = field(default_factory=list)
    driven: list[tuple[int, int]] = field(default_factory=list)
    memories: list[tuple[int, str, float]] = field(default_factory=list)

    @classmethod
    def of(cls, feature_map: FeatureMap, inputs: Inputs, steps: int) -> "Program":
        """The program of a map's one-step columns."""
        program = cls(inputs, steps)
        program.drives.append(np.ones(steps))
        position = 0
        for group in feature_map.groups:
            program._add(group, position)
            position += group.count(1)
        return program

    def _add(self, group: Group, position: int) -> None:
        if isinstance(group, Delays | Seasonal):
            for offset, slot in enumerate(_slots(group)):
                self._product(position + offset, (self._slot(slot),))
        elif isinstance(group, Products):
            single = [self._slot(slot) for delays in group.delays for slot in _slots(delays)]
            indices = monomial_indices(len(single), group.degree)[
                monomial_count(len(single), group.lowest - 1) :
            ]
            for offset, index in enumerate(indices):
                self._product(position + offset, tuple(single[place] for place in index))
        elif isinstance(group, ClockProducts):
            first = len(self.drives)
            self.drives += self._columns(group.clock)
            terms = len(self.drives) - first
            for offset, slot in enumerate(_slots(group.delays)):
                for term in range(terms):
                    self._product(position + offset * terms + term, (self._slot(slot),), first + term)
        elif isinstance(group, Memory):
            for offset, half_life in enumerate(group.half_lives):
                self.memories.append((position + offset, group.channel, half_life))
        else:
            # What reads no channel is the same whatever the run does: the clock, a calendar, a constant.
            for offset, column in enumerate(self._columns(group)):
                self.driven.append((position + offset, len(self.drives)))
                self.drives.append(column)

    def _columns(self, group: Group) -> list[FloatArray]:
        """Columns of the coming targets, from a group that must not read a channel."""
        size = self.inputs.size
        blind = Inputs({"": np.full(size, np.nan)}, {}, self.inputs.times, self.inputs.offset)
        try:
            return list(group.columns(blind, 1, size, size + self.steps).T)
        except ValueError as error:
            raise ValueError(
                f"free running cannot continue {type(group).__name__}, which reads more than the clock ({error}); run "
                "a map of delays, products, seasonal delays, clock and memory"
            ) from None

    def _slot(self, slot: Slot) -> int:
        return self.slots.setdefault(slot, len(self.slots))

    def _product(self, position: int, slots: tuple[int, ...], multiplier: int = 0) -> None:
        self.products.append(position)
        self.factors.append(slots)
        self.multipliers.append(multiplier)

    def factor_table(self) -> IntArray:
        """Factors as a rectangle; short products are filled up with a slot that always holds one."""
        degree = max((len(slots) for slots in self.factors), default=1)
        table = np.full((len(self.factors), degree), len(self.slots), dtype=np.int64)
        for row, slots in enumerate(self.factors):
            table[row, : len(slots)] = slots
        return table


def _slots(group: Delays | Seasonal) -> Sequence[Slot]:
    steps = group.steps if isinstance(group, Delays) else [step - 1 for step in group.steps(1)]
    return [(group.channel, step) for step in steps]
