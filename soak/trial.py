"""One scene, killed again and again, and then judged."""

import signal
from dataclasses import dataclass, field
from itertools import islice
from random import Random
from time import monotonic
from typing import Any

from soak.lives import End, Life, live
from soak.scenes import Scene

MOST = 200_000
"""Lines of a trial at most: more than the fastest machine takes in its time."""
BACK = 40
"""Lines before the last acknowledged one that a sender may send once more."""


class SoakError(Exception):
    """The run cannot be judged: a process ended in a way that nobody asked for."""


@dataclass
class Trial:
    """What was sent and acknowledged so far.

    Parameters
    ----------
    scene, seed
        What is streamed.
    state
        The database's URL.
    """

    scene: Scene
    seed: int
    state: str
    kills: int = 0
    stops: int = 0
    sent: int = 0
    lines: list[str] = field(default_factory=list)
    answers: dict[int, list[dict[str, Any]]] = field(default_factory=dict)
    """Every answer to a line, by the line's place."""

    def run(self, seconds: float) -> None:
        """Kill and restart for a time, then let a last life have every line that was sent so far."""
        self.lines = list(islice(self.scene.lines(self.seed), MOST))
        random = Random(self.seed + 1)
        until, furthest = monotonic() + seconds, 0
        while monotonic() < until and furthest < MOST:
            first = max(0, self._acknowledged() - random.randrange(BACK))
            life = self._live(first, MOST, random, _end(random))
            furthest = max(furthest, first + life.sent)
        first = max(0, self._acknowledged() - random.randrange(BACK))
        life = self._live(first, furthest, random, None)
        if life.code != 0 or self._acknowledged() != furthest:
            raise SoakError(
                f"{self.scene.name}: the last life left with {life.code}: {life.complaint or 'no word'}"
            )
        self.lines = self.lines[:furthest]

    def _acknowledged(self) -> int:
        """Lines from the first on that were answered without a gap."""
        return len(self.answers)

    def _live(self, first: int, last: int, random: Random, end: End | None) -> Life:
        options = ["--state", self.state, *self.scene.options]
        # The last is a whole command, and so is now and then another; the rest are copies that start at once.
        fresh = end is None or random.random() < 0.1
        life = live(options, self.lines[first:last], random, end=end, fresh=fresh)
        # A signal may come when all is done, or before the command listens to it.
        expected = {0} if end is None else {0, -end.number, *({130} if end.number == signal.SIGTERM else ())}
        if life.code not in expected:
            raise SoakError(f"{self.scene.name}: left with {life.code}: {life.complaint or 'no word'}")
        self.kills += life.code == -signal.SIGKILL
        self.stops += end is not None and life.code != -signal.SIGKILL
        self.sent += life.sent
        for place, answer in enumerate(life.answers, start=first):
            self.answers.setdefault(place, []).append(answer)
        return life


def _end(random: Random) -> End:
    """When and how a life ends: a third of them while it starts or recovers."""
    number = signal.SIGTERM if random.random() < 0.15 else signal.SIGKILL
    if random.random() < 0.33:
        return End(random.choice((random.uniform(0.0, 0.1), random.uniform(0.0, 1.0))), number)
    return End(
        random.choice((0.0, random.uniform(0.0, 0.1), random.uniform(0.0, 1.5))), number, answered=True
    )
