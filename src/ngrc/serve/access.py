"""Who may ask: the token, the name of the host, the size and kind of a body; and what browsers are told."""

import os
import re
from collections.abc import Callable, Iterable
from hmac import compare_digest
from ipaddress import ip_address
from pathlib import Path
from typing import Any

from starlette.datastructures import Headers
from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

SHORTEST = 16
"""Letters of a token; shorter ones can be tried out."""
OPEN = ("/health", "/")
"""Paths without a token: health for whoever restarts the service, and pages, which hold no data."""
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
HEADERS = {
    "Content-Security-Policy": POLICY,
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cache-Control": "no-store",
}

_RAW = [(name.lower().encode(), value.encode()) for name, value in HEADERS.items()]


def read_token(file: Path | None) -> str | None:
    """The token from a file or from NGRC_TOKEN; None where neither is given."""
    given = os.environ.get("NGRC_TOKEN")
    if file is None and given is None:
        return None
    if file is not None and given is not None:
        raise ValueError("the token is given twice, by --token-file and by NGRC_TOKEN; give one of them")
    where = f"the file {file}" if file is not None else "NGRC_TOKEN"
    token = (_text(file) if file is not None else str(given)).strip()
    if len(token) < SHORTEST or not all("!" <= letter <= "~" for letter in token):
        raise ValueError(
            f"the token in {where} must be at least {SHORTEST} visible ASCII letters without blanks, got {len(token)}"
            " letters; make one with: openssl rand -hex 32"
        )
    return token


def _text(file: Path) -> str:
    try:
        return file.read_text(encoding="utf-8")
    except UnicodeDecodeError:
        raise ValueError(f"the file {file} with the token is no text; write the token into it") from None


def is_loopback(host: str) -> bool:
    """Whether only this machine can reach the address.

    Examples
    --------
    >>> is_loopback("127.0.0.1"), is_loopback("::1"), is_loopback("localhost"), is_loopback("0.0.0.0")
    (True, True, True, False)
    """
    if host == "localhost":
        return True
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return False


def check_exposure(host: str, token: str | None, *, without: bool) -> None:
    """Refuse to listen to other machines without a token, unless that was said."""
    if token is None and not without and not is_loopback(host):
        raise ValueError(
            f"--host {host} can be reached from other machines, and no token is given; give --token-file FILE or "
            "NGRC_TOKEN, or say --no-token"
        )


class Guard:
    """Everything that is checked before a request is looked at, and the headers of every answer.

    Parameters
    ----------
    app
        The application behind it.
    token
        None: nobody is asked.
    hosts
        Names that the Host header may hold, without a port; none: any. A page of somebody else's whose name was made
        to point to this machine (DNS rebinding) comes with its own name.
    largest
        Bytes of a body.
    refused
        Told the status of every refusal, to count them.
    """

    def __init__(
        self,
        app: ASGIApp,
        *,
        token: str | None,
        hosts: Iterable[str],
        largest: int,
        refused: Callable[[int], None],
    ) -> None:
        self.app, self.largest, self.refused = app, largest, refused
        self.secret = None if token is None else f"Bearer {token}".encode()
        self.hosts = frozenset(host.lower() for host in hosts)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Refuse, or hand on."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        guarded = _with_headers(send)
        refusal = self.refusal(scope)
        if refusal is not None:
            self.refused(refusal.status_code)
            await refusal(scope, receive, guarded)
            return
        await self.app(scope, Bounded(receive, self.largest), guarded)

    def refusal(self, scope: Scope) -> JSONResponse | None:
        """The answer to a request that may not pass, by its head alone."""
        headers = Headers(scope=scope)
        if self.hosts and _host(headers.get("host", "")) not in self.hosts:
            return refuse(400, "the Host header names another host than this service; see --allow-host")
        # Of another site's page; without CORS its script reads no answer, and this keeps it from writing as well.
        if headers.get("sec-fetch-site") == "cross-site" and scope["method"] not in ("GET", "HEAD"):
            return refuse(400, "requests from pages of other sites are not taken")
        if not self.allowed(scope["path"], headers):
            answer = refuse(401, "a token is needed: send the header Authorization: Bearer TOKEN")
            answer.headers["WWW-Authenticate"] = "Bearer"
            return answer
        length = headers.get("content-length", "0")
        if not length.isdecimal():
            return refuse(400, "the Content-Length header is no number")
        return self.too_large() if int(length[:20]) > self.largest else None

    def allowed(self, path: str, headers: Headers) -> bool:
        """Whether the token is right, or none is needed."""
        if self.secret is None or path in OPEN or path.startswith("/assets/") or _is_page(path):
            return True
        # Bytes: compare_digest takes no other letters than ASCII in text.
        return compare_digest(headers.get("authorization", "").encode("utf-8", "replace"), self.secret)

    def too_large(self) -> JSONResponse:
        """The answer to a body that is not read to its end."""
        answer = refuse(413, str(TooLarge(self.largest)))
        answer.headers["Connection"] = "close"
        return answer


class TooLarge(Exception):  # noqa: N818 - named as the answer is
    """A body is longer than is taken."""

    def __init__(self, largest: int) -> None:
        super().__init__(f"a body has at most {largest} bytes; send several requests")


class Bounded:
    """The messages of a request, as long as its body stays within the bound."""

    def __init__(self, receive: Receive, largest: int) -> None:
        self.receive, self.largest, self.left = receive, largest, largest

    async def __call__(self) -> Message:
        """The next message."""
        message = await self.receive()
        self.left -= len(message.get("body", b""))
        if self.left < 0:
            raise TooLarge(self.largest)
        return message


def refuse(status: int, words: str, **more: Any) -> JSONResponse:
    """An error as every route gives it: `{"error": "..."}`."""
    headers = {"Retry-After": "1"} if status == 503 else None
    return JSONResponse({"error": words, **more}, status_code=status, headers=headers)


def _is_page(path: str) -> bool:
    parts = path.split("/")
    return len(parts) == 4 and parts[1] == "series" and parts[3] == "live"


_HOST = re.compile(r"(?:\[([^\[\]]*)\]|([^:\[\]]*))(?::[0-9]*)?")


def _host(header: str) -> str:
    """The name in a Host header, without port and brackets; empty where it is none.

    Examples
    --------
    >>> _host("[::1]:8350"), _host("localhost"), _host("[::1].example"), _host("localhost:1.example")
    ('::1', 'localhost', '', '')
    """
    found = _HOST.fullmatch(header.lower())
    return "" if found is None else found[1] or found[2] or ""


def _with_headers(send: Send) -> Send:
    async def sent(message: Message) -> None:
        if message["type"] == "http.response.start":
            given = {name for name, _ in message["headers"]}
            message["headers"] = [*message["headers"], *(pair for pair in _RAW if pair[0] not in given)]
        await send(message)

    return sent
