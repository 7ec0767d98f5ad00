"""One grammar for all commands: lists by commas or repetition, names with a suggestion, examples in the help."""

import re
import shlex
from collections.abc import Callable, Iterable, Sequence
from typing import Any, TypeVar

import click
from click.shell_completion import CompletionItem

from ngrc.cli.speech import hush

Function = TypeVar("Function", bound=Callable[..., Any])
HELP = {"help_option_names": ["-h", "--help"]}


class Command(click.Command):
    """A command whose help ends with examples; each is a whole line as one would type it."""

    def __init__(self, *arguments: Any, examples: Sequence[str] = (), **settings: Any) -> None:
        super().__init__(*arguments, **settings)
        self.examples = tuple(examples)
        # What every command has comes last in its help.
        self.params.sort(key=lambda parameter: "--quiet" in parameter.opts)

    def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the examples line by line, never wrapped: they are there to be copied."""
        if self.examples:
            with formatter.section("Examples"):
                for example in self.examples:
                    formatter.write(f"{'':>{formatter.current_indent}}{example}\n")

    def example_words(self) -> list[list[str]]:
        """The words after the command's name of every example, as a shell splits them."""
        # Behind a pipe stands what another program makes of it, and before one what it reads.
        lines = [next(part for part in example.split(" | ") if "ngrc " in part) for example in self.examples]
        words = [shlex.split(line) for line in lines]
        return [line[line.index("ngrc") + 1 :] for line in words]


def command(
    *examples: str, name: str | None = None, kind: type[Command] = Command
) -> Callable[[Callable[..., Any]], Command]:
    """A `Command` with these examples, `-h` and `--quiet`."""

    def decorate(function: Callable[..., Any]) -> Command:
        made = click.command(name, cls=kind, context_settings=HELP, examples=examples)
        return made(quiet_option(function))

    return decorate


def quiet_option(function: Function) -> Function:
    """`--quiet`, which the command itself need not know of."""
    return click.option(
        "-q", "--quiet", is_flag=True, expose_value=False, callback=hush, help="No progress bars, no remarks."
    )(function)


def words_of(given: Iterable[str]) -> tuple[str, ...]:
    r"""Words as they were typed, one or several per option; `\,` is a comma that belongs to a word.

    Examples
    --------
    >>> words_of(["wind,rain", "sun"]), words_of([r"load\, MW"])
    (('wind', 'rain', 'sun'), ('load, MW',))
    """
    given = tuple(given)
    words = [word.replace("\\,", ",").strip() for text in given for word in re.split(r"(?<!\\),", text)]
    if not all(words):
        raise click.BadParameter(f"words with commas between them are expected, got {','.join(given)!r}")
    return tuple(words)


def numbers_of(given: Iterable[str]) -> tuple[float, ...]:
    """Numbers as they were typed, one or several per option.

    Examples
    --------
    >>> numbers_of(["24,168", "8766"])
    (24.0, 168.0, 8766.0)
    """
    given = tuple(given)
    try:
        return tuple(float(word) for word in words_of(given))
    except ValueError:
        raise click.BadParameter(
            f"numbers with commas between them are expected, such as 24,168, got {','.join(given)!r}"
        ) from None


def each(convert: Callable[[Sequence[str]], Any]) -> dict[str, Any]:
    """Settings of an option that is repeated or takes commas; the command gets what `convert` makes of the words."""
    return {"multiple": True, "callback": lambda _context, _option, given: convert(given)}


# Generic in newer releases of click alone, so that no argument can be given.
class Count(click.ParamType):  # type: ignore[type-arg]
    """A whole number that is not below `least`; the error says so in words."""

    name = "integer"

    def __init__(self, least: int = 1) -> None:
        self.least = least

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Read it."""
        try:
            number = int(value)
        except ValueError:
            number = self.least - 1
        if number < self.least:
            self.fail(f"a whole number from {self.least} on is expected, got {str(value)!r}", param, ctx)
        return number


class Name(click.ParamType):  # type: ignore[type-arg]
    """One of several names; another one is refused with the nearest of them.

    Parameters
    ----------
    choices
        The names.
    what
        What is chosen, for the error.
    several
        Whether commas may separate several, for options that repeat; their words come out as they are.
    """

    name = "name"

    def __init__(self, choices: Iterable[str], what: str, *, several: bool = False) -> None:
        self.choices, self.what, self.several = tuple(choices), what, several

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Check every word."""
        for word in words_of([value]) if self.several else (value,):
            if word not in self.choices:
                self.fail(f"{unknown(self.what, word, self.choices)}", param, ctx)
        return value

    def get_metavar(self, param: click.Parameter, ctx: click.Context | None = None) -> str | None:
        """The names themselves where they are few, so that the help says them."""
        return f"[{'|'.join(self.choices)}]" if len(self.choices) <= 4 else "NAME"

    def shell_complete(
        self, ctx: click.Context, param: click.Parameter, incomplete: str
    ) -> list[CompletionItem]:
        """The names that begin with what is typed, after its last comma where several may be given."""
        before, comma, last = incomplete.rpartition(",") if self.several else ("", "", incomplete)
        return [CompletionItem(f"{before}{comma}{word}") for word in self.choices if word.startswith(last)]


def unknown(what: str, name: str, choices: Iterable[str]) -> str:
    """A name that is none of the choices, with the nearest of them.

    Examples
    --------
    >>> unknown("method", "spilt", ["split", "bayes"])
    "unknown method 'spilt'; choose from split, bayes; did you mean 'split'?"
    """
    # Only now: the group itself needs no room of the library to list its commands.
    from ngrc.series.wording import closest

    choices = tuple(choices)
    return f"unknown {what} {name!r}; choose from {', '.join(choices)}{closest(name, choices)}"
