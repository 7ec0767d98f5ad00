"""The run: copies, baselines, every planted error, the control, the table."""

import argparse
import sys
import tempfile
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from queue import Queue
from time import perf_counter
from typing import TypeVar

from mutants.errors import SetupError
from mutants.planted import FOLDER, SOURCES, Planted, chosen, load
from mutants.reproduction import Baseline, baseline, notices
from mutants.show import Result, console, goals, table
from mutants.suite import TIMEOUT, caught_by_tests, check_control
from mutants.tree import Tree, stop_children

REPOSITORY = Path(__file__).parents[1]
QUICK = (
    "delays-spacing-forgotten",
    "seasonal-steps-cut-off",
    "effective-dimension-squared",
    "ties-to-the-last",
    "window-forgets-nothing",
    "crps-equal-weights",
    "size-constant-penalised",
    "crossed-bound-stays",
    "fixed-shape-degrees-of-freedom",
    "tolerance-adds-errors",
    "difference-sign",
    "student-not-standardised",
)
"""Two of every area, whose tests are short and whose targets need no data files."""
Item = TypeVar("Item")
Answer = TypeVar("Answer")


def main(
    arguments: Sequence[str] | None = None, *, repository: Path = REPOSITORY, folder: Path = FOLDER
) -> int:
    """Exit code 0 where both goals are met, 1 where one is missed, 2 where nothing can be said."""
    options = _options(arguments)
    try:
        errors = chosen(load(folder), options.only or (QUICK if options.quick else ()))
        for error in errors:
            error.applied((repository / SOURCES / error.file).read_text(encoding="utf-8"))
        if options.list:
            print("\n".join(f"{error.name:<32} {error.area:<10} {error.reason}" for error in errors))
            return 0
        results = run(errors, repository, options.jobs, reproduce=not options.skip_reproduce)
    except SetupError as error:
        print(f"mutants: error: {error}", file=sys.stderr)
        return 2
    out = console()
    out.print(table(results, reproduce=not options.skip_reproduce))
    lines, met = goals(results, reproduce=not options.skip_reproduce)
    for line in lines:
        out.print(line)
    return 0 if met else 1


def _options(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m mutants", description=__doc__)
    parser.add_argument(
        "--only", nargs="+", default=[], metavar="NAME", help="planted errors or areas by name"
    )
    parser.add_argument("--quick", action="store_true", help="a dozen of them, two of every area")
    parser.add_argument("--skip-reproduce", action="store_true", help="run the tests alone")
    parser.add_argument(
        "--jobs", type=int, default=2, metavar="N", help="errors tried side by side, 2 by default"
    )
    parser.add_argument("--list", action="store_true", help="name the planted errors and leave")
    options = parser.parse_args(arguments)
    if options.jobs < 1:
        parser.error(f"--jobs must be at least 1, got {options.jobs}")
    return options


def run(errors: Sequence[Planted], repository: Path, jobs: int, *, reproduce: bool) -> list[Result]:
    """Every error in turn, each worker in a copy of its own; nothing is written into the repository."""
    with tempfile.TemporaryDirectory(prefix="mutants-") as folder:
        trees: Queue[Tree] = Queue()
        # One copy per worker, each in a folder of its own, beside which its children leave what they write.
        for worker in range(min(jobs, len(errors))):
            trees.put(Tree.copied(repository, Path(folder) / str(worker) / "repository"))
        targets = sorted({target for error in errors for target in error.targets}) if reproduce else []
        before = dict(zip(targets, _each(trees, targets, _say(baseline)), strict=True))
        results = _each(trees, errors, lambda tree, error: _tried(tree, error, before, reproduce=reproduce))
        check_control(trees.queue[0], _witnesses(results))
    return results


def _each(trees: "Queue[Tree]", items: Sequence[Item], work: Callable[[Tree, Item], Answer]) -> list[Answer]:
    """Answers in the order of the items, worked on in as many threads as there are trees."""

    def one(item: Item) -> Answer:
        tree = trees.get()
        try:
            return work(tree, item)
        finally:
            trees.put(tree)

    with ThreadPoolExecutor(trees.qsize()) as pool:
        futures = [pool.submit(one, item) for item in items]
        try:
            return [future.result() for future in futures]
        except BaseException:
            # The run is void, or the user wants it to end: what has not begun need not begin, what runs need not end.
            pool.shutdown(wait=False, cancel_futures=True)
            stop_children()
            raise


def _say(work: Callable[[Tree, str], Baseline]) -> Callable[[Tree, str], Baseline]:
    def said(tree: Tree, target: str) -> Baseline:
        answer = work(tree, target)
        print(f"without an error: {target}, {answer.seconds:.0f} s", file=sys.stderr)
        return answer

    return said


def _tried(tree: Tree, error: Planted, before: dict[str, Baseline], *, reproduce: bool) -> Result:
    begin = perf_counter()
    with tree.planted(error):
        test = caught_by_tests(tree, error)
        answers = notices(tree, error, before) if reproduce else ()
    result = Result(error, test, answers, perf_counter() - begin)
    said = "; ".join(f"{notice.target}: {notice.failure or f'{notice.rows} rows'}" for notice in answers)
    print(f"{error.name}: {test or 'missed by the tests'}; {said}; {result.seconds:.0f} s", file=sys.stderr)
    return result


def _witnesses(results: Iterable[Result]) -> set[str]:
    """Tests that caught something, to be run once more without any error."""
    tests: set[str] = set()
    for result in results:
        tests |= set(result.error.tests) if result.test in (TIMEOUT, "collection") else {result.test}
    return tests - {""}
