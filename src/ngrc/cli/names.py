"""What a shell may complete: series, datasets and targets."""

import click
from click.shell_completion import CompletionItem


def complete_series(
    _context: click.Context, _parameter: click.Parameter, incomplete: str
) -> list[CompletionItem]:
    """Names of datasets that begin so, and then files, which the shell itself knows."""
    from ngrc.datasets import names

    datasets = [CompletionItem(name) for name in names() if name.startswith(incomplete)]
    return [*datasets, CompletionItem(incomplete, type="file")]


def complete_datasets(
    _context: click.Context, _parameter: click.Parameter, incomplete: str
) -> list[CompletionItem]:
    """Names of datasets that begin so."""
    from ngrc.datasets import names

    return [CompletionItem(name) for name in names() if name.startswith(incomplete)]


def complete_targets(
    _context: click.Context, _parameter: click.Parameter, incomplete: str
) -> list[CompletionItem]:
    """Targets of `ngrc reproduce` that begin so."""
    from ngrc.study.registry import EVERYTHING, MODULES

    return [CompletionItem(name) for name in (*MODULES, EVERYTHING) if name.startswith(incomplete)]
