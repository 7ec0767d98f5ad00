"""SIGTERM and SIGINT as a wish, granted between two batches."""

import signal
from collections.abc import Callable
from threading import current_thread, main_thread
from types import FrameType
from typing import Any, Self


class Stopping:
    """Whether somebody wants us to stop; a context in which signals say so.

    Attributes
    ----------
    signal
        The first signal that came, or None.
    """

    def __init__(self) -> None:
        self.signal: int | None = None
        self._before: dict[int, Any] = {}
        self._listeners: list[Callable[[], None]] = []

    @property
    def asked(self) -> bool:
        """Whether a signal came."""
        return self.signal is not None

    def listen(self, listener: Callable[[], None]) -> None:
        """Have something called when a signal comes, which must be safe in a signal's handler."""
        self._listeners.append(listener)

    def __enter__(self) -> Self:
        # Elsewhere Python hears no signals, and whoever runs us there has a way of their own.
        if current_thread() is main_thread():
            for number in (signal.SIGTERM, signal.SIGINT):
                self._before[number] = signal.signal(number, self._hear)
        return self

    def __exit__(self, *_: object) -> None:
        for number, handler in self._before.items():
            signal.signal(number, handler)

    def _hear(self, number: int, _frame: FrameType | None) -> None:
        if self.asked:
            # Twice: somebody does not want to wait for the batch.
            raise KeyboardInterrupt
        self.signal = number
        for listener in self._listeners:
            listener()
