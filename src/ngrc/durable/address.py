"""What `--state` may be: a file (SQLite), `sqlite:///...`, or `postgresql://...`."""

import os
from dataclasses import dataclass
from pathlib import Path

_POSTGRESQL = ("postgresql", "postgres", "postgresql+psycopg")


@dataclass(frozen=True, slots=True)
class Address:
    """Where a state is kept.

    Parameters
    ----------
    path
        The file of an SQLite database, behind all links; None of a server's.
    url
        Where a server's is, with the password; empty of a file.
    shown
        What messages call it, without a password.
    """

    path: Path | None
    url: str
    shown: str

    def hide(self, text: str) -> str:
        """A text in which the password does not occur."""
        password = _password(self.url)
        return text.replace(password, "***") if password else text


def parse_address(text: str | Path) -> Address:
    """Read an address.

    Examples
    --------
    >>> parse_address("postgresql://ada:secret@db.example/readings").shown
    'postgresql://ada:***@db.example/readings'
    >>> parse_address("mysql://db.example/readings")
    Traceback (most recent call last):
    ...
    ValueError: a state is a file (SQLite), sqlite:///FILE or postgresql://HOST/DATABASE, got one of the kind 'mysql'
    """
    written = os.fspath(text)
    kind, scheme, rest = written.partition("://")
    if not scheme:
        return _file(written)
    if kind == "sqlite":
        # As everywhere with SQLAlchemy: three slashes before a relative path, four before an absolute one.
        return _file(rest.removeprefix("/"))
    if kind in _POSTGRESQL:
        return Address(None, f"postgresql+psycopg://{rest}", _without_password(f"postgresql://{rest}"))
    raise ValueError(
        f"a state is a file (SQLite), sqlite:///FILE or postgresql://HOST/DATABASE, got one of the kind {kind!r}"
    )


def _file(text: str) -> Address:
    if not text or text.startswith(":memory:") or "\0" in text:
        raise ValueError(f"a state is kept in a file, got {text!r}; name one, such as readings.db")
    path = Path(text)
    if path.is_dir():
        raise ValueError(f"cannot keep a state in {text}: it is a folder; name a file in it")
    if not path.parent.is_dir():
        raise ValueError(f"cannot keep a state in {text}: there is no folder {path.parent}; make it first")
    if path.exists() and not path.is_file():
        raise ValueError(f"cannot keep a state in {text}: it is a pipe or a device; name a file")
    # Behind links: two names of one file must lead to one lock.
    return Address(path.resolve(), "", text)


def _password(url: str) -> str:
    """The password as it is written in an address, before the last @ of host and user."""
    user, at, _ = url.partition("://")[2].partition("/")[0].rpartition("@")
    return user.partition(":")[2] if at else ""


def _without_password(url: str) -> str:
    password = _password(url)
    shown = url.replace(f":{password}@", ":***@", 1) if password else url
    # Options may hold a password too.
    return shown.partition("?")[0]
