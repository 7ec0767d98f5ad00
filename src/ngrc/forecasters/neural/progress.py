"""A bar that moves with every epoch."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager


@contextmanager
def epoch_bar(epochs: int, show: bool) -> Iterator[Callable[[float], None]]:
    """Yield a function to call after each epoch with the validation loss; with `show`, a bar on stderr.

    Examples
    --------
    >>> with epoch_bar(2, show=False) as advance:
    ...     advance(0.5)
    """
    if not show:
        yield lambda loss: None
        return
    # On stderr, and gone when it is full: standard output may be a table or JSON.
    from rich.console import Console
    from rich.progress import Progress

    with Progress(console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("training", total=epochs)
        best = float("inf")

        def advance(loss: float) -> None:
            nonlocal best
            best = min(best, loss)
            bar.update(task, advance=1, description=f"validation loss {loss:.5f}, best {best:.5f}")

        yield advance
