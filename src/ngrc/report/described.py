"""The model in words: what it reads, its equation, and what it chose itself."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol, runtime_checkable

from ngrc.forecasters.facts import ModelFacts, facts_of, link_of, record_of
from ngrc.model import NGRC

TERMS = 12
"""Largest weights of the equation, as `equation()` has them."""
MOST_CANDIDATES = 15
"""Candidates of a search that are listed, the best first."""


@runtime_checkable
class Written(Protocol):
    """A fitted model that can write itself down."""

    def coefficients(self, horizon: int | None = None) -> Any:
        """Named weights of one horizon."""


@dataclass(frozen=True, slots=True)
class Equation:
    """One horizon's equation."""

    horizon: int
    line: str


@dataclass(frozen=True, slots=True)
class ModelWords:
    """What a reader is told of the model.

    Parameters
    ----------
    name
        Its class.
    call
        As it is written in Python, defaults left out.
    sentences
        What it reads and how it was fitted.
    equations
        Of the nearest and of the farthest step; empty for a model that has none.
    selections
        What each search chose and tried, as plain values; empty where nothing was chosen.
    """

    name: str
    call: str
    sentences: tuple[str, ...]
    equations: tuple[Equation, ...]
    selections: tuple[Mapping[str, Any], ...]


def described(model: Any, horizon: int) -> ModelWords:
    """A fitted model in words; `horizon` is that of the forecasts."""
    return ModelWords(
        name=type(model).__name__,
        call=repr(model),
        sentences=(*_columns(model), *_numbers(facts_of(model)), *_units(model)),
        equations=_equations(model, horizon),
        selections=tuple(_shortened(one) for one in record_of(model) or ()),
    )


def _columns(model: Any) -> list[str]:
    if record_of(model) is not None:
        return [
            "It is a combination of ridge regressions on past values and what else helped: lags, cycles, clock terms, "
            "smoothed levels and products were tried, and chosen by validation inside the past."
        ]
    if not isinstance(model, NGRC):
        return []
    if model.map is not None:
        groups = ", ".join(type(group).__name__ for group in model.feature_map.groups)
        return [f"It is one ridge regression on groups of columns that were given: {groups}."]
    lags = f"{model.lags} lags" if isinstance(model.lags, int) else f"lags {_listed(model.lags)}"
    products = "" if model.degree == 1 else f", their products up to degree {model.degree}"
    periods = f", and {model.harmonics} harmonics of period {_listed(model.periods)}" if model.periods else ""
    return [f"It is one ridge regression on {lags} of the series{products}{periods}.", *_further(model)]


def _further(model: NGRC) -> list[str]:
    """Columns that most models do not have."""
    parts = [
        f"values around the target's phase up to {model.seasonal} cycles back" if model.seasonal else "",
        f"parts of the target's date ({', '.join(model.calendar)})" if model.calendar else "",
        "public holidays" if model.holidays else "",
        f"past values of {', '.join(model.exog)}" if model.exog else "",
        f"{', '.join(model.known)}, known ahead" if model.known else "",
    ]
    told = [part for part in parts if part]
    return [f"Beside them it reads {'; '.join(told)}."] if told else []


def _numbers(facts: ModelFacts) -> list[str]:
    parts = []
    if facts.features is not None:
        parts.append(f"{facts.features:,} columns")
    if facts.ridge is not None:
        parts.append(f"penalty {facts.ridge:.3g}")
    if facts.d_eff is not None:
        parts.append(f"effective dimension {facts.d_eff:.3g}")
    if facts.validation_rows is not None:
        parts.append(f"chosen on {facts.validation_rows:,} validation rows")
    return [f"It has {', '.join(parts)}."] if parts else []


def _units(model: Any) -> list[str]:
    remark = link_of(model).remark
    return [f"{remark[0].upper()}{remark[1:]}."] if remark else []


def _equations(model: Any, horizon: int) -> tuple[Equation, ...]:
    if not isinstance(model, Written):
        return ()
    # A model of the whole path has one equation per step; any other that of its horizon alone.
    path = bool(getattr(model, "path", False))
    steps = dict.fromkeys([1, horizon] if path else [horizon])
    return tuple(Equation(step, model.coefficients(step).equation(TERMS)) for step in steps)


def _shortened(selection: Mapping[str, Any]) -> dict[str, Any]:
    candidates = selection["candidates"]
    return {**selection, "candidates": candidates[:MOST_CANDIDATES], "tried": len(candidates)}


def _listed(values: Sequence[float]) -> str:
    return ", ".join(f"{value:g}" for value in values)
