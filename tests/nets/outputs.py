"""Every command's `--json` on small inputs that are made here: what it prints, as plain values."""

import contextlib
import io
import json
import os
import shlex
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

from ngrc.cli import run

SMALL = "--lags 3 --degree 1 --method split"
LINES = {
    "forecast": f"forecast wave.csv --column load {SMALL} --horizon 3 --level 80,95 --save model.ngrc --json",
    "forecast, default model": "forecast short.csv --horizon 2 --json",
    "forecast, saved model": "forecast wave.csv --column load --model model.ngrc --json",
    "forecast, columns beside": f"forecast beside.csv --column load --known sun --exog wind {SMALL} --horizon 2 --json",
    "forecast, several targets": f"forecast wave.csv --target load,wind {SMALL} --horizon 2 --json",
    "forecast, several series": f"forecast long.csv {SMALL} --horizon 2 --json",
    "forecast, gaps": f"forecast gaps.csv {SMALL} --horizon 2 --json",
    "compare": f"compare wave.csv --column load {SMALL},adaptive,student --level 80,95 --json",
    "compare, walk forward": f"compare wave.csv --column load {SMALL} --split walk --json",
    "compare, several series": f"compare long.csv {SMALL} --json",
    "diagnose": "diagnose wave.csv --column load --lags 3 --degree 1 --json",
    "intervals": "intervals mine.csv --method adaptive --level 80,95 --json",
    "report": f"report wave.csv --column load {SMALL} --horizon 3 --out page.html --json",
    "stream": f"stream {SMALL} --gather 40 --horizon 2 --level 80,95 < lines.csv",
    "stream, with a state": f"stream --state state.db {SMALL} --gather 40 --horizon 2 < lines.csv",
    "stream, inspected": "stream --state state.db --inspect --json",
    "data list": "data list --json",
    "data where": "data where exchange --json",
    "reproduce": "reproduce --list --json",
}
"""Command lines by title, in the order in which they are run: a saved model and a state are used by later ones."""

CODES = {"data where": 1}
"""Exit codes other than 0: the folder of data is empty here."""

VOLATILE = {
    "seconds",
    "versions",
    "version",
    "when",
    "made",
    "made_at",
    "bytes",
    "size",
    "modified",
    "python",
    "created",
    "ngrc",
    "cache",
    "path",
}
"""Keys whose values differ from run to run; what is compared of them is that they are there."""


def furnish(folder: Path) -> None:
    """The files that the command lines name; every number is exact in its text."""
    steps = np.arange(240)
    # A sum of waves and a sequence that looks random, without a generator whose stream might change.
    rough = (steps * 7919 % 104729) / 104729 - 0.5
    load = np.round(20 + 5 * np.sin(2 * np.pi * steps / 24) + 2 * rough, 4)
    wind = np.round(8 + 2 * np.cos(2 * np.pi * steps / 17) + (steps * 104729 % 7919) / 7919, 4)
    sun = np.round(np.maximum(0.0, np.sin(2 * np.pi * (np.arange(250) - 6) / 24)), 4)
    hours = [str(one).replace("T", " ") + ":00" for one in np.arange("2024-01-01T00", 250, dtype="M8[h]")]
    days = np.arange("2024-01-01", 240, dtype="M8[D]")
    rows = [f"{hours[t]},{load[t]},{wind[t]},{sun[t]}" for t in steps]
    coming = [f"{hours[t]},,,{sun[t]}" for t in range(240, 250)]
    pair = (("a", load), ("b", wind))
    texts = {
        "wave.csv": ["time,load,wind,sun", *rows],
        "beside.csv": ["time,load,wind,sun", *rows, *coming],
        "short.csv": ["date,y", *(f"{days[t]},{load[t]}" for t in range(60))],
        "gaps.csv": ["date,y", *(f"{days[t]},{'' if t % 50 == 30 else load[t]}" for t in range(200))],
        "long.csv": ["id,ds,y", *(f"{name},{days[t]},{one[t]}" for name, one in pair for t in range(90))],
        "mine.csv": ["time,y,forecast", *(f"{days[t]},{load[t]},{round(load[t] - rough[t], 4)}" for t in steps)],
        "lines.csv": [f"{hours[t].replace(' ', 'T')},{load[t]}" for t in range(60)],
    }  # fmt: skip
    (folder / "empty").mkdir()
    for name, lines in texts.items():
        (folder / name).write_text("\n".join(lines) + "\n", encoding="utf-8")


@contextlib.contextmanager
def surroundings(folder: Path) -> Iterator[None]:
    """In the folder, without data files, without a cache."""
    changed = {"NGRC_DATA": "empty", "XDG_CACHE_HOME": "cache"}
    before, stdin = {name: os.environ.get(name) for name in changed}, sys.stdin
    os.environ.update(changed)
    try:
        with contextlib.chdir(folder):
            yield
    finally:
        sys.stdin = stdin
        for name, value in before.items():
            os.environ.pop(name) if value is None else os.environ.update({name: value})


def printed(line: str, code: int = 0) -> Any:
    """What one command line prints, as plain values; several lines of JSON as a list."""
    line, _, given = line.partition(" < ")
    if given:
        sys.stdin = io.TextIOWrapper(io.BytesIO(Path(given).read_bytes()))
    out, err = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        left = run(shlex.split(line))
    assert left == code, f"ngrc {line} left with {left}: {err.getvalue()}"
    values = [json.loads(one) for one in out.getvalue().splitlines()]
    # Of a long stream the first, the last while it gathers, and the last three.
    return values[0] if not given else [values[0], *values[38:41], *values[-2:]]


def all_outputs(folder: Path) -> dict[str, Any]:
    """Every command's output by its title."""
    furnish(folder)
    with surroundings(folder):
        return {title: masked(printed(line, CODES.get(title, 0))) for title, line in LINES.items()}


def masked(value: Any) -> Any:
    """The value, without what differs from run to run."""
    if isinstance(value, dict):
        return {
            key: "volatile" if key in VOLATILE and not isinstance(one, dict) else masked(one)
            for key, one in value.items()
        }
    if isinstance(value, list):
        return [masked(one) for one in value]
    return value


RELATIVE = 1e-6
"""Numbers may differ by so much between processors; a renamed key, another word or another kind may not."""


def differences(before: Any, now: Any, place: str = "$", unit: float = 0.0) -> Iterator[str]:
    """What differs, one line per place. `unit` is the largest number beside a number: zero is told from it."""
    if type(before) is not type(now) and not _numbers(before, now):
        yield f"{place}: {_kind(before)} became {_kind(now)}"
    elif isinstance(before, dict):
        if list(before) != list(now):
            gone, new = [one for one in before if one not in now], [one for one in now if one not in before]
            yield f"{place}: keys {gone} became {new}" if gone or new else f"{place}: another order of keys"
        unit = _largest(before.values())
        for key in before:
            if key in now:
                yield from differences(before[key], now[key], f"{place}.{key}", unit)
    elif isinstance(before, list):
        if len(before) != len(now):
            yield f"{place}: {len(before)} entries became {len(now)}"
        unit = _largest(before)
        for index, (one, other) in enumerate(zip(before, now, strict=False)):
            yield from differences(one, other, f"{place}[{index}]", unit)
    elif isinstance(before, float) and not isinstance(before, bool):
        if abs(before - now) > RELATIVE * max(abs(before), abs(now), 1e-3 * unit):
            yield f"{place}: {before!r} became {now!r}"
    elif before != now:
        yield f"{place}: {before!r} became {now!r}"


def _numbers(one: Any, other: Any) -> bool:
    """Whether both are numbers that JSON may write either way: 1 and 1.0."""
    return {type(one), type(other)} == {int, float}


def _largest(values: Any) -> float:
    return max((abs(one) for one in values if isinstance(one, float)), default=0.0)


def _kind(value: Any) -> str:
    return f"{type(value).__name__} {str(value)[:60]!r}"
