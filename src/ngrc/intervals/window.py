"""How many of the known residuals a windowed method uses."""

RECENT = 100
"""Residuals that `rolling` and `gaussian` use where no window is given: as many as in Experiment 4."""


def window_size(window: int | None, known: int) -> int:
    """The window if the known history fills it; without one the newest `RECENT`, or all where fewer are known.

    Examples
    --------
    >>> window_size(None, 400), window_size(None, 40), window_size(30, 40)
    (100, 40, 30)
    """
    return min(RECENT, known) if window is None else check_window(window, known)


def check_window(window: int, known: int) -> int:
    """Return the window if the known history fills it."""
    if window > known:
        raise ValueError(
            f"a window larger than the history: window {window}, {known} known residuals; "
            f"give a window of at most {known} or more calibration residuals"
        )
    return window
