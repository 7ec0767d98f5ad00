"""The contract of a group of columns."""

from typing import Protocol

from ngrc._types import FloatArray
from ngrc.features.inputs import Inputs


class Group(Protocol):
    """A small frozen value that knows its columns, their names and how far back they read.

    In names t is the origin and t' = t + H the target's time. A group sees `Inputs` and nothing else: channels at or
    before the origin, and what is known ahead at the target's time. A group that reads times says so by an attribute
    `dated`, so that the model asks for them.
    """

    def __hash__(self) -> int:
        """Equal groups make equal columns."""

    @property
    def moving(self) -> bool:
        """Whether the columns of one origin differ by horizon, because they look at the target's own time."""

    def names(self, horizon: int) -> tuple[str, ...]:
        """Column names, in order."""

    def count(self, horizon: int) -> int:
        """Number of columns."""

    def reach(self, horizon: int) -> int:
        """How far behind the origin the oldest value lies."""

    def columns(self, inputs: Inputs, horizon: int, first: int, stop: int) -> FloatArray:
        """Columns of the targets first..stop-1, shape (stop - first, count)."""
