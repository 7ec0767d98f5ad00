"""The `ngrc` command. Each subcommand is a file of its own and is imported only when it is called."""

import logging
import signal
import sys
from collections.abc import Sequence
from importlib import import_module
from pickle import PickleError
from typing import Any

import click
from click.shell_completion import CompletionItem

from ngrc import __version__
from ngrc.cli.grammar import HELP, unknown
from ngrc.cli.speech import LogOnTerminal

COMMANDS = {
    "forecast": "Forecast the coming values of a series, with intervals.",
    "compare": "Compare interval methods on a series or dataset.",
    "diagnose": "Say which interval to trust on a series, and why.",
    "stream": "Forecast while observations come in, with a state that survives.",
    "intervals": "Put intervals around forecasts that you already have.",
    "report": "Put everything about a series on one page that opens offline.",
    "serve": "Serve series over HTTP, with forecasts, a live page and metrics; nothing is lost in a crash.",
    "data": "List, fetch and find the paper's datasets.",
    "demo": "Forecast a system with memory whose noise rises, with the paper's eight methods and auto.",
    "reproduce": "Reproduce the paper's tables and figures.",
    "completion": "Print the script that completes commands and options in your shell.",
}
"""Names and one-line summaries; `ngrc.cli.NAME` holds the command, of the same name."""


class LazyGroup(click.Group):
    """A group that knows its commands' names and loads one only when it is asked for."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Names in the order of the table above."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, name: str) -> click.Command | None:
        """Import the command's file."""
        if name not in COMMANDS:
            return None
        command: click.Command = getattr(import_module(f"ngrc.cli.{name}"), name)
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Refuse an unknown command with the nearest one."""
        if args and args[0] not in COMMANDS and not args[0].startswith("-"):
            ctx.fail(unknown("command", args[0], COMMANDS))
        return super().resolve_command(ctx, args)

    def shell_complete(self, ctx: click.Context, incomplete: str) -> list[CompletionItem]:
        """Commands by their names alone: importing them all would keep the shell waiting."""
        names = [
            CompletionItem(name, help=text) for name, text in COMMANDS.items() if name.startswith(incomplete)
        ]
        # Not of the group itself, which would import every command for its help.
        return [*names, *click.Command.shell_complete(self, ctx, incomplete)]

    def invoke(self, ctx: click.Context) -> Any:
        """Run the command; a file that ends too early must not reach click, which takes it for Ctrl-D."""
        try:
            return super().invoke(ctx)
        except (EOFError, PickleError) as error:
            reason = str(error) or "it ends too early"
            raise ValueError(f"a file is damaged ({reason}); fetch or write it again") from error

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """List the commands without importing any of them."""
        with formatter.section("Commands"):
            formatter.write_dl(list(COMMANDS.items()))


@click.group(cls=LazyGroup, context_settings=HELP)
@click.version_option(__version__, prog_name="ngrc")
def cli() -> None:
    """Forecasts by Next Generation Reservoir Computing, with prediction intervals you can act on.

    A series is a file (CSV, Parquet and others), - for standard input, or the name of a dataset. Exit codes: 0 done, 1
    ran but something failed, 2 bad input.
    """
    # What the library logs a user at a terminal should see. Replaced, not added: in a process that runs several
    # commands, as the tests do, every line would appear several times.
    logger = logging.getLogger("ngrc")
    logger.handlers, logger.propagate = [LogOnTerminal()], False
    logger.setLevel(logging.INFO)


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the command line; every foreseeable failure is one line on standard error and exit code 2."""
    # SIGTERM (kill, a container that is stopped) then unwinds like Ctrl-C, so that passing files are removed.
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    sys.exit(run(arguments))


def run(arguments: Sequence[str] | None = None) -> int:
    """The command line's exit code: 0 done, 1 ran but something failed, 2 bad input, 130 interrupted.

    1 is what a command leaves with where part of its work failed and the rest is there, and also where the reader of
    the output has left.
    """
    # Python then has no standard output at all, and whatever is printed would vanish without an error.
    if sys.stdout is None:
        return _fail("standard output is closed; leave it open, or send it to a file")
    try:
        # Not standalone: click would print errors in its own words and leave with codes of its own.
        code = cli.main(args=arguments, prog_name="ngrc", standalone_mode=False)
    except click.exceptions.NoArgsIsHelpError as error:
        click.echo(error.format_message(), err=True)
        return 2
    except click.ClickException as error:
        return _fail(error.format_message())
    except (ValueError, OSError, ImportError) as error:
        return _fail(str(error))
    except MemoryError:
        return _fail("not enough memory for this many features; use fewer lags or a lower degree")
    except (KeyboardInterrupt, click.Abort):
        click.echo("ngrc: interrupted; nothing half-written was left", err=True)
        return 130
    # click hands back the exit code of --help and --version, and whatever a command returns: None.
    return code if isinstance(code, int) else 0


def _fail(message: str) -> int:
    # One line, whatever the message holds: scripts read it line by line.
    click.echo(f"ngrc: error: {' '.join(message.split())}", err=True)
    return 2
