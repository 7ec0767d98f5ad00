"""What can go wrong with a state that is kept, each with one line that says what to do."""

from collections.abc import Mapping


class StoreError(RuntimeError):
    """The database cannot be read or written.

    No `ValueError`: what was asked for is right, and asking again may help.

    Parameters
    ----------
    message
        One line, without passwords.
    temporary
        Whether waiting may help: a full disk, a lost connection. False of a damaged or foreign database.
    """

    def __init__(self, message: str, *, temporary: bool = False) -> None:
        super().__init__(message)
        self.temporary = temporary


class LockedError(StoreError):
    """Another process writes already."""


class LostSeriesError(StoreError):
    """Another process took over some series, whose newest observations are not kept; all others were committed.

    Parameters
    ----------
    reasons
        By the name of the series, why; one line each.
    """

    def __init__(self, reasons: Mapping[str, str]) -> None:
        super().__init__("; ".join(reasons.values()))
        self.reasons = dict(reasons)


class UnknownSeriesError(ValueError):
    """No series of that name is kept."""


class ConflictError(ValueError):
    """What was sent contradicts what is kept: another value of a known time, a gap in the count, other settings."""
