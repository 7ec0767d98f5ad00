"""How far a long computation has come, told to whoever listens: the command line draws a bar, a library is silent."""

from collections.abc import Callable, Iterable, Iterator, Sized
from contextlib import AbstractContextManager, contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from typing import Any, TypeVar

Item = TypeVar("Item")


@dataclass(frozen=True, slots=True)
class Progress:
    """One piece of a stage is done.

    Parameters
    ----------
    stage
        What is being done, for people: "fits", "methods", "series".
    done, total
        Pieces that are done, and how many there are; None where nobody knows.
    value
        What the piece gave, such as a method's band, for a listener that shows results as they come.
    """

    stage: str
    done: int
    total: int | None
    value: Any = None


Listener = Callable[[Progress], None]
_LISTENER: ContextVar[Listener | None] = ContextVar("ngrc_progress", default=None)


@contextmanager
def listening(listener: Listener | None) -> Iterator[None]:
    """Hear of progress inside the block; a listener further out hears nothing meanwhile.

    Examples
    --------
    >>> heard = []
    >>> with listening(heard.append):
    ...     for square in followed((n * n for n in range(3)), "squares", 3):
    ...         pass
    >>> [(event.stage, event.done, event.total) for event in heard]
    [('squares', 1, 3), ('squares', 2, 3), ('squares', 3, 3)]
    """
    token = _LISTENER.set(listener)
    try:
        yield
    finally:
        _LISTENER.reset(token)


def hushed() -> AbstractContextManager[None]:
    """Tell nobody of progress inside the block: of what is itself one piece of a larger stage."""
    return listening(None)


def tell(stage: str, done: int, total: int | None, value: Any = None) -> None:
    """Say that one piece more is done; nothing happens where nobody listens."""
    listener = _LISTENER.get()
    if listener is not None:
        listener(Progress(stage, done, total, value))


def followed(items: Iterable[Item], stage: str, total: int | None = None) -> Iterator[Item]:
    """The items one by one, telling of each after the caller is done with it."""
    if total is None and isinstance(items, Sized):
        total = len(items)
    for done, item in enumerate(items, start=1):
        yield item
        tell(stage, done, total)
