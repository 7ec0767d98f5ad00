"""Targets by name. A new target is one line here and one file that defines `TARGET`."""

from collections.abc import Iterable
from difflib import get_close_matches
from importlib import import_module

from ngrc._optional import load
from ngrc.study.harness.target import Target

MODULES = {
    "fixed-shape": "ngrc.study.fixed_shape.target",
    "phase": "ngrc.study.phase.target",
    "quadratic": "ngrc.study.quadratic.target",
    "temporal": "ngrc.study.temporal.target",
    "volterra": "ngrc.study.volterra.target",
    "budget": "ngrc.study.budget.target",
    "dependent": "ngrc.study.dependent.target",
    "real-main": "ngrc.study.real.targets.main.target",
    "real-horizons": "ngrc.study.real.targets.horizons",
    "real-windows": "ngrc.study.real.targets.windows",
    "real-levels": "ngrc.study.real.targets.levels",
    "real-features": "ngrc.study.real.targets.features",
    "real-seeds": "ngrc.study.real.targets.seeds",
    "real-models": "ngrc.study.real.targets.models",
    "rescp": "ngrc.study.rescp.target",
    "dynamics": "ngrc.study.dynamics.target",
    "map": "ngrc.study.map.target",
    "auto": "ngrc.study.auto.target",
    "stress": "ngrc.study.stress.target",
    "beyond": "ngrc.study.beyond.target",
}
EVERYTHING = "all"


def find(name: str) -> Target:
    """The target of that name, its file imported only now."""
    if name not in MODULES:
        raise ValueError(_unknown(name))
    load("scipy", "paper", "the paper's reproduction")
    target: Target = import_module(MODULES[name]).TARGET
    return target


def expand(names: Iterable[str]) -> list[str]:
    """Names in the order given, each once, with "all" written out; an unknown one is refused at once.

    Examples
    --------
    >>> expand(["phase", "budget", "phase"])
    ['phase', 'budget']
    """
    # A dictionary for a set that keeps its order.
    ordered: dict[str, None] = {}
    for name in names:
        if name != EVERYTHING and name not in MODULES:
            raise ValueError(_unknown(name))
        ordered.update(dict.fromkeys(MODULES if name == EVERYTHING else [name]))
    return list(ordered)


def _unknown(name: str) -> str:
    close = get_close_matches(name, [*MODULES, EVERYTHING], n=3, cutoff=0.5)
    hint = f"did you mean {' or '.join(close)}?" if close else f"choose from {', '.join(MODULES)}"
    return f"unknown target {name!r}; {hint}"
