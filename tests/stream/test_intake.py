import os
from collections.abc import Iterator
from pathlib import Path
from threading import Event
from time import sleep

import pytest

from ngrc.stream.intake import DEPTH, Coming, Cutter, Intake, Piece, Remark
from ngrc.stream.lines import LONGEST
from ngrc.stream.sources import of_growing, of_stream
from tests.waiting import wait_until


def pieces(source: Iterator[Coming]) -> Iterator[tuple[int, bytes]]:
    for item in source:
        assert isinstance(item, Piece)
        yield from enumerate(item.lines, start=item.first)


@pytest.mark.parametrize("size", [1, 2, 3, 7, 100])
def test_lines_are_the_same_however_they_are_read(size: int) -> None:
    content = b"1\n22\n\n333\r\n4444"
    cutter, found = Cutter(), list[bytes]()
    for place in range(0, len(content), size):
        piece = cutter.cut(content[place : place + size])
        if piece is not None:
            assert piece.first == len(found) + 1
            found += piece.lines
    last = cutter.rest()
    assert last is not None
    assert [*found, *last.lines] == content.split(b"\n")
    assert cutter.rest() is None


def test_a_line_without_end_is_not_kept_in_memory() -> None:
    cutter = Cutter()
    for _ in range(100):
        assert cutter.cut(b"1" * 65536) is None
    piece = cutter.cut(b"1\n2\n")
    assert piece is not None
    assert LONGEST < len(piece.lines[0]) <= LONGEST + 65536
    assert piece.lines[1:] == [b"2"]


def test_a_source_is_read_ahead_by_a_bounded_amount() -> None:
    read = list[int]()

    def source() -> Iterator[Coming]:
        for number in range(1, 1000):
            read.append(number)
            yield Piece(number, [b"%d" % number])

    intake = Intake(source())
    wait_until(lambda: len(read) > DEPTH)
    # What it must not do, it would do soon.
    sleep(0.1)
    assert len(read) == DEPTH + 1
    taken = [intake.take(10, wait=True) for _ in range(999)]
    assert [item.first for item in taken if isinstance(item, Piece)] == list(range(1, 1000))
    assert intake.take(10, wait=True) is None
    assert intake.ended


def test_a_piece_is_taken_in_parts() -> None:
    intake = Intake(iter([Piece(5, [b"a", b"b", b"c"])]))
    assert intake.take(2, wait=True) == Piece(5, [b"a", b"b"])
    assert intake.take(2, wait=True) == Piece(7, [b"c"])
    assert intake.take(2, wait=True) is None


def test_an_error_of_the_source_is_raised_where_lines_are_taken() -> None:
    def source() -> Iterator[Coming]:
        yield Piece(1, [b"a"])
        raise OSError("the disk is gone")

    intake = Intake(source())
    assert intake.take(1, wait=True) == Piece(1, [b"a"])
    with pytest.raises(OSError, match="the disk is gone"):
        intake.take(1, wait=True)
    assert intake.ended


def test_waking_ends_a_wait_and_nothing_else() -> None:
    here, there = os.pipe()
    with open(here, "rb") as source, open(there, "wb", buffering=0) as sink:
        intake = Intake(of_stream(source))
        assert intake.take(1, wait=False) is None
        intake.wake()
        assert intake.take(1, wait=True) is None
        assert not intake.ended
        sink.write(b"1\n")
        assert intake.take(1, wait=True) == Piece(1, [b"1"])


def test_the_last_line_needs_no_line_feed_at_the_end_of_input(tmp_path: Path) -> None:
    file = tmp_path / "values.csv"
    file.write_bytes(b"1\n2")
    with file.open("rb") as source:
        assert list(pieces(of_stream(source))) == [(1, b"1"), (2, b"2")]


class Followed:
    """A followed file, looked at until something comes."""

    def __init__(self, path: Path) -> None:
        self.path, self.over = path, Event()
        self.intake = Intake(of_growing(path, self.over))

    def next(self) -> Coming:
        item = self.intake.take(1000, wait=True)
        assert item is not None
        return item

    def nothing(self) -> bool:
        sleep(0.3)
        return self.intake.take(1000, wait=False) is None


@pytest.fixture
def followed(tmp_path: Path) -> Iterator[Followed]:
    path = tmp_path / "values.csv"
    path.write_bytes(b"1\n2\n")
    found = Followed(path)
    yield found
    found.over.set()


def append(path: Path, content: bytes) -> None:
    with path.open("ab") as file:
        file.write(content)


def test_half_a_line_waits_for_its_other_half(followed: Followed) -> None:
    assert followed.next() == Piece(1, [b"1", b"2"])
    append(followed.path, b"3")
    assert followed.nothing()
    append(followed.path, b"4\n5")
    assert followed.next() == Piece(3, [b"34"])


def test_a_replaced_file_is_read_to_its_end_and_then_the_new_one(followed: Followed) -> None:
    assert followed.next() == Piece(1, [b"1", b"2"])
    moved = followed.path.rename(followed.path.with_suffix(".1"))
    append(moved, b"3\n4")
    assert followed.next() == Piece(3, [b"3"])
    followed.path.write_bytes(b"5\n")
    assert isinstance(followed.next(), Remark)
    assert followed.next() == Piece(4, [b"4"])
    assert followed.next() == Piece(1, [b"5"])


def test_a_truncated_file_is_read_from_its_beginning(followed: Followed) -> None:
    append(followed.path, b"half")
    assert followed.next() == Piece(1, [b"1", b"2"])
    followed.path.write_bytes(b"7\n")
    remark = followed.next()
    assert isinstance(remark, Remark)
    assert "truncated" in remark.text
    assert followed.next() == Piece(1, [b"7"])


def test_a_file_that_is_not_there_is_waited_for(tmp_path: Path) -> None:
    found = Followed(tmp_path / "later.csv")
    remark = found.next()
    assert isinstance(remark, Remark)
    assert "not there" in remark.text
    found.path.write_bytes(b"1\n")
    assert found.next() == Piece(1, [b"1"])
    found.over.set()
