"""What the parts of an observation are called."""

from typing import NamedTuple


class Names(NamedTuple):
    """What the user calls the columns, or the keys of an object; None for the usual names."""

    value: str | None = None
    time: str | None = None


USUAL = Names()
