"""The clients of `benchmarks.serving`, in a process of their own: observations at a fixed rate, sent until answered.

The loop is open: a request is due by the clock, whether or not earlier ones were answered, and its latency counts from
that moment. Each series has one connection that is kept alive, as its observations must come in order.
"""

import asyncio
import json
import math
from dataclasses import asdict, dataclass, field
from time import monotonic
from typing import Any

PAUSE = 0.05
"""Seconds before a request is sent again."""


@dataclass(frozen=True, slots=True)
class Load:
    """What is to be sent, and where."""

    port: int
    names: tuple[str, ...]
    first: int
    seconds: float
    rate: float
    drain: float = 60.0


@dataclass(slots=True)
class Sent:
    """What became of one series: how many were answered, latencies in seconds, and how often it was asked again."""

    count: int = 0
    quiet: list[float] = field(default_factory=list)
    outage: list[float] = field(default_factory=list)
    again: int = 0
    retries: int = 0
    forecasts: Any = None
    wrong: list[str] = field(default_factory=list)


def value_of(place: int, seq: int) -> float:
    """The observation `seq` of a series; no two are equal, so that one that is kept twice is seen."""
    return 10.0 * place + 3.0 * math.sin(seq / 5.0) + 0.5 * math.sin(7.31 * seq * seq) + 1e-7 * seq


class Line:
    """One connection, opened anew where it broke."""

    def __init__(self, port: int) -> None:
        self.port = port
        self.reader: asyncio.StreamReader | None = None
        self.writer: asyncio.StreamWriter | None = None

    async def post(self, path: str, body: bytes) -> tuple[int, Any]:
        """Status and JSON; OSError or EOFError where the service is gone."""
        if self.writer is None or self.reader is None:
            self.reader, self.writer = await asyncio.open_connection("127.0.0.1", self.port)
        head = (
            f"POST {path} HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n"
            f"Content-Length: {len(body)}\r\n\r\n"
        )
        try:
            self.writer.write(head.encode() + body)
            return await self._answer(self.reader)
        except BaseException:
            self.writer.close()
            self.reader = self.writer = None
            raise

    async def _answer(self, reader: asyncio.StreamReader) -> tuple[int, Any]:
        head = (await reader.readuntil(b"\r\n\r\n")).decode().split("\r\n")
        lengths = [line.partition(":")[2] for line in head if line.lower().startswith("content-length:")]
        return int(head[0].split()[1]), json.loads(await reader.readexactly(int(lengths[0])))


async def send_series(load: Load, place: int, begin: float) -> Sent:
    """All observations of one series, each until it is answered."""
    sent, line = Sent(), Line(load.port)
    gap = len(load.names) / load.rate
    offset = gap * place / len(load.names)
    disturbed_until = -math.inf
    for number in range(int(load.seconds / gap)):
        due = begin + offset + number * gap
        await asyncio.sleep(max(0.0, due - monotonic()))
        retries = await send_one(load, place, load.first + number + 1, sent, line, begin)
        if retries is None:
            break
        end = monotonic()
        sent.count += 1
        # Behind one that met an outage, those that were due meanwhile waited for it, and not for themselves.
        disturbed = retries > 0 or due < disturbed_until
        if disturbed:
            disturbed_until = end
        (sent.outage if disturbed else sent.quiet).append(end - due)
        sent.retries += retries
    return sent


async def send_one(load: Load, place: int, seq: int, sent: Sent, line: Line, begin: float) -> int | None:
    """How often it had to be sent again; None where it was refused, or time ran out."""
    body = json.dumps({"value": value_of(place, seq), "seq": seq}).encode()
    retries = 0
    while True:
        try:
            status, answer = await line.post(f"/series/{load.names[place]}/observations", body)
        except (OSError, EOFError):
            status, answer = 0, {}
        if status == 200:
            sent.again += answer.get("again", False)
            sent.forecasts = answer["forecasts"]
            if answer["seq"] != seq or (retries == 0 and answer.get("again")):
                sent.wrong.append(
                    f"{load.names[place]} {seq}: answered {answer['seq']}, again {answer.get('again')}"
                )
            return retries
        if status not in (0, 503):
            sent.wrong.append(f"{load.names[place]} {seq}: {status} {answer}")
            return None
        if monotonic() > begin + load.seconds + load.drain:
            sent.wrong.append(f"{load.names[place]} {seq}: not answered in time")
            return None
        retries += 1
        await asyncio.sleep(PAUSE)


async def send_all(load: Load) -> list[Sent]:
    """Every series at once."""
    begin = monotonic() + 0.2
    return list(await asyncio.gather(*(send_series(load, place, begin) for place in range(len(load.names)))))


def main() -> None:
    """Read the load from standard input, send it, and print what became of it."""
    given = json.loads(input())
    sent = asyncio.run(send_all(Load(**given | {"names": tuple(given["names"])})))
    print(json.dumps([asdict(one) for one in sent]))


if __name__ == "__main__":
    main()
