"""Progress reaches the listener of the block, and nobody else."""

from ngrc._progress import followed, listening, tell


def test_a_piece_is_told_after_its_work() -> None:
    order: list[str] = []
    with listening(lambda event: order.append(f"told {event.done} of {event.total}")):
        order.extend(f"got {item}" for item in followed(["a", "b"], "letters"))
    assert order == ["got a", "told 1 of 2", "got b", "told 2 of 2"]


def test_nobody_hears_outside_the_block() -> None:
    heard: list[object] = []
    with listening(heard.append):
        tell("fits", 1, None, value="x")
    tell("fits", 2, None)
    assert [(event.done, event.total, event.value) for event in heard] == [(1, None, "x")]  # type: ignore[attr-defined]


def test_a_generator_has_no_total() -> None:
    totals: list[int | None] = []
    with listening(lambda event: totals.append(event.total)):
        list(followed((n for n in range(2)), "numbers"))
    assert totals == [None, None]
