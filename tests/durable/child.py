"""Processes that are to be killed, forked from one that has imported everything, as importing takes seconds.

`python -m tests.durable.child ADDRESS ACKNOWLEDGED` forks a process per line that it reads, and says its number. Each
takes values and commits them, and says in the file ACKNOWLEDGED after each commit how far it has come; where it
stands it asks of the state alone.
"""

import os
import random
import sys
from tempfile import TemporaryDirectory

from ngrc.durable import Observation
from tests.durable.kit import session, told, wave

COUNT = 240


def main(address: str, acknowledged: str) -> None:
    # Once in vain, so that everything is loaded and compiled before the first fork.
    with TemporaryDirectory() as folder:
        told(f"{folder}/s.db", wave(70))
    for _ in sys.stdin:
        child = os.fork()
        if child == 0:
            status = 1
            try:
                run(address, acknowledged)
                status = 0
            finally:
                os._exit(status)
        print(child, flush=True)
        print(os.waitpid(child, 0)[1], flush=True)


def run(address: str, acknowledged: str) -> None:
    values = wave(COUNT)
    with session(address) as one, open(acknowledged, "ab", buffering=0) as said:
        newest = one.latest("x")
        place = 0 if newest is None else newest.seq
        said.write(b"%d\n" % place)
        chance = random.Random(os.getpid())
        while place < COUNT:
            # Sometimes what was sent before comes once more, as from a client that had no answer.
            for seq in range(max(0, place - 2), min(place + chance.randrange(1, 6), COUNT)):
                one.take("x", Observation(values[seq], seq=seq + 1))
                place = max(place, seq + 1)
            one.commit()
            # One write is one line, whole or not there at all.
            said.write(b"%d\n" % place)


if __name__ == "__main__":
    main(*sys.argv[1:])
