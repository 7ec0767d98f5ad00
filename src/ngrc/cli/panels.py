"""A file of several series on the command line: each by itself, the answers below each other."""

import json
import sys
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from importlib.util import find_spec
from math import isfinite
from pathlib import Path
from statistics import median_low
from typing import Any, NoReturn

import click
import polars as pl
from click.core import ParameterSource

from ngrc.cli.destination import write_result
from ngrc.cli.options import Request
from ngrc.cli.source import say
from ngrc.cli.speech import remark
from ngrc.cli.tables import console
from ngrc.panel import Answer
from ngrc.series.long import LongTable, read_long

MOST_NAMED = 5
"""Failures that are told one by one; the rest are counted, and all of them are in the JSON."""


@dataclass(frozen=True, slots=True)
class Long:
    """Several series of one file, with what the panel needs to be told.

    Parameters
    ----------
    table
        The file, read.
    exog, known
        Columns beside the target that were named.
    resample
        Whether irregular times are put on a grid.
    """

    table: LongTable
    exog: tuple[str, ...]
    known: tuple[str, ...]
    resample: bool

    @property
    def length(self) -> int:
        """A length that half of the series have at least."""
        return median_low(Counter(self.table.frame["unique_id"]).values())

    @property
    def columns(self) -> dict[str, Any]:
        """Arguments of the panel's functions."""
        # All cores where processes can be had: without joblib the panel is forecast in this one.
        jobs = -1 if find_spec("joblib") else 1
        return {"exog": self.exog, "known": self.known, "resample": self.resample, "jobs": jobs}


def open_long(request: Request, command: str, refused: Iterable[str]) -> Long:
    """Read the file as several series; refuse options that are for one, by the names of their parameters."""
    if len(request.targets) > 1:
        raise ValueError(
            f"the file holds several series, and ngrc {command} takes one --target for all of them, got "
            f"{', '.join(request.targets)}"
        )
    context = click.get_current_context()
    given = [
        parameter.opts[0]
        for parameter in context.command.params
        if parameter.name in set(refused)
        and context.get_parameter_source(parameter.name) is ParameterSource.COMMANDLINE
    ]
    if given:
        raise ValueError(
            f"the file holds several series, and {', '.join(given)} is for one; leave it out, or keep the rows of one "
            "series"
        )
    column = request.targets[0] if request.targets else None
    table = read_long(request.source, column=column, time=request.time)
    return Long(table, request.exog, request.known, request.resample)


def deliver(long: Long, answer: Answer, out: Path | None, as_json: bool, **said: Any) -> NoReturn:
    """Print or write the answers, tell of the series that gave none, and leave: with 1 where there are any."""
    table, failures = pl.DataFrame(answer.frame), pl.DataFrame(answer.failures)
    spelled = long.table.spelled(table)
    report = _finite(
        {
            **said,
            "ids": list(long.table.ids),
            "rows": spelled.to_dicts(),
            "failures": failures.to_dicts(),
            "notes": list(long.table.notes),
        }
    )
    if out is not None:
        write_result(out, spelled, report, table, err=as_json)
    if as_json:
        click.echo(json.dumps(report, allow_nan=False))
    elif out is None:
        click.echo(_shown(spelled) if sys.stdout.isatty() else spelled.write_csv().rstrip("\n"))
    _explain(long, table, failures)
    click.get_current_context().exit(1 if failures.height else 0)


def _explain(long: Long, table: pl.DataFrame, failures: pl.DataFrame) -> None:
    names = " and ".join(repr(name) for name in long.table.ids)
    count = table["unique_id"].n_unique()
    remark(
        f"{count + failures.height:,} series by {names}, times from {long.table.time!r}, values from "
        f"{long.table.value!r}; each forecast by itself",
        "took",
    )
    say(list(long.table.notes))
    for row in failures.head(MOST_NAMED).to_dicts():
        remark(f"{row['unique_id']}: {row['error']}", "failed")
    if failures.height > MOST_NAMED:
        remark(f"{failures.height - MOST_NAMED:,} series more", "failed")


def _shown(table: pl.DataFrame) -> str:
    """The table for people, the first and last rows; of scores those that are looked at first, as a line has room."""
    if "winkler" in table.columns:
        several = [name for name in ("horizon", "level") if table[name].n_unique() > 1]
        table = table.select("unique_id", *several, "method", "coverage", "width", "winkler", "mase")
    with pl.Config(
        tbl_cols=-1,
        tbl_width_chars=console().width,
        tbl_rows=24,
        float_precision=4,
        tbl_hide_column_data_types=True,
        tbl_hide_dataframe_shape=True,
    ):
        return str(table)


def _finite(value: Any) -> Any:
    """The same with None for numbers that do not exist, which JSON cannot hold."""
    if isinstance(value, dict):
        return {name: _finite(one) for name, one in value.items()}
    if isinstance(value, list):
        return [_finite(one) for one in value]
    if isinstance(value, float) and not isfinite(value):
        return None
    return value
