"""Which rows chose the parameters, against the paper's words on them."""

from collections.abc import Iterator

from ngrc.backtesting.results import Run
from ngrc.intervals.rescp.tuning import validation_stream
from ngrc.intervals.tuning import HISTORY_SHARE
from ngrc.study.harness.compare import equal
from ngrc.study.harness.record import Cell, Check
from ngrc.study.real.origin import Origin
from ngrc.study.real.printed.main import SPLIT

SECTION = "app:real_hyperparameters"


def protocol_checks(target: str, origin: Origin) -> Iterator[Check]:
    """One row per series of the paper's own, horizon and tuning; what is expected follows from the printed sizes."""
    own = {source.key: source.title for source in origin.sources if not source.stand_in}
    for (dataset, horizon), run in origin.runs.items():
        if dataset not in own:
            continue
        sizes = SPLIT[dataset, str(horizon)]
        expected = _expected(int(sizes["fit"].value), int(sizes["calibration"].value), horizon)
        for (name, ours), (rows, words) in zip(_ours(run).items(), expected, strict=True):
            cell = Cell(target, SECTION, f"{own[dataset]}, H={horizon}, {name}")
            yield equal(cell, ours, rows, kind="claim", reason=words)


def _ours(run: Run) -> dict[str, int]:
    history = run.blocks.stream(run.residuals).history
    return {
        "rows that choose the penalty": run.facts.validation_rows or 0,
        "residuals that tune adaptive and time-weighted CP": history.inner(HISTORY_SHARE).steps,
        "residuals that tune ResCP": validation_stream(history).steps,
    }


def _expected(fit: int, calibration: int, horizon: int) -> tuple[tuple[int, str], ...]:
    guards = horizon - 1
    # Known at the first test origin: not the guards of the block's beginning, nor what is pending at its end.
    known = calibration - 2 * guards
    return (
        (fit - fit * 4 // 5 - guards, "text: the final 20 % of the fitting block, less H - 1 guards"),
        (known - known * 3 // 5, "text: the final 40 % of the availability-safe calibration residuals"),
        (known - known * 9 // 10, "text: the final 10 % of the availability-safe calibration residuals"),
    )
