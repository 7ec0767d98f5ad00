"""ResCP around the point forecasts, as the paper ran it: its chosen temperature and window, the stochastic sampler."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from time import perf_counter
from typing import NamedTuple

import numpy as np

from ngrc._types import FloatArray
from ngrc.backtesting.results import Band, Run
from ngrc.backtesting.scoring import scored
from ngrc.intervals import ResCP
from ngrc.intervals.base import History, Stream
from ngrc.intervals.levels import Pass
from ngrc.intervals.rescp.method import Sampler
from ngrc.intervals.rescp.reservoir import Recurrence
from ngrc.intervals.rescp.tuning import HISTORY_SHARE
from ngrc.study.harness.estimate import Estimate, estimate
from ngrc.study.harness.target import Settings
from ngrc.study.real.cases import LEVEL, Case, Scores, scores
from ngrc.study.real.parallel import remembered, remembered_groups, unknown
from ngrc.study.real.printed.seeds import PAPER_SEEDS
from ngrc.study.real.printed.selected import SELECTED

# As many as the paper has.
SEEDS = PAPER_SEEDS
SAMPLERS: tuple[Sampler, ...] = ("stochastic", "exact")
# With three, 19 of their standard errors are allowed; with two it would be 235.
QUICK_SEEDS = 3


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
    """Five seeds from the setting's own on; three for a quick run."""
    return first_seeds(settings, SEEDS)


def first_seeds(settings: Settings, count: int) -> range:
    """So many seeds from the setting's own on, `reps` if it says so; three for a quick run."""
    return range(settings.seed, settings.seed + settings.replications(count, quick=QUICK_SEEDS))


def chosen(
    case: Case, run: Run, seed: int, sampler: Sampler = "stochastic", recurrence: Recurrence = "code"
) -> ResCP:
    """ResCP at the temperature and window that the paper selected.

    A stand-in's history may be shorter than that window; then all of it is used.
    """
    selected = SELECTED[case.dataset, case.horizon]
    fits = isinstance(selected.window, str) or selected.window <= run.blocks.history_rows
    window = selected.window if fits else "all"
    return ResCP(
        temperature=selected.temperature.value,
        window=window,
        sampler=sampler,
        recurrence=recurrence,
        seed=seed,
    )


def over_seeds(
    case: Case,
    run: Run,
    settings: Settings,
    sampler: Sampler = "stochastic",
    recurrence: Recurrence = "code",
    count: int = SEEDS,
) -> list[Layer]:
    """The case's layers at the paper's choice, one per seed."""
    return [
        Layer(case, chosen(case, run, seed, sampler, recurrence)) for seed in first_seeds(settings, count)
    ]


def at_choice(case: Case, run: Run, settings: Settings) -> list[Layer]:
    """Everything that any target shows of a case at the paper's choice, to be asked for at once.

    Both samplers over seeds, and every level of the case with the first seed.
    """
    seeded = [layer for sampler in SAMPLERS for layer in over_seeds(case, run, settings, sampler)]
    first = chosen(case, run, settings.seed)
    return [*seeded, *(Layer(case, first, level) for level in case.levels if level != LEVEL)]


def own_choice(case: Case, seed: int, window: int = 0, recurrence: Recurrence = "code") -> Layer:
    """ResCP that selects temperature and window itself."""
    return Layer(case, ResCP(sampler="stochastic", recurrence=recurrence, seed=seed), window=window)


def bands(layers: Iterable[Layer], runs: dict[Case, tuple[Run, ...]], *, jobs: int) -> dict[Layer, Band]:
    """The band of every layer; the longest are started first so that the processes end together.

    Layers that differ in sampler and level alone share their similarities. A selection is made first, so that a layer
    that selects what another was given is not run twice; what was selected runs alone, as its seconds are shown.
    """
    wanted = list(dict.fromkeys(layers))
    choices = selections(wanted, runs, jobs=jobs)
    settled = {layer: replace(layer, method=choices[layer].method) for layer in choices}
    distinct = list(dict.fromkeys(settled.get(layer, layer) for layer in wanted))
    groups: dict[tuple[Layer, bool], list[Layer]] = {}
    for layer in unknown(distinct):
        alone = layer in settled.values()
        groups.setdefault((layer if alone else _shared(layer), alone), []).append(layer)
    order = sorted(groups.values(), key=lambda group: -_work(group[0], runs[group[0].case][group[0].window]))
    calls = {
        tuple(group): partial(_bands, group, *_parts(runs[group[0].case][group[0].window])) for group in order
    }
    computed = remembered_groups(distinct, calls, name="ResCP", jobs=jobs)
    timed = {}
    for layer in wanted:
        # Its own tuning is added to the seconds, although another layer may have made the same intervals.
        band = computed[settled.get(layer, layer)]
        tuning = choices[layer].seconds if layer in choices else 0.0
        timed[layer] = replace(band, seconds=band.seconds + tuning)
    return timed


def selections(
    layers: Iterable[Layer], runs: dict[Case, tuple[Run, ...]], *, jobs: int, share: float = HISTORY_SHARE
) -> dict[Layer, Choice]:
    """Choices of the layers whose temperature or window is open, scored after the first `share` of the history."""
    wanted = [layer for layer in layers if layer.method.temperature is None or layer.method.window is None]
    # The longest histories first, so that the processes end together; answered in the order asked.
    order = sorted(wanted, key=lambda layer: -runs[layer.case][layer.window].blocks.history_rows)
    calls = {}
    for layer in order:
        stream, _ = _parts(runs[layer.case][layer.window])
        calls["selection", layer, share] = partial(_select, layer.method, stream.history, layer.level, share)
    choices = dict(zip(order, remembered(calls, name="ResCP selection", jobs=jobs), strict=True))
    return {layer: choices[layer] for layer in wanted}


def mean_scores(run: Run, seeded: Sequence[Band]) -> Scores:
    """Scores averaged over bands of one run, which differ in their seed."""
    return Scores(*(float(value) for value in np.mean([scores(run, band) for band in seeded], axis=0)))


def estimates(run: Run, seeded: Sequence[Band]) -> dict[str, Estimate]:
    """Mean and standard error of each score over bands of one run, which differ in their seed."""
    samples = np.array([scores(run, band) for band in seeded])
    return {name: estimate(column) for name, column in zip(Scores._fields, samples.T, strict=True)}


def _parts(run: Run) -> tuple[Stream, FloatArray]:
    return run.blocks.stream(run.residuals), run.forecasts[run.blocks.test]


def _shared(layer: Layer) -> Layer:
    """The same for all layers with the same similarities."""
    return replace(layer, method=replace(layer.method, sampler="stochastic"), level=LEVEL)


def _bands(group: Sequence[Layer], stream: Stream, forecasts: FloatArray) -> tuple[Band, ...]:
    """Bands of layers that share their similarities; the seconds are shared out evenly."""
    begin = perf_counter()
    ran = group[0].method.run_asked(stream, [(layer.method.sampler, layer.level) for layer in group])
    seconds = (perf_counter() - begin) / len(group)
    return tuple(
        scored("rescp", Pass(layer.level, layer.method, offsets, seconds), stream, forecasts)
        for layer, offsets in zip(group, ran, strict=True)
    )


def _select(method: ResCP, history: History, level: float, share: float) -> Choice:
    begin = perf_counter()
    return Choice(method.tuned_on(history.inner(share), level), perf_counter() - begin)


def _work(layer: Layer, run: Run) -> int:
    # Similarities to compute; a window of all grows from `known` by one per step, by half the steps on average.
    known, steps = run.blocks.history_rows, run.blocks.test_rows
    window = layer.method.window
    return steps * (window if isinstance(window, int) else known + steps // 2)
