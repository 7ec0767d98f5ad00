"""The command: a folder of results in, one page of Markdown out."""

import argparse
from collections.abc import Sequence
from pathlib import Path

from ngrc._atomic import write_text
from results_page.folder import read_entries
from results_page.page import page
from results_page.rows import read_rows

PAGE = Path("docs") / "results.md"


def main(arguments: Sequence[str] | None = None) -> int:
    """Read, write, say where; one line and exit code 2 where the folder cannot be read."""
    options = parser().parse_args(arguments)
    try:
        if not options.results.is_dir():
            raise ValueError(
                f"{options.results} is no folder; `ngrc reproduce TARGET --out FOLDER` makes one"
            )
        accuracy = options.results / "accuracy" if options.accuracy is None else options.accuracy
        text = page(read_entries(options.results), read_rows(accuracy))
        write_text(options.out, text)
    except (ValueError, OSError) as error:
        parser().error(str(error))
    print(f"wrote {options.out}")
    return 0


def parser() -> argparse.ArgumentParser:
    """The options."""
    made = argparse.ArgumentParser(prog="results_page", description=__doc__)
    made.add_argument(
        "--results", type=Path, default=Path("results"), help="what `ngrc reproduce --out` was given"
    )
    made.add_argument(
        "--accuracy", type=Path, help="what `make accuracy` wrote; RESULTS/accuracy if left out"
    )
    made.add_argument("--out", type=Path, default=PAGE, help="the page")
    return made
