"""`python -m benchmarks.serving --seconds 60 --rate 200 --kills`: `ngrc serve` under load, killed and started again.

Afterwards the database is compared with what was sent. The exit code is 1 unless nothing was lost, nothing doubled, and
the newest forecasts are those of a forecaster that was never interrupted, to the bit.
"""

import argparse
import json
import os
import random
import signal
import socket
import sqlite3
import subprocess
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path
from typing import Any
from urllib.request import Request, urlopen

import numpy as np

from benchmarks.serving_load import value_of

HISTORY = 200
SETTINGS = {"model": {"lags": 4, "degree": 1}, "method": "adaptive", "level": [0.8, 0.95], "horizon": 3}
SERVER = [sys.executable, "-c", "from ngrc.cli import main; main()", "serve"]


class Server:
    """The service as a child, on one port for its whole life."""

    def __init__(self, state: Path) -> None:
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port: int = free.getsockname()[1]
        self.state = state
        self.process = self.started()

    def started(self) -> "subprocess.Popen[bytes]":
        """A new process; it answers when it has said its address."""
        command = [*SERVER, "--state", str(self.state), "--port", str(self.port)]
        return subprocess.Popen(command, stdout=subprocess.PIPE)

    def wait(self) -> None:
        """Until it answers."""
        assert self.process.stdout is not None
        if not self.process.stdout.readline():
            raise SystemExit(f"the service ended with {self.process.wait()} instead of starting")

    def kill(self) -> float:
        """End it without warning and start it anew; seconds until it answers again."""
        begin = time.monotonic()
        self.process.kill()
        self.process.wait()
        self.process = self.started()
        self.wait()
        return time.monotonic() - begin

    def stop(self) -> int:
        """End it as one would; its exit code."""
        self.process.send_signal(signal.SIGTERM)
        return self.process.wait(60)


def put(port: int, name: str, settings: Any) -> None:
    body = json.dumps(settings).encode()
    address = f"http://127.0.0.1:{port}/series/{name}"
    request = Request(address, body, {"Content-Type": "application/json"}, method="PUT")
    with urlopen(request, timeout=300) as answer:
        assert answer.status == 201


def history(place: int) -> list[float]:
    return [value_of(place, seq) for seq in range(1, HISTORY + 1)]


def kept_values(state: Path, name: str) -> list[float]:
    """What is in the database, by SQLite itself and none of our own code."""
    query = (
        "select value from observations join series on series.id = observations.series "
        "where series.name = ? order by seq"
    )
    with sqlite3.connect(state) as connection:
        return [row[0] for row in connection.execute(query, (name,))]


def compare(state: Path, names: list[str], sent: list[dict[str, Any]]) -> dict[str, int]:
    """Observations that were answered and are not kept, kept more than once, or kept and never sent."""
    lost = doubled = strange = 0
    for place, (name, one) in enumerate(zip(names, sent, strict=True)):
        wanted = [value_of(place, seq) for seq in range(1, HISTORY + one["count"] + 1)]
        kept = Counter(kept_values(state, name))
        lost += sum(value not in kept for value in wanted)
        doubled += sum(count - 1 for count in kept.values())
        strange += len(kept.keys() - set(wanted))
        strange += kept_values(state, name) != wanted
    return {"lost": lost, "doubled": doubled, "strange": strange}


def uninterrupted(place: int, count: int) -> Any:
    """The newest forecasts of the same observations in one process without a database."""
    from ngrc import NGRC, OnlineForecaster

    model = NGRC(**SETTINGS["model"])  # type: ignore[arg-type]
    level, horizon = SETTINGS["level"], SETTINGS["horizon"]
    live = OnlineForecaster(model, SETTINGS["method"], level, horizon=horizon)  # type: ignore[arg-type]
    live.start(np.array(history(place)))
    for seq in range(HISTORY + 1, HISTORY + count + 1):
        live.observe(value_of(place, seq))
    coming = live.next()
    ends = {level: (coming.lower[level].tolist(), coming.upper[level].tolist()) for level in coming.lower}
    return coming.mean.tolist(), ends


def differing(sent: list[dict[str, Any]]) -> int:
    """Series whose newest forecasts are not those of the uninterrupted forecaster, to the bit."""
    differ = 0
    for place, one in enumerate(sent):
        mean, ends = uninterrupted(place, one["count"])
        said = one["forecasts"]
        same = [row["mean"] for row in said] == mean and all(
            [row["intervals"][repr(level)] for row in said]
            == [list(pair) for pair in zip(*both, strict=True)]
            for level, both in ends.items()
        )
        differ += not same
    return differ


def run(options: argparse.Namespace, folder: Path) -> dict[str, Any]:
    names = [f"series-{place}" for place in range(options.series)]
    server = Server(folder / "state.db")
    clients = None
    try:
        server.wait()
        for place, name in enumerate(names):
            put(server.port, name, SETTINGS | {"history": history(place)})
        clients = clients_of(server.port, names, options)
        outages = disturb(server, names, options)
        assert clients.stdout is not None
        sent = json.loads(clients.stdout.read())
        code = server.stop()
    finally:
        for process in (server.process, clients):
            if process is not None and process.poll() is None:
                process.kill()
    found = summary(sent, outages, code) | compare(folder / "state.db", names, sent)
    return found | {"differing": differing(sent)}


def clients_of(port: int, names: list[str], options: argparse.Namespace) -> "subprocess.Popen[str]":
    """The process that sends, which has begun."""
    load = {"port": port, "names": names, "first": HISTORY, "seconds": options.seconds, "rate": options.rate}
    command = [sys.executable, "-m", "benchmarks.serving_load"]
    clients = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    assert clients.stdin is not None
    clients.stdin.write(json.dumps(load) + "\n")
    clients.stdin.close()
    return clients


def disturb(server: Server, names: list[str], options: argparse.Namespace) -> list[float]:
    """Kill at random moments until the time is over; seconds that each outage took."""
    rng, outages, end = random.Random(options.seed), [], time.monotonic() + options.seconds
    if options.picture is not None:
        time.sleep(min(8.0, options.seconds / 3.0))
        picture(server.port, names[0], options.picture)
    while options.kills and time.monotonic() + 12.0 < end:
        # Long enough for some load without an outage between two of them.
        time.sleep(rng.uniform(5.0, 12.0))
        outages.append(server.kill())
    return outages


def summary(sent: list[dict[str, Any]], outages: list[float], code: int) -> dict[str, Any]:
    quiet = np.array([seconds for one in sent for seconds in one["quiet"]])
    outage = [seconds for one in sent for seconds in one["outage"]]
    return {
        "requests": sum(one["count"] for one in sent), "p50 ms": percentile(quiet, 50), "p99 ms": percentile(quiet, 99),
        "max ms": percentile(quiet, 100), "kills": len(outages), "seconds to come back": np.round(outages, 2).tolist(),
        "requests in outages": len(outage), "max of those ms": percentile(np.array(outage), 100),
        "sent again": sum(one["retries"] for one in sent), "known again": sum(one["again"] for one in sent),
        "exit code": code, "wrong": [line for one in sent for line in one["wrong"]],
    }  # fmt: skip


def percentile(seconds: Any, share: float) -> float | None:
    return round(1e3 * float(np.percentile(seconds, share)), 1) if len(seconds) else None


def picture(port: int, name: str, path: Path) -> None:
    """The live page under load, as a browser draws it."""
    import shutil

    from playwright.sync_api import sync_playwright

    with sync_playwright() as driver:
        browser = driver.chromium.launch(
            executable_path=shutil.which("chromium"), args=["--headless", "--no-sandbox", "--disable-gpu"]
        )
        page = browser.new_page(viewport={"width": 1100, "height": 1000})
        page.goto(f"http://127.0.0.1:{port}/series/{name}/live")
        page.wait_for_selector("html[data-drawn]", state="attached")
        page.wait_for_timeout(2500)
        page.screenshot(path=str(path), full_page=True)
        browser.close()


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.serving", description=__doc__)
    parser.add_argument("--seconds", type=float, default=60.0)
    parser.add_argument("--rate", type=float, default=200.0, help="requests per second, over all series")
    parser.add_argument("--series", type=int, default=8)
    parser.add_argument("--kills", action="store_true", help="end the service at random moments")
    parser.add_argument("--seed", type=int, default=0, help="of the moments")
    parser.add_argument("--picture", type=Path, help="draw the live page under load into this PNG")
    options = parser.parse_args()
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    with tempfile.TemporaryDirectory() as folder:
        found = run(options, Path(folder))
    for name, value in found.items():
        print(f"{name}: {value}")
    well = not any(found[name] for name in ("lost", "doubled", "strange", "differing", "exit code", "wrong"))
    raise SystemExit(0 if well else 1)


if __name__ == "__main__":
    main()
