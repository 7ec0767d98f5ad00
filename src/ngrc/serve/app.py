"""The ASGI application: routes, and every failure as one line of JSON."""

import asyncio
import json
from collections.abc import Awaitable, Callable, Iterable
from dataclasses import dataclass
from functools import partial
from typing import Any
from urllib.parse import quote

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect, Request
from starlette.responses import HTMLResponse, JSONResponse, Response
from starlette.routing import Route

from ngrc.durable import ConflictError, LockedError, Observation, StoreError, UnknownSeriesError
from ngrc.durable.creation import check_name
from ngrc.serve.access import Guard, TooLarge, refuse
from ngrc.serve.board import Board
from ngrc.serve.live_page import ASSETS, asset, index_page, live_page
from ngrc.serve.metrics import CONTENT_TYPE, Metrics
from ngrc.serve.orders import Creation, creation, observations
from ngrc.serve.strict_json import parse, shown
from ngrc.serve.tally import Tally
from ngrc.serve.worker import Answered, BusyError, Worker
from ngrc.stream.answers import answer
from ngrc.validation import check_count

LARGEST_BODY = 4_000_000
"""Bytes: a history of some 50,000 timed values, or the most observations that one request may hold."""
SMALL_BODY = 20_000
"""Bytes that are read at once, in about a millisecond; larger ones in a thread, so that others are answered."""
PATIENCE = 30.0
"""Seconds that a client waits for its commit before it is asked to send again: longer than the first fit of a long
series."""
BODY_SECONDS = 30.0
"""In which a body has to come, so that slow clients do not hold all connections."""
DEFECT = "an internal error; the log of the service has it"

Endpoint = Callable[[Request], Awaitable[Response]]


@dataclass(frozen=True, slots=True)
class Service:
    """What the routes stand on."""

    board: Board
    tally: Tally
    worker: Worker
    patience: float = PATIENCE


def make_app(
    service: Service,
    *,
    token: str | None = None,
    hosts: Iterable[str] = (),
    largest: int = LARGEST_BODY,
) -> Starlette:
    """The application around a worker that runs already."""
    metrics = Metrics(service.board, service.tally, service.worker)
    routes = [
        Route("/", _html(index_page()), methods=["GET"]),
        Route("/assets/{name}", _asset, methods=["GET"]),
        Route("/health", partial(_health, service), methods=["GET"]),
        Route("/metrics", partial(_metrics, metrics), methods=["GET"]),
        Route("/series", partial(_list, service), methods=["GET"]),
        Route("/series/{name}", partial(_one, service), methods=["GET"]),
        Route("/series/{name}", partial(_create, service), methods=["PUT"]),
        Route("/series/{name}/observations", partial(_observe, service), methods=["POST"]),
        Route("/series/{name}/forecast", partial(_forecast, service), methods=["GET"]),
        Route("/series/{name}/recent", partial(_recent, service), methods=["GET"]),
        Route("/series/{name}/live", _live, methods=["GET"]),
    ]
    handlers: dict[Any, Any] = {
        kind: partial(_failure, service)
        for kind in (HTTPException, ValueError, StoreError, BusyError, MemoryError)
    }
    # Anything else is a defect of ours: logged by the server, and told in the same form.
    handlers[Exception] = _defect
    app = Starlette(routes=routes, exception_handlers=handlers)
    app.add_middleware(
        Guard, token=token, hosts=tuple(hosts), largest=largest, refused=partial(_count_error, service)
    )
    return app


async def _health(service: Service, request: Request) -> Response:
    # Without a reason: this is read without a token, and a reason may name the database.
    worker = service.worker
    well = worker.trouble is None and not worker.broken and worker.is_alive()
    status = "ok" if well else "failed" if worker.broken or not worker.is_alive() else "degraded"
    said = {"status": status, "queue": worker.length}
    return JSONResponse(said, status_code=200 if well else 503)


async def _metrics(metrics: Metrics, request: Request) -> Response:
    await _shown(metrics.board, *metrics.board.unread)
    return Response(metrics.text(), media_type=CONTENT_TYPE)


async def _list(service: Service, request: Request) -> Response:
    await _shown(service.board, *service.board.unread)
    series = [service.board.summary(name) for name in service.board.names()]
    return _json({"series": series, "trouble": service.worker.trouble})


async def _one(service: Service, request: Request) -> Response:
    return _json(service.board.summary(await _asked(service, request)))


async def _forecast(service: Service, request: Request) -> Response:
    return _json(service.board.forecast(await _asked(service, request)))


async def _recent(service: Service, request: Request) -> Response:
    name = await _asked(service, request)
    for option in request.query_params:
        if option not in ("count", "after", "step", "level"):
            raise ValueError(f"unknown option {shown(option)}; choose from count, after, step, level")
    level = request.query_params.get("level")
    said = service.board.recent(
        name,
        count=_count(request, "count", 300, 1),
        after=_count(request, "after", 0, 0),
        step=_count(request, "step", 1, 1),
        level=None if level is None else _share(level),
    )
    return _json(said | {"trouble": service.worker.trouble})


async def _create(service: Service, request: Request) -> Response:
    name: str = request.path_params["name"]
    check_name(name)
    # In a thread: a long history takes a moment to check, in which others are to be answered.
    order = await asyncio.to_thread(lambda body: creation(name, parse(body)), await _body(request))
    answered = await _done(service, name, order)
    if answered.error is not None:
        status, words = _judge(answered.error)
        _count_error(service, status)
        return refuse(status, words)
    said: dict[str, Any] = {"name": name, "created": answered.created}
    if answered.replies:
        said["newest"] = json.loads(answer(answered.replies[-1]))
    return _json(said, 201 if answered.created else 200)


async def _observe(service: Service, request: Request) -> Response:
    name = _known(service, request)
    sent = await _body(request)
    body, order = await asyncio.to_thread(_read, sent) if len(sent) > SMALL_BODY else _read(sent)
    answered = await _done(service, name, order)
    lines = [answer(reply).strip() for reply in answered.replies]
    said = f"[{', '.join(lines)}]" if isinstance(body, list) else "".join(lines)
    if answered.error is None:
        return Response(said, media_type="application/json")
    status, words = _judge(answered.error)
    _count_error(service, status)
    if isinstance(body, list):
        words = f"observation {len(lines) + 1} of {len(body)}: {words}; those before it are kept"
    return refuse(status, words, **({"replies": json.loads(said)} if isinstance(body, list) else {}))


def _read(sent: bytes) -> tuple[Any, tuple[Observation, ...]]:
    body = parse(sent)
    return body, observations(body)


async def _done(service: Service, name: str, order: Any) -> Answered:
    """The order's outcome, once it is committed; a client that waited too long is asked to send again."""
    promise = asyncio.wrap_future(service.worker.submit(name, order))
    # A series is made by a fit, which may take a minute; nobody would gain from hearing of it earlier.
    patience = None if isinstance(order, Creation) else service.patience
    try:
        return await asyncio.wait_for(promise, patience)
    except TimeoutError:
        raise BusyError(
            "it was not kept in time; send it again, with its time or seq, by which it is taken once"
        ) from None


async def _live(request: Request) -> Response:
    # The page of any name: whether there is such a series is told to who has the token.
    return HTMLResponse(live_page(request.path_params["name"]))


async def _asset(request: Request) -> Response:
    name = request.path_params["name"]
    if name not in ASSETS:
        raise HTTPException(404, f"there is no {shown(name)}")
    return Response(asset(name), media_type=ASSETS[name], headers={"Cache-Control": "public, max-age=300"})


def _html(text: str) -> Endpoint:
    async def page(request: Request) -> Response:
        return HTMLResponse(text)

    return page


async def _body(request: Request) -> bytes:
    kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    # A form of another site's page can send any body, but not under this name.
    if kind != "application/json":
        raise HTTPException(415, "send JSON, under the header Content-Type: application/json")
    try:
        async with asyncio.timeout(BODY_SECONDS):
            return await request.body()
    except TooLarge as error:
        raise HTTPException(413, str(error), headers={"Connection": "close"}) from None
    except TimeoutError:
        raise HTTPException(400, f"the body did not come within {BODY_SECONDS:g} s") from None
    except ClientDisconnect:
        # Nobody reads the answer; it is counted as an error of the request, and not one of ours.
        raise HTTPException(400, "the connection was closed before the body was complete") from None


def _known(service: Service, request: Request) -> str:
    name: str = request.path_params["name"]
    if name not in service.board:
        check_name(name)
        raise UnknownSeriesError(f"there is no series {name!r}; make it with PUT /series/{quote(name)}")
    return name


async def _asked(service: Service, request: Request) -> str:
    """The name of a known series, whose replies are at hand."""
    name = _known(service, request)
    await _shown(service.board, name)
    return name


async def _shown(board: Board, *names: str) -> None:
    """In a thread: what was kept before this start is read from the database."""
    if board.unread.intersection(names):
        await asyncio.to_thread(board.load, *names)


def _count(request: Request, name: str, default: int, least: int) -> int:
    given = request.query_params.get(name)
    if given is None:
        return default
    if not given.isascii() or not given.isdecimal() or len(given) > 15:
        raise ValueError(f"{name} must be a whole number of at least {least}, got {shown(given)}")
    return check_count(int(given), name, least)


def _share(given: str) -> float:
    try:
        return float(given)
    except ValueError:
        raise ValueError(f"level must be a number such as 0.9, got {shown(given)}") from None


def _json(value: Any, status: int = 200) -> Response:
    text = json.dumps(value, allow_nan=False, separators=(",", ":"))
    return Response(text, status_code=status, media_type="application/json")


async def _failure(service: Service, request: Request, error: Exception) -> Response:
    status, words = _judge(error)
    _count_error(service, status)
    answer = refuse(status, words)
    # Such as the methods that a path knows, with 405.
    answer.headers.update(getattr(error, "headers", None) or {})
    return answer


async def _defect(request: Request, error: Exception) -> Response:
    return refuse(500, DEFECT)


def _judge(error: Exception) -> tuple[int, str]:
    """Status and words of a failure."""
    if isinstance(error, HTTPException):
        return error.status_code, error.detail
    if isinstance(error, LockedError):
        return 503, str(error)
    if isinstance(error, StoreError) and not error.temporary:
        return 503, "the service cannot go on with this series; it has to be started again"
    if isinstance(error, StoreError):
        return 503, "the database does not take it now; it is tried again, send it again later"
    if isinstance(error, BusyError):
        return 503, str(error)
    if isinstance(error, MemoryError):
        return 400, "not enough memory for this many features; use fewer lags or a lower degree"
    if not isinstance(error, ValueError):
        return 500, DEFECT
    status = (
        404 if isinstance(error, UnknownSeriesError) else 409 if isinstance(error, ConflictError) else 400
    )
    return status, " ".join(str(error).split())


def _count_error(service: Service, status: int) -> None:
    kinds = {401: "token", 404: "unknown", 409: "conflict", 413: "large", 503: "unavailable"}
    service.tally.errors[kinds.get(status, "request")] += 1
