"""A series in memory alone: the same answers as with a database, and gone when the process ends."""

from copy import deepcopy
from math import isnan

from ngrc.durable.begin import given
from ngrc.durable.entry import reply_of
from ngrc.durable.observation import Observation, Reply
from ngrc.durable.state import State
from ngrc.durable.times import read_time
from ngrc.live import OnlineForecaster
from ngrc.series import Series


class Volatile:
    """What a durable series is, without rows: nothing that was sent before is known again.

    Parameters
    ----------
    forecaster
        Not started.
    history
        A series that comes before the first line, or how many lines are gathered.
    """

    def __init__(self, forecaster: OnlineForecaster, history: int | Series) -> None:
        before = [] if isinstance(history, int) else given(history)
        self._state = State(
            lambda: deepcopy(forecaster), history if isinstance(history, int) else len(before)
        )
        for observation in before:
            self.take(observation)

    def take(self, observation: Observation) -> Reply:
        """Take in one observation; `ValueError` changes nothing."""
        state, (value, time, seq) = self._state, _parts(observation)
        if seq is not None and seq != state.seq + 1:
            raise ValueError(
                f"seq {seq} is not the next, {state.seq + 1}; without --state no earlier observation is known again"
            )
        scale = state.scale
        stamp = None if time is None else read_time(time) if scale is None else scale.stamp(time)
        return reply_of(state.advance(value, stamp, ""), state.issued)

    def commit(self) -> None:
        """Nothing to do: nobody was promised anything."""

    def close(self) -> None:
        """Nothing to close."""


def _parts(observation: Observation) -> tuple[float | None, str | int | None, int | None]:
    value = observation.value
    return None if value is None or isnan(value) else value, observation.time, observation.seq
