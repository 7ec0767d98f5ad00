"""What `--state` may be: a file (SQLite), `sqlite:///...`, or `postgresql://...`."""

import errno
import os
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import unquote

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
        """A text in which the password does not occur, as it is written in the address or as it is read."""
        for password in _passwords(self.url):
            text = text.replace(password, "***").replace(unquote(password), "***")
        return text


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
    if path.is_symlink() and _circular(path):
        raise ValueError(f"cannot keep a state in {text}: it is a link that leads to itself; name a file")
    # Behind links: two names of one file must lead to one lock.
    return Address(path.resolve(), "", text)


def _circular(link: Path) -> bool:
    try:
        link.stat()
    except OSError as error:
        return error.errno == errno.ELOOP
    return False


def _passwords(url: str) -> list[str]:
    """Passwords as they are written in an address: after the user's name, or among the options."""
    place, _, options = url.partition("://")[2].partition("?")
    user = place.partition("/")[0].rpartition("@")[0]
    pairs = (option.partition("=") for option in options.split("&"))
    found = [user.partition(":")[2], *(value for key, _, value in pairs if "password" in key)]
    return [password for password in found if password]


def _without_password(url: str) -> str:
    # Without options, which may hold one too.
    shown = url.partition("?")[0]
    for password in _passwords(shown):
        shown = shown.replace(f":{password}@", ":***@", 1)
    return shown
