"""Forecasters in service as subjects: started with a history, then one observation after another."""

from collections.abc import Sequence
from copy import deepcopy
from dataclasses import dataclass
from typing import Any

import numpy as np

from ngrc.testing.given import Given
from ngrc.testing.output import Output, first_difference
from ngrc.testing.reading import stacked_outputs


@dataclass(frozen=True, slots=True)
class InService:
    """An object with `start(history)`, `next()` and `observe(value)`, not started yet; a copy serves every time."""

    forecaster: Any
    name: str
    begin: int
    shortens: bool = True

    def told(self, given: Given) -> Sequence[Output]:
        """What it says at every origin; what was said once must stay as it was."""
        one = deepcopy(self.forecaster)
        one.start(given.y[: self.begin])
        origins = range(self.begin - 1, given.size)
        said, kept = [], []
        for origin in origins:
            if origin >= self.begin:
                one.observe(float(given.y[origin]))
            kept.append(one.next())
            said.append(stacked_outputs([kept[-1]], [origin]))
        then = _joined(said)
        now = stacked_outputs(kept, list(origins))
        rewritten = first_difference(then, now, np.iinfo(np.int64).max)
        if rewritten is not None:
            raise AssertionError(
                f"{self.name} rewrites the past: {rewritten.entry} was {rewritten.before:.6g} when it was said, and is "
                f"{rewritten.after:.6g} after {given.size - 1 - rewritten.time} more observations"
            )
        return then


def _joined(said: Sequence[Sequence[Output]]) -> list[Output]:
    """One output per name, from those of every origin."""
    return [
        Output(
            parts[0].name,
            np.concatenate([part.times for part in parts]),
            np.concatenate([p.values for p in parts]),
        )
        for parts in zip(*said, strict=True)
    ]
