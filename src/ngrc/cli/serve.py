"""`ngrc serve`: durable series over HTTP."""

from pathlib import Path

import click

from ngrc._optional import load
from ngrc.cli.grammar import command

LIBRARIES = ("sqlalchemy", "starlette", "uvicorn", "prometheus_client")


@command(
    "ngrc serve --state load.db",
    "ngrc serve --state load.db --port 0",
    "ngrc serve --state postgresql://ngrc@db.example/load --host 0.0.0.0 --token-file token.txt",
)
@click.option(
    "--state", required=True, metavar="URL", help="A file (SQLite), sqlite:///... or postgresql://..."
)
@click.option("--host", default="127.0.0.1", show_default=True, help="The address to listen on.")
@click.option(
    "--port",
    type=click.IntRange(0, 65535),
    default=8350,
    show_default=True,
    help="0 takes any that is free.",
)
@click.option(
    "--token-file",
    type=click.Path(path_type=Path, dir_okay=False),
    help="Every request but /health then needs the token in this file; or NGRC_TOKEN.",
)
@click.option("--no-token", is_flag=True, help="Listen to other machines without a token.")
@click.option(
    "--allow-host",
    "allowed",
    multiple=True,
    metavar="NAME",
    help="A name under which clients reach it, behind a proxy for instance.",
)
def serve(
    state: str, host: str, port: int, token_file: Path | None, no_token: bool, allowed: tuple[str, ...]
) -> int:
    """Serve durable series over HTTP: observations in, forecasts with intervals out, a live page, metrics.

    It listens to this machine alone, until told otherwise. One line says the address when it answers; SIGTERM and
    Ctrl-C end it after everything that was taken is kept.
    """
    for library in LIBRARIES:
        load(library, "serve", "ngrc serve")
    # Only now: they import those libraries.
    from ngrc.durable import StoreError
    from ngrc.serve.access import check_exposure, read_token
    from ngrc.serve.server import Address
    from ngrc.serve.server import serve as run

    if no_token and token_file is not None:
        raise ValueError("--no-token and --token-file contradict each other; give one of them")
    token = None if no_token else read_token(token_file)
    check_exposure(host, token, without=no_token)
    try:
        return run(state, Address(host, port, token, allowed), _say)
    except StoreError as error:
        raise ValueError(str(error)) from None


def _say(address: str) -> None:
    click.echo(f"ngrc: serving on {address}")
