"""What a page may do: run the scripts that it was written with, and ask for nothing."""

from base64 import b64encode
from collections.abc import Iterable
from hashlib import sha256


def policy(scripts: Iterable[str]) -> str:
    """A content security policy under which only these scripts run and no request leaves the file.

    A script is known by its hash, so that text which found its way into the page as a script would still not run.
    Plotly sets styles on what it draws, and turns a chart into a picture by way of a data or blob address.

    Examples
    --------
    >>> policy([]).split("; ")[:2]
    ["default-src 'none'", "script-src 'none'"]
    """
    hashes = " ".join(f"'sha256-{_digest(script)}'" for script in scripts) or "'none'"
    return (
        f"default-src 'none'; script-src {hashes}; style-src 'unsafe-inline'; img-src data: blob:; "
        "base-uri 'none'; form-action 'none'"
    )


def _digest(script: str) -> str:
    return b64encode(sha256(script.encode()).digest()).decode()
