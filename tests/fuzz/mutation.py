"""Bytes made wrong: one or a few small changes of a good file, the same ones for the same seed.

What coverage-guided fuzzers do between two looks at the coverage: bits turned, bytes set, chunks left out, doubled,
moved or taken from another file, and tokens that readers treat specially put in.
"""

import random
from collections.abc import Callable, Iterator, Sequence

Change = Callable[[bytearray, random.Random, Sequence[bytes], Sequence[bytes]], None]

LONGEST = 1 << 17
"""Bytes of a mutant: larger ones are slower, not worse."""
# Bytes that mean something: ends of ranges, quotes, separators, signs, line ends.
EDGES = b"\x00\x01\x7f\x80\xff\n\r\t ,;\"'-+.eE0195{}[]:|#%"


def mutants(seeds: Sequence[bytes], tokens: Sequence[bytes], rng: random.Random) -> Iterator[bytes]:
    """Endless changed seeds."""
    while True:
        data = bytearray(rng.choice(seeds))
        rng.choice(CHANGES)(data, rng, seeds, tokens)
        # Half of them have one change, a quarter two: what is behind the first check is reached too.
        while rng.random() < 0.5:
            rng.choice(CHANGES)(data, rng, seeds, tokens)
        yield bytes(data[:LONGEST])


def _turn_bit(data: bytearray, rng: random.Random, *_: Sequence[bytes]) -> None:
    if data:
        data[rng.randrange(len(data))] ^= 1 << rng.randrange(8)


def _set_byte(data: bytearray, rng: random.Random, *_: Sequence[bytes]) -> None:
    if data:
        data[rng.randrange(len(data))] = rng.choice(EDGES)


def _insert_byte(data: bytearray, rng: random.Random, *_: Sequence[bytes]) -> None:
    data.insert(rng.randint(0, len(data)), rng.choice(EDGES))


def _set_number(data: bytearray, rng: random.Random, *_: Sequence[bytes]) -> None:
    """A length or an offset of 16 to 64 bits."""
    size = rng.choice((2, 4, 8))
    if len(data) >= size:
        place = rng.randint(0, len(data) - size)
        number = rng.choice((0, 1, 2**15, 2**16 - 1, 2**31 - 1, 2**31, 2**32 - 1, 2**63 - 1, 2**64 - 1))
        data[place : place + size] = (number % (1 << 8 * size)).to_bytes(size, "little")


def _cut(data: bytearray, rng: random.Random, *_: Sequence[bytes]) -> None:
    del data[rng.randint(0, len(data)) :]


def _leave_out(data: bytearray, rng: random.Random, *_: Sequence[bytes]) -> None:
    start, stop = _span(data, rng)
    del data[start:stop]


def _double(data: bytearray, rng: random.Random, *_: Sequence[bytes]) -> None:
    start, stop = _span(data, rng)
    times = rng.choice((1, 1, 1, 2, 30))
    data[start:start] = data[start:stop] * times


def _move(data: bytearray, rng: random.Random, *_: Sequence[bytes]) -> None:
    start, stop = _span(data, rng)
    chunk = data[start:stop]
    del data[start:stop]
    place = rng.randint(0, len(data))
    data[place:place] = chunk


def _splice(data: bytearray, rng: random.Random, seeds: Sequence[bytes], _: Sequence[bytes]) -> None:
    other = bytearray(rng.choice(seeds))
    start, stop = _span(other, rng)
    place, end = _span(data, rng)
    data[place : rng.choice((place, end))] = other[start:stop]


def _token(data: bytearray, rng: random.Random, _: Sequence[bytes], tokens: Sequence[bytes]) -> None:
    start, stop = _span(data, rng)
    data[start : rng.choice((start, start, stop))] = rng.choice(tokens)


def _whole_token(data: bytearray, rng: random.Random, _: Sequence[bytes], tokens: Sequence[bytes]) -> None:
    """A cell or a line replaced whole, which leaves a text in its shape."""
    marks = [-1, *(place for place, byte in enumerate(data) if byte in b"\n,;\t:"), len(data)]
    place = rng.randrange(len(marks) - 1)
    data[marks[place] + 1 : marks[place + 1]] = rng.choice(tokens)


def _span(data: bytearray, rng: random.Random) -> tuple[int, int]:
    """A chunk, most often a short one."""
    start = rng.randint(0, len(data))
    return start, min(len(data), start + int(2 ** rng.uniform(0, 10)))


CHANGES: tuple[Change, ...] = (
    _turn_bit,
    _set_byte,
    _insert_byte,
    _set_number,
    _cut,
    _leave_out,
    _double,
    _move,
    _splice,
    _token,
    _whole_token,
    _whole_token,
)
