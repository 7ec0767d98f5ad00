"""What a state holds, as plain values: one series, read beside whoever writes it."""

from typing import Any, NamedTuple

from ngrc.archive import loads
from ngrc.durable import Reply, Store
from ngrc.durable.locks import holder_of, is_locked
from ngrc.durable.summary import Summary


class Inspection(NamedTuple):
    """One series of a state.

    Parameters
    ----------
    summary
        Its rows, counted and summed by the state itself, at one moment.
    settings
        What its forecaster was asked for, in words.
    writer
        Whether a process writes it now; None where that cannot be told.
    """

    summary: Summary
    settings: dict[str, Any]
    writer: bool | None

    @property
    def gathers(self) -> int:
        """Observations that it starts from."""
        return int(self.summary.settings["history"])

    @property
    def newest(self) -> Reply | None:
        """The newest reply, with its forecasts; None before the first observation."""
        return self.summary.recent[-1] if self.summary.recent else None


def inspect(store: Store, name: str) -> Inspection:
    """Look at one series; nothing is locked and nothing is changed."""
    path = store.address.path
    with store.reading() as connection:
        row = store.row(connection, name)
        writer = holder_of(connection, row.number) is not None if path is None else is_locked(path)
    return Inspection(store.summary(name, recent=1), _settings(loads(row.plan)), writer)


def _settings(plan: Any) -> dict[str, Any]:
    method = plan.method if isinstance(plan.method, str) else repr(plan.method)
    return {
        "model": repr(plan.model),
        "method": method,
        "levels": list(plan.levels),
        "horizon": plan.horizon,
        "late": plan.late,
        "refit_every": plan.refit_every,
        "window": plan.window,
        "seed": plan.seed,
    }
