"""Progress bars on standard error: after two seconds, at a terminal, and gone when the work is done."""

import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from threading import Lock, Timer

from rich.console import Console, RenderableType
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    SpinnerColumn,
    Task,
    TaskID,
    TextColumn,
    TimeElapsedColumn,
)
from rich.progress import (
    Progress as Bars,
)
from rich.text import Text

from ngrc._progress import Progress, listening
from ngrc.cli.speech import quiet

DELAY = 2.0
"""Seconds before anything is drawn: what is done by then needs no bar."""


class Counted(MofNCompleteColumn):
    """How many of how many; nothing where nobody knows."""

    def render(self, task: Task) -> Text:
        """The count of one stage."""
        return Text() if task.total is None else super().render(task)


class Screen(Bars):
    """Bars by stage, below whatever has come so far.

    Parameters
    ----------
    console
        Where it is drawn.
    shown
        What stands above the bars, asked for at every refresh; None for nothing.
    """

    def __init__(self, console: Console, shown: Callable[[], RenderableType | None] | None = None) -> None:
        self.shown = shown
        columns = SpinnerColumn(), TextColumn("{task.description}"), BarColumn(bar_width=20)
        super().__init__(*columns, Counted(), TimeElapsedColumn(), console=console, transient=True)
        # Before the first piece is done nobody knows of what there are how many: a bar without an end.
        self.stages: dict[str, TaskID] = {"working": self.add_task("working", total=None)}
        self.gate, self.over = Lock(), False

    def get_renderables(self) -> Iterable[RenderableType]:
        """What has come so far, then the bars."""
        above = None if self.shown is None else self.shown()
        if above is not None:
            yield above
        yield self.make_tasks_table(self.tasks)

    def hear(self, event: Progress) -> None:
        """Move the bar of a stage; one that is full goes, and comes again where the stage does."""
        if "working" in self.stages:
            self.remove_task(self.stages.pop("working"))
        if event.stage not in self.stages:
            self.stages[event.stage] = self.add_task(event.stage, total=event.total)
        self.update(self.stages[event.stage], completed=event.done, total=event.total)
        if event.done == event.total:
            self.remove_task(self.stages.pop(event.stage))
        if not self.stages:
            self.stages["working"] = self.add_task("working", total=None)

    def begin(self) -> None:
        """Draw from now on, unless all is over already."""
        with self.gate:
            if not self.over:
                self.start()

    def end(self) -> None:
        """Draw no more, and take away what was drawn."""
        with self.gate:
            self.over = True
            self.stop()


@contextmanager
def watched(
    hear: Callable[[Progress], None] | None = None,
    shown: Callable[[], RenderableType | None] | None = None,
) -> Iterator[None]:
    """Draw the progress of what is done inside, where a person at a terminal watches.

    Parameters
    ----------
    hear
        Told of every piece, drawn or not.
    shown
        What stands above the bars.
    """
    if not sees(sys.stderr):
        with listening(hear or (lambda _event: None)):
            yield
        return
    screen = Screen(Console(stderr=True), shown)

    def both(event: Progress) -> None:
        if hear is not None:
            hear(event)
        screen.hear(event)

    clock = Timer(DELAY, screen.begin)
    clock.daemon = True
    clock.start()
    try:
        with listening(both):
            yield
    finally:
        clock.cancel()
        screen.end()


def sees(stream: object) -> bool:
    """Whether a person sees what is drawn on a stream: a terminal that can move its cursor, and no `--quiet`."""
    terminal = getattr(stream, "isatty", lambda: False)()
    return bool(terminal) and not quiet() and not Console(file=stream).is_dumb_terminal  # type: ignore[arg-type]
