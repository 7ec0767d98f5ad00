"""The one check that every windowed method makes."""


def check_window(window: int, known: int) -> int:
    """Return the window if the known history fills it."""
    if window > known:
        raise ValueError(
            f"a window larger than the history: window {window}, {known} known residuals; "
            f"give a window of at most {known} or more calibration residuals"
        )
    return window
