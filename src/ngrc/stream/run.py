"""The loop: take what is there, commit once, say it.

No answer leaves before the commit that holds its observation; a batch is what has come by the time the one before it
was answered, so that an idle input is answered at once and a busy one shares its commits.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from time import monotonic
from typing import Literal, Protocol

from ngrc.durable.errors import StoreError
from ngrc.durable.observation import Observation
from ngrc.stream.answers import refusal
from ngrc.stream.intake import Intake, Piece
from ngrc.stream.lines import Lines
from ngrc.stream.outlet import Outlet
from ngrc.stream.patience import Patience
from ngrc.stream.said import Said
from ngrc.stream.stopping import Stopping

MOST = 4096
"""Lines per commit: beyond some thousand a commit costs nothing beside its rows."""
SPAN = 0.2
"""Seconds after which a batch is committed, however much more is there: what its first line waits at most."""
SLICE = 64
"""Lines between two looks at the clock and at signals."""

OnError = Literal["stop", "skip"]


class Served(Protocol):
    """A series that takes observations, with a database below it or not."""

    def take(self, observation: Observation) -> Said:
        """Take in one observation; `ValueError` changes nothing."""

    def commit(self) -> None:
        """Make what was taken durable; can be repeated after a `StoreError`."""


@dataclass(slots=True)
class Batch:
    """Answers that wait for their commit, and what ends the stream behind them."""

    answers: list[str] = field(default_factory=list)
    lines: int = 0
    failure: str | None = None


@dataclass(slots=True)
class Loop:
    """What a stream is made of.

    Parameters
    ----------
    intake, lines, served, outlet
        Where lines come from, how they are read, what takes them, and where answers go.
    stopping
        Whether somebody wants us to stop.
    patience
        How long a database that is away is waited for.
    say
        Told remarks for people.
    on_error
        Whether a line that cannot be taken ends the stream, or is answered by its error.
    silent
        Whether what was known already is passed over without an answer, as where a file is read again.
    """

    intake: Intake
    lines: Lines
    served: Served
    outlet: Outlet
    stopping: Stopping
    patience: Patience
    say: Callable[[str], None]
    on_error: OnError = "stop"
    silent: bool = False

    def run(self) -> None:
        """Go on until the input ends, a line is refused, or a signal comes.

        Raises
        ------
        ValueError
            A line that cannot be read or taken, after all before it were committed and answered.
        StoreError
            The database failed for good, or for longer than the patience.
        """
        while not (self.intake.ended or self.stopping.asked):
            batch = self._gather()
            if batch.lines:
                self.patience.of(self.served.commit)
                self.outlet.write("".join(batch.answers))
            if batch.failure is not None:
                raise ValueError(batch.failure)

    def _gather(self) -> Batch:
        """Wait for a line, and take all that have come, up to the bounds."""
        batch, until = Batch(), None
        while batch.lines < MOST and batch.failure is None and not self.stopping.asked:
            try:
                piece = self.intake.take(SLICE, wait=not batch.lines)
            except (OSError, ValueError) as error:
                # What was read before is committed and answered first.
                batch.failure = str(error)
                break
            if piece is None:
                break
            if not isinstance(piece, Piece):
                self.say(piece.text)
                continue
            until = monotonic() + SPAN if until is None else until
            self._take(piece, batch)
            if monotonic() > until:
                break
        return batch

    def _take(self, piece: Piece, batch: Batch) -> None:
        for number, line in enumerate(piece.lines, start=piece.first):
            batch.lines += 1
            try:
                observation = self.lines.read(line)
                if observation is None:
                    continue
                said = self._taken(observation)
            except StoreError:
                raise
            except ValueError as error:
                if self.on_error == "stop":
                    batch.failure = f"line {number}: {error}"
                    return
                batch.answers.append(refusal(number, str(error)))
                continue
            if not (self.silent and said.again):
                batch.answers.append(said.text)

    def _taken(self, observation: Observation) -> Said:
        try:
            return self.served.take(observation)
        except StoreError:
            # A look into the database for what is known; the patience is only then worth its cost.
            return self.patience.of(lambda: self.served.take(observation))
