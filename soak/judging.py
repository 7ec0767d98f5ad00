"""Acknowledged answers and rows of the database against an uninterrupted run in memory."""

import json
from random import Random
from typing import Any, NamedTuple

from ngrc.durable import Store
from ngrc.stream.answers import answer
from soak.lives import live
from soak.trial import SoakError, Trial


class Verdict(NamedTuple):
    """Counts of one trial; the last three must be zero."""

    scene: str
    kills: int
    stops: int
    sent: int
    acknowledged: int
    lost: int
    doubled: int
    differing: int

    @property
    def clean(self) -> bool:
        """Whether nothing was lost, doubled or different."""
        return not (self.lost or self.doubled or self.differing)


def judged(trial: Trial) -> Verdict:
    """Count what is wrong with a trial."""
    expected = _uninterrupted(trial)
    kept = _kept(trial)
    seqs = [line["seq"] for line in expected]
    lost = len(set(seqs) - {line["seq"] for line in kept})
    # A second row of an observation, or an observation that was answered under two counts.
    doubled = len(kept) - len({(line["time"], line["value"]) for line in kept})
    doubled += sum(len({one["seq"] for one in given}) > 1 for given in trial.answers.values())
    differing = sum(line != other for line, other in zip(expected, kept, strict=False))
    differing += abs(len(expected) - len(kept))
    for place, given in trial.answers.items():
        differing += sum(_plain(one) != expected[place] for one in given)
    return Verdict(
        trial.scene.name, trial.kills, trial.stops, trial.sent, len(trial.answers), lost, doubled, differing
    )


def _plain(answered: dict[str, Any]) -> dict[str, Any]:
    """Without the word that it was known already."""
    return {key: value for key, value in answered.items() if key != "again"}


def _uninterrupted(trial: Trial) -> list[dict[str, Any]]:
    """What a process without a state answers that nobody kills."""
    life = live(trial.scene.options, trial.lines, Random(0), end=None)
    if life.code != 0 or len(life.answers) != len(trial.lines):
        raise SoakError(f"{trial.scene.name}: the run in memory left with {life.code}: {life.complaint}")
    return life.answers


def _kept(trial: Trial) -> list[dict[str, Any]]:
    """What the database holds, said as the stream says it, in the order of its rows."""
    store = Store.open(trial.state, write=False)
    try:
        (name,) = store.names()
        replies = store.recent(name, 10**9)
    finally:
        store.close()
    return [_plain(json.loads(answer(reply))) for reply in replies]
