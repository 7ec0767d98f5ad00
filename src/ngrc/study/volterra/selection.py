"""What independent pilots choose: the temperature alone, or the reservoir with it."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial

import polars as pl

from ngrc._types import FloatArray
from ngrc.intervals import ResCP
from ngrc.intervals.rescp.reservoir import Recurrence
from ngrc.study.harness.replicate import replicate
from ngrc.study.harness.target import Settings
from ngrc.study.volterra.cells import latent_path
from ngrc.study.volterra.memory import likeness
from ngrc.study.volterra.pilot import (
    APPENDIX,
    NAME,
    STRETCHES,
    TEMPERATURES,
    TENTH,
    candidates,
    pilot,
    reservoirs,
    score,
    validation,
)

PILOTS, QUICK_PILOTS = 12, 2
"""How many independent pilots choose; the paper had one, and so has our evaluation, the first."""


@dataclass(frozen=True, slots=True)
class Choices:
    """What pilots chose in one way of tuning, in their order."""

    recurrence: Recurrence
    tuned: str
    validation: str
    chosen: tuple[ResCP, ...]

    def record(self) -> dict[str, object]:
        """A row of the table: how often each temperature was chosen, and all that the first pilot chose."""
        counts = Counter(method.temperature for method in self.chosen)
        first = self.chosen[0]
        return {
            "recurrence": self.recurrence,
            "tuned": self.tuned,
            "validation": self.validation,
            "pilots": len(self.chosen),
            **{f"chose_{value:.2f}": counts[value] for value in TEMPERATURES},
            "first_temperature": first.temperature,
            "first_spectral_radius": first.spectral_radius,
            "first_leak": first.leak,
            "first_input_scaling": first.input_scaling,
            "first_connectivity": first.connectivity,
        }


@dataclass(frozen=True, slots=True)
class Selection:
    """The evaluation's settings by recurrence, every choice, and those made again with the step halved."""

    settled: dict[Recurrence, ResCP]
    choices: tuple[Choices, ...]
    repeated: tuple[tuple[ResCP, ResCP], ...]
    """Pairs of one pilot's choice with the step and with half of it."""
    likeness: dict[float, float]
    """By spectral radius: how alike the first pilot's states are with the step and with half of it."""

    @property
    def table(self) -> pl.DataFrame:
        """One row per way of tuning."""
        return pl.DataFrame([each.record() for each in self.choices])

    @property
    def alone(self) -> Choices:
        """The pilots that chose the temperature alone, for the recurrence that is evaluated."""
        return next(
            each for each in self.choices if each.tuned == "temperature" and each.recurrence == "code"
        )


def select(settings: Settings) -> Selection:
    """Run the pilots; a quick run has two and tunes the temperature alone."""
    count = QUICK_PILOTS if settings.quick else PILOTS
    simulate = partial(replicate, count=count, name=NAME, seed=settings.seed)
    # The same streams again: with the step halved only the path differs.
    sequences = simulate(pilot)
    halved = simulate(partial(pilot, path=latent_path(0.0025, 40)))
    choices: list[Choices] = []
    settled: dict[Recurrence, ResCP] = {}
    repeated: list[tuple[ResCP, ResCP]] = []
    for recurrence in ("code", "paper"):
        base = [replace(APPENDIX, recurrence=recurrence)]
        ways = [_choices(base, "temperature", sequences, halved, settings.jobs)]
        if not settings.quick:
            # A whole grid for twelve pilots costs as much as the evaluation: once, for the recurrence evaluated.
            pilots = sequences if recurrence == "code" else sequences[:1]
            grid = reservoirs(recurrence)
            ways.append(_choices(grid, "reservoir and temperature", pilots, halved[:1], settings.jobs))
        settled[recurrence] = ways[-1][0].chosen[0]
        for way in ways:
            choices += way[:-1]
            if recurrence == "code":
                repeated += list(zip(way[0].chosen, way[-1].chosen, strict=False))
    radii = sorted({1.0, settled["code"].spectral_radius})
    alike = {
        radius: likeness(replace(settled["code"], spectral_radius=radius), sequences[0], halved[0])
        for radius in radii
    }
    return Selection(settled, tuple(choices), tuple(repeated), alike)


def _choices(
    grid: Sequence[ResCP],
    tuned: str,
    sequences: Sequence[FloatArray],
    halved: Sequence[FloatArray],
    jobs: int,
) -> list[Choices]:
    """Choices of all sequences on the pilot's own stretch and of as many as are halved on the others; last, the halved.

    Longer stretches cost more, and a whole grid is large: there the first pilot must do.
    """
    parts = {stretch: sequences if stretch == TENTH else sequences[: len(halved)] for stretch in STRETCHES}
    streams = [validation(each, stretch) for stretch, several in parts.items() for each in several]
    streams += [validation(each, TENTH) for each in halved]
    scores, methods = score(grid, streams, jobs), candidates(grid)
    chosen = iter([methods[scores.best(i)] for i in range(len(streams))])
    sizes = [(stretch, len(several)) for stretch, several in parts.items()] + [("halved", len(halved))]
    recurrence = grid[0].recurrence
    return [
        Choices(recurrence, tuned, stretch, tuple(next(chosen) for _ in range(size)))
        for stretch, size in sizes
    ]
