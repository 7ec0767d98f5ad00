"""The run: scenes in turn, each with a state of its own, and the table."""

import argparse
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from rich.console import Console
from rich.table import Table

from soak.children import rehearse
from soak.judging import Verdict, judged
from soak.postgresql import server
from soak.scenes import SCENES
from soak.trial import SoakError, Trial

WIDE = 120
COLUMNS = ("scene", "kills survived", "clean stops", "sent", "acknowledged", "lost", "doubled", "differing")


def main(arguments: Sequence[str] | None = None) -> int:
    """Exit code 0 where nothing was lost, doubled or different, else 1; 2 where nothing can be said."""
    parser = argparse.ArgumentParser(prog="python -m soak", description=__doc__)
    parser.add_argument(
        "--seconds", type=float, default=60.0, help="how long processes are killed, 60 by default"
    )
    parser.add_argument("--state", default="sqlite", metavar="KIND", help="sqlite (default) or postgresql")
    parser.add_argument("--seed", type=int, default=0, help="of senders and kills")
    options = parser.parse_args(arguments)
    verdicts = []
    rehearse(SCENES)
    try:
        with states(options.state) as addresses:
            for number, scene in enumerate(SCENES):
                trial = Trial(scene, options.seed + 100 * number, next(addresses))
                trial.run(options.seconds / len(SCENES))
                verdicts.append(judged(trial))
                print(
                    f"{scene.name}: {trial.kills} kills, {len(trial.answers):,} acknowledged", file=sys.stderr
                )
    except (SoakError, FileNotFoundError) as error:
        print(f"soak: error: {error}", file=sys.stderr)
        return 2
    out = Console(highlight=False)
    # Whole in a file or a log as well, where nobody says how wide it is.
    out.width = out.width if out.is_terminal else WIDE
    out.print(table(verdicts, options.state))
    return 0 if all(verdict.clean for verdict in verdicts) else 1


@contextmanager
def states(kind: str) -> Iterator[Iterator[str]]:
    """Addresses of empty databases, one per scene, in a folder that is removed."""
    with tempfile.TemporaryDirectory(prefix="ngrc-soak-") as folder:
        if kind == "sqlite":
            yield (str(Path(folder) / f"{number}.db") for number in range(len(SCENES)))
        elif kind == "postgresql":
            with server(Path(folder) / "server") as url:
                yield (_database(url, f"soak{number}") for number in range(len(SCENES)))
        else:
            raise SoakError(f"--state is sqlite or postgresql, got {kind!r}")


def _database(url: str, name: str) -> str:
    """A new database of a server."""
    import sqlalchemy as sa

    engine = sa.create_engine(
        url.replace("postgresql://", "postgresql+psycopg://"), isolation_level="AUTOCOMMIT"
    )
    with engine.connect() as connection:
        connection.exec_driver_sql(f"CREATE DATABASE {name}")
    engine.dispose()
    return url.replace("/postgres?", f"/{name}?")


def table(verdicts: Sequence[Verdict], kind: str) -> Table:
    """One row per scene, and their sum."""
    made = Table(title=f"ngrc stream on {kind}, killed and restarted", title_justify="left", box=None)
    for place, name in enumerate(COLUMNS):
        made.add_column(name, justify="right" if place else "left")
    for verdict in verdicts:
        made.add_row(verdict.scene, *(f"{number:,}" for number in verdict[1:]))
    totals = [sum(column) for column in zip(*(verdict[1:] for verdict in verdicts), strict=True)]
    made.add_row("all", *(f"{number:,}" for number in totals), style="bold")
    return made
