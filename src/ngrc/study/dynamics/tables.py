"""Errors beside their print, valid times, and the order of rows, as tables."""

from typing import Any

import numpy as np
import polars as pl

from ngrc._types import FloatArray
from ngrc.study.dynamics import printed as paper
from ngrc.study.dynamics.order import Orders
from ngrc.study.dynamics.parts import LorenzPart, ScrollPart
from ngrc.study.dynamics.scores import median, quantiles
from ngrc.study.dynamics.settings import LONGEST
from ngrc.study.dynamics.windows import Runs
from ngrc.study.harness.estimate import estimate
from ngrc.study.harness.printed import printed

QUANTILES = (0.1, 0.25, 0.5, 0.75, 0.9)
Record = dict[str, Any]


def error_table(lorenz: LorenzPart, scroll: ScrollPart, glass: Runs) -> pl.DataFrame:
    """One row per error: ours over windows, the print where there is one, and the published solver's."""
    inferred, peer, other = lorenz.inferred, lorenz.peer, scroll.peer
    return pl.DataFrame(
        [
            _errors("Lorenz63, training", lorenz.runs.training, paper.LORENZ_TRAINING, peer.training),
            _errors("Lorenz63, free run", lorenz.runs.free, paper.LORENZ_RUN, peer.free),
            _errors("Double scroll, training", scroll.runs.training, None, other.training),
            _errors("Double scroll, free run", scroll.runs.free, paper.SCROLL_RUN, other.free),
            _errors("z from x and y, training", inferred.training, paper.INFERENCE_TRAINING),
            _errors("z from x and y, test", inferred.test, paper.INFERENCE_TEST),
            _errors("Mackey-Glass, training", glass.training, None),
            _errors("Mackey-Glass, free run", glass.free, paper.MACKEY_GLASS_RUN),
        ],
        infer_schema_length=None,
    )


def _errors(name: str, values: FloatArray, text: str | None, peer: FloatArray | None = None) -> Record:
    value = None if text is None else printed(text)
    finite = bool(np.all(np.isfinite(values)))
    found = estimate(values) if finite else None
    record: Record = {
        "error": name,
        "windows": values.size,
        "paper": None if value is None else value.value,
        "paper_se": None if value is None else value.spread,
        # A mean of infinite errors is none.
        "mean": None if found is None else found.mean,
        "mean_se": None if found is None else found.error,
        "at_or_below": None if value is None else int(np.sum(values <= value.value)),
    }
    record |= _quantiles(values)
    # A run of the published solver that diverged has no number, and no mean or median with it.
    finite = peer is not None and bool(np.all(np.isfinite(peer)))
    return record | {
        "solver_median": median(peer) if peer is not None and finite else None,
        "solver_mean": float(peer.mean()) if peer is not None and finite else None,
    }


def valid_table(*systems: Runs) -> pl.DataFrame:
    """One row per system: quantiles of the valid time in Lyapunov times over starts."""
    records: list[Record] = []
    for runs in systems:
        record: Record = {"system": runs.case.title, "starts": runs.valid.size}
        records.append(record | _quantiles(runs.valid) | {"to_the_end": int(np.sum(runs.valid >= LONGEST))})
    return pl.DataFrame(records)


def order_table(orders: Orders) -> pl.DataFrame:
    """One row per way to solve: free-run errors over orders of the same rows."""
    ways = {"pseudo-inverse of the moments": orders.pseudo_inverse, "NGRC": orders.ours}
    return pl.DataFrame(
        [
            {"solver": name, "orders": values.size, "smallest": values.min(), "largest": values.max()}
            | {"largest_over_smallest": values.max() / values.min()}
            for name, values in ways.items()
        ]
    )


def _quantiles(values: FloatArray) -> Record:
    found = quantiles(values, QUANTILES)
    return {
        f"q{100 * share:.0f}": float(number) if np.isfinite(number) else None
        for share, number in zip(QUANTILES, found, strict=True)
    }
