"""Words on standard error: remarks that `--quiet` silences."""

import logging

import click

_QUIET = "ngrc.quiet"


def hush(context: click.Context, _option: click.Parameter, wished: bool) -> None:
    """Remember `--quiet` for the command at hand; the library's log speaks of trouble alone then."""
    if wished:
        context.meta[_QUIET] = True
        logging.getLogger("ngrc").setLevel(logging.WARNING)


def quiet() -> bool:
    """Whether the command at hand was asked for no bars and no remarks."""
    context = click.get_current_context(silent=True)
    return context is not None and bool(context.meta.get(_QUIET))


def remark(text: str, label: str = "note") -> None:
    """One line on standard error, which holds everything but results."""
    if not quiet():
        click.echo(f"ngrc: {label}: {text}", err=True)
