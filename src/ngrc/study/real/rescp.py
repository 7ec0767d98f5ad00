"""ResCP around the point forecasts, as the paper ran it: its chosen temperature and window, the stochastic sampler."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np

from ngrc._types import FloatArray
from ngrc.backtesting import evaluate
from ngrc.intervals import ResCP
from ngrc.intervals.base import History, Stream
from ngrc.intervals.rescp import Sampler
from ngrc.results import Band, Run
from ngrc.study.real.cases import LEVEL, Case, Scores, scores, warm_up
from ngrc.study.real.parallel import remembered
from ngrc.study.real.selected_printed import SELECTED, Window
from ngrc.study.target import Settings

SEEDS, SELECTION_SEEDS = 5, 10


@dataclass(frozen=True, slots=True)
class Layer:
    """A ResCP to put around one window of a case."""

    case: Case
    method: ResCP
    level: float = LEVEL
    window: int = 0


def seeds(settings: Settings) -> range:
    """Five seeds as in the paper, from the setting's own on; two for a quick run."""
    return range(settings.seed, settings.seed + settings.replications(SEEDS, quick=2))


def chosen(case: Case, run: Run, seed: int, sampler: Sampler = "stochastic") -> ResCP:
    """ResCP at the temperature and window that the paper selected.

    A stand-in's history may be shorter than that window; then all of it is used.
    """
    selected = SELECTED[case.dataset, case.horizon]
    fits = isinstance(selected.window, str) or selected.window <= len(run.split.history)
    window = selected.window if fits else "all"
    return ResCP(temperature=selected.temperature.value, window=window, sampler=sampler, seed=seed)


def over_seeds(case: Case, run: Run, settings: Settings, sampler: Sampler = "stochastic") -> list[Layer]:
    """The case's layers at the paper's choice, one a seed."""
    return [Layer(case, chosen(case, run, seed, sampler)) for seed in seeds(settings)]


def own_choice(case: Case, settings: Settings, window: int = 0) -> Layer:
    """ResCP that selects temperature and window itself, with the first seed."""
    return Layer(case, ResCP(sampler="stochastic", seed=settings.seed), window=window)


def bands(layers: Iterable[Layer], runs: dict[Case, tuple[Run, ...]], *, jobs: int) -> dict[Layer, Band]:
    """The band of every layer; the longest are started first so that the processes end together."""
    wanted = sorted(dict.fromkeys(layers), key=lambda layer: -_work(layer, runs[layer.case][layer.window]))
    calls = {layer: partial(_band, layer, *_parts(runs[layer.case][layer.window])) for layer in wanted}
    return dict(zip(wanted, remembered(calls, name="ResCP", jobs=jobs), strict=True))


def selections_by_seed(case: Case, run: Run, settings: Settings) -> list[tuple[float, Window]]:
    """Temperature and window that ResCP selects with each of ten seeds (two for a quick run)."""
    count = 2 if settings.quick else SELECTION_SEEDS
    history = run.split.stream(run.residuals).history
    calls = {
        ("selection", case, seed): partial(_selected, ResCP(sampler="stochastic", seed=seed), history)
        for seed in range(settings.seed, settings.seed + count)
    }
    return remembered(calls, name="ResCP selection", jobs=settings.jobs)


def mean_scores(run: Run, found: Sequence[Band]) -> Scores:
    """Scores averaged over bands of one run, which differ in their seed."""
    return Scores(*(float(value) for value in np.mean([scores(run, band) for band in found], axis=0)))


def _parts(run: Run) -> tuple[Stream, FloatArray]:
    return run.split.stream(run.residuals), run.forecasts[run.split.test.start : run.split.test.stop]


def _band(layer: Layer, stream: Stream, forecasts: FloatArray) -> Band:
    warm_up()
    return evaluate(layer.method, "rescp", stream, forecasts, layer.level)


def _selected(method: ResCP, history: History) -> tuple[float, Window]:
    tuned = method.tuned(history, LEVEL)
    assert tuned.temperature is not None
    assert tuned.window is not None
    return tuned.temperature, tuned.window


def _work(layer: Layer, run: Run) -> int:
    known, steps = len(run.split.history), len(run.split.test)
    window = layer.method.window
    tuning = known * known // 10 if window is None else 0
    return tuning + steps * (window if isinstance(window, int) else known + steps // 2)
