"""Downloads from an address into a file, with a cap on the size."""

from pathlib import Path
from typing import Any, BinaryIO
from urllib.parse import urljoin, urlsplit

from ngrc._progress import tell

LOOPBACK = ("127.0.0.1", "localhost", "::1")
"""This machine: what comes from it passes no network."""
_TIMEOUT = 60
"""Seconds without a byte before a server counts as silent: twice pooch's own 30, for slow lines."""


class DatasetError(ValueError):
    """An original file is missing, cannot be fetched or is not what it should be."""


class CappedFile:
    """An open file that refuses the first chunk that would make it longer than `most` bytes, and tells of the others.

    `expected` bytes will come, where the server says so.
    """

    def __init__(self, file: BinaryIO, most: int) -> None:
        self.file, self.room, self.most = file, most, most
        self.expected: int | None = None

    def write(self, chunk: bytes) -> int:
        """Pass a chunk on, or refuse it."""
        self.room -= len(chunk)
        if self.room < 0:
            raise DatasetError(f"it sends more than the {self.most:,} bytes that this file may have")
        # In kilobytes, which people can read; rounded up, so that the end is reached.
        total = None if self.expected is None else -(-self.expected // 1000)
        tell("kB fetched", -(-(self.most - self.room) // 1000), total)
        return self.file.write(chunk)

    def flush(self) -> None:
        """Pass what was written on to the disk."""
        self.file.flush()


def check_address(url: str, start: str | None = None) -> None:
    """Refuse an address that is not https; plain http may lead from this machine to itself, which tests need.

    `start` is where a chain of redirections began, if `url` is none itself.

    Examples
    --------
    >>> check_address("https://example.org/data.txt")
    >>> check_address("http://example.org/data.txt")
    Traceback (most recent call last):
    ...
    ngrc.datasets.transfer.DatasetError: data come over https alone, and the address is http://example.org/data.txt
    """
    places = [urlsplit(one) for one in (url, start or url)]
    if places[0].scheme == "https":
        return
    if not all(place.scheme == "http" and place.hostname in LOOPBACK for place in places):
        where = "the address is" if start is None else "it sends us on to"
        raise DatasetError(f"data come over https alone, and {where} {url}")


def transfer(url: str, path: Path, most: int) -> None:
    """Write what the address sends to `path`, telling how far it is; failures of the network are `DatasetError`."""
    check_address(url)
    try:
        import pooch
        import requests
    except ImportError:
        raise DatasetError("downloads need pooch: pip install 'ngrc[datasets]'") from None
    responses: list[Any] = []
    try:
        # r+b, not wb: the empty file was made exclusively for us and must not be replaced.
        with path.open("r+b") as file:
            capped = CappedFile(file, most)

            def remember(response: Any, *_: Any, **__: Any) -> None:
                responses.append(response)
                # Heard of before it is followed.
                if response.is_redirect:
                    check_address(urljoin(response.url, response.headers["location"]), url)
                length = response.headers.get("content-length", "")
                capped.expected = int(length) if length.isdigit() else None

            pooch.HTTPDownloader(timeout=_TIMEOUT, hooks={"response": remember})(url, capped, None)
    except requests.RequestException as error:
        raise DatasetError((str(error) or type(error).__name__).splitlines()[0]) from None
    finally:
        # pooch leaves the connection of a broken transfer open.
        for response in responses:
            response.close()
