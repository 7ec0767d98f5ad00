"""`ngrc data`: the paper's datasets, where they are and how they come here."""

import json
from pathlib import Path
from typing import Any

import click

from ngrc.cli.grammar import HELP, Command, Name, command, unknown
from ngrc.cli.names import complete_datasets
from ngrc.cli.options import json_option
from ngrc.cli.progress import watched
from ngrc.cli.speech import remark
from ngrc.cli.tables import console, plain_table
from ngrc.datasets import names
from ngrc.datasets.catalogue import ABOUT, ORIGINALS
from ngrc.datasets.fingerprints import sha256
from ngrc.datasets.registry import Original, cache_folder, fetch, find
from ngrc.datasets.transfer import DatasetError

FAILED = 1
"""Exit code of a command that ran, and of which a part failed."""


class DataGroup(click.Group):
    """The three commands; another one is refused with the nearest of them."""

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Refuse an unknown command with the nearest one."""
        if args and args[0] not in self.commands and not args[0].startswith("-"):
            ctx.fail(unknown("command", f"data {args[0]}", [f"data {name}" for name in self.commands]))
        return super().resolve_command(ctx, args)


@click.group(cls=DataGroup, context_settings=HELP)
def data() -> None:
    """List, fetch and find the paper's datasets.

    A dataset's name can stand wherever a command takes SERIES. Files are looked for in the folder that NGRC_DATA names,
    then in the cache, and downloaded into the cache where they are public.
    """


@command("ngrc data list", "ngrc data list --json", name="list")
@json_option
def listing(as_json: bool) -> None:
    """Name the datasets, what they are and whether they are on this machine."""
    rows = [_row(name) for name in names()]
    if as_json:
        click.echo(json.dumps({"datasets": rows}))
        return
    out = console()
    table = plain_table("", ["name", "here", "what it is"])
    for column in table.columns:
        column.justify = "left"
    for row in rows:
        table.add_row(row["name"], "yes" if row["here"] else "no", row["about"])
    out.print(table)


@command("ngrc data get exchange", "ngrc data get solar,beijing", "ngrc data get all --json", name="get")
@click.argument("datasets", nargs=-1, metavar="NAME...", shell_complete=complete_datasets)
@json_option
@click.pass_context
def get(ctx: click.Context, datasets: tuple[str, ...], as_json: bool) -> None:
    """Fetch datasets into the cache, each file verified; `all` stands for every one.

    What is here already is verified and not fetched again. One that cannot be had does not stop the others; the exit
    code is then 1.
    """
    wanted, rows = _wanted(datasets), []
    for name in wanted:
        rows.append(_fetched(name))
        if not as_json:
            _say_fetched(rows[-1])
    if as_json:
        click.echo(json.dumps({"datasets": rows}))
    if any(row["error"] for row in rows):
        ctx.exit(FAILED)


@command("ngrc data where", "ngrc data where exchange", name="where")
@click.argument("datasets", nargs=-1, metavar="[NAME...]", shell_complete=complete_datasets)
@json_option
@click.pass_context
def where(ctx: click.Context, datasets: tuple[str, ...], as_json: bool) -> None:
    """Say in which folders files are looked for, and where those of the named datasets are.

    The exit code is 1 where one of them is not on this machine.
    """
    from os import environ

    wanted = _wanted(datasets) if datasets else []
    rows = [_row(name) for name in wanted]
    folders = {"NGRC_DATA": environ.get("NGRC_DATA"), "cache": str(cache_folder())}
    if as_json:
        click.echo(json.dumps({**folders, "datasets": rows}))
    elif not rows:
        click.echo(f"NGRC_DATA: {folders['NGRC_DATA'] or 'not set'}")
        click.echo(f"cache: {folders['cache']}")
    else:
        for row in rows:
            # Of several files the first that is there is read.
            found = next((file["path"] for file in row["files"] if file["path"]), None)
            click.echo(f"{row['name']}: {found or 'not on this machine; fetch it with ngrc data get'}")
    if not all(row["here"] for row in rows):
        ctx.exit(FAILED)


def _wanted(given: tuple[str, ...]) -> list[str]:
    """The named datasets in order, each once; `all` written out."""
    kind = Name((*names(), "all"), "dataset")
    words = [word for text in given for word in text.split(",") if word]
    if not words:
        raise ValueError(f"name at least one dataset of {', '.join(names())}, or all")
    for word in words:
        if word not in kind.choices:
            raise ValueError(unknown("dataset", word, kind.choices))
    return list(dict.fromkeys(name for word in words for name in (names() if word == "all" else [word])))


def _row(name: str) -> dict[str, Any]:
    """What is known of a dataset without fetching it, ready for JSON."""
    paths = [(original, find(original)) for original in ORIGINALS[name]]
    files = [
        {
            "file": original.files[0],
            "path": None if path is None else str(path),
            "url": original.url,
            "bytes": None if path is None else path.stat().st_size,
        }
        for original, path in paths
    ]
    # Of several files the first that is there is read: ozone has a stand-in.
    return {"name": name, "about": ABOUT[name], "here": any(path for _, path in paths), "files": files}


def _fetched(name: str) -> dict[str, Any]:
    """Fetch the first file of a dataset that can be had, and say where it is, or why it is not."""
    failure = ""
    # A file that is neither here nor public makes way for its stand-in.
    for original in ORIGINALS[name]:
        try:
            with watched():
                path = fetch(original)
                verified(original, path)
        except (DatasetError, ValueError, OSError) as error:
            failure = str(error)
            continue
        return {"name": name, "path": str(path), "sha256": sha256(path), "error": None}
    return {"name": name, "path": None, "sha256": None, "error": failure}


def verified(original: Original, path: Path) -> None:
    """Read a file through, so that a damaged one is found now and not by the next command."""
    original.check(path)


def _say_fetched(row: dict[str, Any]) -> None:
    if row["error"]:
        remark(f"{row['name']}: {row['error']}", "failed")
    else:
        click.echo(f"{row['name']}: {Path(row['path'])} (sha256 {row['sha256'][:12]}...)")


for one in (listing, get, where):
    assert isinstance(one, Command)
    data.add_command(one)
