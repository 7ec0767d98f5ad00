"""A checksum that runs through the rows, each continuing the one before.

No row can be altered, left out or put in without its checksum, or the next one, showing it.
"""

from hashlib import blake2b
from typing import Any

from ngrc.durable.entry import Entry

SIZE = 16
"""Bytes: as a guard against damage and slips, not against somebody who writes rows and checksums anew."""
START = bytes(SIZE)


def continued(before: bytes, entry: Entry) -> bytes:
    """The checksum of an entry, over all but the moment at which it was received.

    The text of Python's plain values is hashed: floats are written by the digits that read back as the same bits.

    Examples
    --------
    >>> one = Entry(1, "0", 0, 2.5, "history", "")
    >>> continued(START, one) == continued(START, one._replace(received="later"))
    True
    >>> continued(START, one) == continued(START, one._replace(value=2.5000000000000004))
    False
    """
    said = entry.issued
    words = (
        entry.seq,
        entry.time,
        entry.moment,
        entry.value,
        entry.kind,
        said and (said.origin, said.targets, said.mean, said.lower, said.upper),
        [
            (one.step, one.origin, one.target, one.mean, one.value, one.covered, one.lower, one.upper)
            for one in entry.settled
        ],
    )
    return sealed(before, words)


def sealed(before: bytes, words: Any) -> bytes:
    """The checksum of plain values, after that of the entry before."""
    return blake2b(before + repr(words).encode(), digest_size=SIZE).digest()
