"""`ngrc completion SHELL`: the script that completes commands, options and names."""

import click
from click.shell_completion import get_completion_class

from ngrc.cli.grammar import Name, command

SHELLS = ("bash", "zsh", "fish")
VARIABLE = "_NGRC_COMPLETE"
"""The environment variable by which the shell asks for completions; click's own name for a program `ngrc`."""


@command(
    "ngrc completion bash >> ~/.bashrc",
    "ngrc completion zsh >> ~/.zshrc",
    "ngrc completion fish > ~/.config/fish/completions/ngrc.fish",
)
@click.argument("shell", type=Name(SHELLS, "shell"), metavar="[bash|zsh|fish]")
@click.pass_context
def completion(ctx: click.Context, shell: str) -> None:
    """Print the script that completes commands, options, methods, datasets and files in your shell."""
    kind = get_completion_class(shell)
    assert kind is not None
    group = ctx.find_root().command
    click.echo(kind(group, {}, "ngrc", VARIABLE).source())
