"""What is said to one observation."""

from typing import NamedTuple


class Said(NamedTuple):
    """A line with its line feed, and whether the observation was known already."""

    text: str
    again: bool = False
