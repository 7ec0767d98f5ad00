"""The fixed-origin results that several targets show: point forecasts, all methods, ResCP over seeds."""

from collections.abc import Iterable
from dataclasses import dataclass

from ngrc.backtesting.results import Band, Run
from ngrc.study.harness.estimate import Estimate
from ngrc.study.harness.printed import Printed
from ngrc.study.harness.target import Settings
from ngrc.study.real.cases import LEVEL, Case, Scores, fitted, scores
from ngrc.study.real.rescp import at_choice, bands, estimates, mean_scores, over_seeds, own_choice
from ngrc.study.real.sources import Source, sources


@dataclass(frozen=True, slots=True)
class Origin:
    """Everything at the fixed origin and 95 %.

    Parameters
    ----------
    sources
        The series.
    runs
        Runs of the deterministic methods by dataset and horizon.
    seeded
        ResCP at the paper's temperature and window, one band per seed; only the horizons that were asked for.
    own
        ResCP with its own choice of both.
    fits
        The same runs by case, for further layers.
    """

    sources: tuple[Source, ...]
    runs: dict[tuple[str, int], Run]
    seeded: dict[tuple[str, int], list[Band]]
    own: dict[tuple[str, int], Band]
    fits: dict[Case, tuple[Run, ...]]

    def scores(self, dataset: str, horizon: int, method: str) -> Scores:
        """Scores of a method; those of ResCP are means over the seeds."""
        run = self.runs[dataset, horizon]
        if method == "rescp":
            return mean_scores(run, self.seeded[dataset, horizon])
        return scores(run, run.band(method, LEVEL))

    def rescp(self, dataset: str, horizon: int) -> dict[str, Estimate]:
        """Scores of ResCP over the seeds, with their standard errors."""
        return estimates(self.runs[dataset, horizon], self.seeded[dataset, horizon])

    def seconds(self, dataset: str, horizon: int, method: str) -> float:
        """Seconds of a method's tuning, updates and intervals; ResCP's are those of its own choice."""
        if method == "rescp":
            return self.own[dataset, horizon].seconds
        return self.runs[dataset, horizon].band(method, LEVEL).seconds


def fixed_origin(settings: Settings, horizons: Iterable[int], seeded: Iterable[int]) -> Origin:
    """Fit every dataset at the horizons, with ResCP over seeds at some of them."""
    data, over = sources(settings), set(seeded)
    cases = {(source.key, horizon): Case(source.key, horizon) for source in data for horizon in horizons}
    fits = fitted(data, cases.values(), jobs=settings.jobs)
    runs = {key: fits[case][0] for key, case in cases.items()}
    layers = {key: over_seeds(case, runs[key], settings) for key, case in cases.items() if key[1] in over}
    shown = [layer for key in layers for layer in at_choice(cases[key], runs[key], settings)]
    own = {key: own_choice(case, settings.seed) for key, case in cases.items()}
    # Every ResCP of the target in one call: the processes stay busy until the last is done.
    computed = bands([*own.values(), *shown], fits, jobs=settings.jobs)
    return Origin(
        sources=data,
        runs=runs,
        seeded={key: [computed[layer] for layer in group] for key, group in layers.items()},
        own={key: computed[layer] for key, layer in own.items()},
        fits=fits,
    )


def beside(name: str, ours: float | None, paper: Printed | None) -> dict[str, float | None]:
    """Two columns of a table: ours, and the paper's in the same row."""
    return {name: ours, f"{name}_paper": None if paper is None else paper.value}
