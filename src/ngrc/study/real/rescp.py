"""ResCP around the point forecasts, as the paper ran it: its chosen temperature and window, the stochastic sampler."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from time import perf_counter
from typing import NamedTuple

import numpy as np

from ngrc._types import FloatArray
from ngrc.backtesting.rehearsal import rehearse
from ngrc.backtesting.results import Band, Run
from ngrc.backtesting.scoring import evaluate
from ngrc.intervals import ResCP
from ngrc.intervals.base import History, Stream
from ngrc.intervals.rescp.method import Sampler
from ngrc.study.harness.target import Settings
from ngrc.study.real.cases import LEVEL, Case, Scores, scores
from ngrc.study.real.parallel import remembered
from ngrc.study.real.printed.selected import SELECTED, Window

# Five as in the paper's table over seeds; ten where the question is how often a choice is made.
SEEDS, SELECTION_SEEDS = 5, 10


@dataclass(frozen=True, slots=True)
class Layer:
    """A ResCP to put around one window of a case."""

    case: Case
    method: ResCP
    level: float = LEVEL
    window: int = 0


class Choice(NamedTuple):
    """A method with what it selected, and the seconds this took."""

    method: ResCP
    seconds: float


def seeds(settings: Settings) -> range:
    """Five seeds as in the paper, from the setting's own on; two for a quick run."""
    return range(settings.seed, settings.seed + settings.replications(SEEDS, quick=2))


def chosen(case: Case, run: Run, seed: int, sampler: Sampler = "stochastic") -> ResCP:
    """ResCP at the temperature and window that the paper selected.

    A stand-in's history may be shorter than that window; then all of it is used.
    """
    selected = SELECTED[case.dataset, case.horizon]
    fits = isinstance(selected.window, str) or selected.window <= run.blocks.history_rows
    window = selected.window if fits else "all"
    return ResCP(temperature=selected.temperature.value, window=window, sampler=sampler, seed=seed)


def over_seeds(case: Case, run: Run, settings: Settings, sampler: Sampler = "stochastic") -> list[Layer]:
    """The case's layers at the paper's choice, one per seed."""
    return [Layer(case, chosen(case, run, seed, sampler)) for seed in seeds(settings)]


def own_choice(case: Case, settings: Settings, window: int = 0) -> Layer:
    """ResCP that selects temperature and window itself, with the first seed."""
    return Layer(case, ResCP(sampler="stochastic", seed=settings.seed), window=window)


def bands(layers: Iterable[Layer], runs: dict[Case, tuple[Run, ...]], *, jobs: int) -> dict[Layer, Band]:
    """The band of every layer; the longest are started first so that the processes end together.

    A selection is made first, so that a layer that selects what another was given is not run twice.
    """
    wanted = list(dict.fromkeys(layers))
    choices = _selections(wanted, runs, jobs)
    settled = {layer: replace(layer, method=choices[layer].method) for layer in choices}
    distinct = {settled.get(layer, layer) for layer in wanted}
    order = sorted(distinct, key=lambda layer: -_work(layer, runs[layer.case][layer.window]))
    calls = {layer: partial(_band, layer, *_parts(runs[layer.case][layer.window])) for layer in order}
    computed = dict(zip(order, remembered(calls, name="ResCP", jobs=jobs), strict=True))
    timed = {}
    for layer in wanted:
        # Its own tuning is added to the seconds, although another layer may have made the same intervals.
        band = computed[settled.get(layer, layer)]
        tuning = choices[layer].seconds if layer in choices else 0.0
        timed[layer] = replace(band, seconds=band.seconds + tuning)
    return timed


def _selections(layers: Iterable[Layer], runs: dict[Case, tuple[Run, ...]], jobs: int) -> dict[Layer, Choice]:
    """Choices of the layers whose temperature or window is open."""
    calls = {}
    for layer in sorted(layers, key=lambda layer: -runs[layer.case][layer.window].blocks.history_rows):
        if layer.method.temperature is None or layer.method.window is None:
            stream, _ = _parts(runs[layer.case][layer.window])
            calls["selection", layer] = partial(_select, layer.method, stream.history, layer.level)
    choices = remembered(calls, name="ResCP selection", jobs=jobs)
    return {layer: choice for (_, layer), choice in zip(calls, choices, strict=True)}


def selections_by_seed(
    case: Case, runs: dict[Case, tuple[Run, ...]], settings: Settings
) -> list[tuple[float, Window]]:
    """Temperature and window that ResCP selects with each of ten seeds (two for a quick run)."""
    count = 2 if settings.quick else SELECTION_SEEDS
    layers = [
        Layer(case, ResCP(sampler="stochastic", seed=seed))
        for seed in range(settings.seed, settings.seed + count)
    ]
    methods = [choice.method for choice in _selections(layers, runs, settings.jobs).values()]
    return [(method.temperature, method.window) for method in methods if method.temperature and method.window]


def mean_scores(run: Run, seeded: Sequence[Band]) -> Scores:
    """Scores averaged over bands of one run, which differ in their seed."""
    return Scores(*(float(value) for value in np.mean([scores(run, band) for band in seeded], axis=0)))


def _parts(run: Run) -> tuple[Stream, FloatArray]:
    return run.blocks.stream(run.residuals), run.forecasts[run.blocks.test]


def _band(layer: Layer, stream: Stream, forecasts: FloatArray) -> Band:
    return evaluate(layer.method, "rescp", stream, forecasts, layer.level)


def _select(method: ResCP, history: History, level: float) -> Choice:
    # Compiled before the clock starts: the seconds are those of the method.
    rehearse(method)
    begin = perf_counter()
    return Choice(method.tuned(history, level), perf_counter() - begin)


def _work(layer: Layer, run: Run) -> int:
    # Similarities to compute; a window of all grows from `known` by one per step, by half the steps on average.
    known, steps = run.blocks.history_rows, run.blocks.test_rows
    window = layer.method.window
    return steps * (window if isinstance(window, int) else known + steps // 2)
