"""Series simulated from known models: coverage and width of `look_ahead` beside the true model's.

`python -m accuracy.simulated [--series N] [--only NAME] [--jobs N]` prints one line per model, length and number of
steps: the least and largest coverage of a step, the mean width over that of the true model's errors, and the root mean
squared error of the forecasts over the true model's, below which no width holds the level.
"""

import argparse
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from functools import partial
from multiprocessing import get_context
from types import MappingProxyType

import numpy as np

from ngrc import look_ahead
from ngrc._normal import gaussian_radius
from ngrc._types import FloatArray

LEVEL = 0.9
SEASON = 12
SIZES = (30, 36, 60, 120, 300)
STEPS = (12, 6)

Draw = tuple[FloatArray, FloatArray]
"""Observations and the coming values in one array, and the standard deviation of the true model's error by step."""


def seasonal(size: int, steps: int, rng: np.random.Generator) -> Draw:
    """A yearly cycle of months, ten times as high as the noise."""
    angle = 2.0 * np.pi * np.arange(size + steps) / SEASON + rng.uniform(0.0, 2.0 * np.pi)
    return 10.0 * np.sin(angle) + rng.normal(size=size + steps), np.ones(steps)


def uneven(size: int, steps: int, rng: np.random.Generator) -> Draw:
    """The same cycle; the noise is nine times as large at the phase of the farthest step as half a year away."""
    ahead = np.arange(1 - size - steps, 1)
    deviations = 1.0 + 0.8 * np.cos(2.0 * np.pi * ahead / SEASON)
    angle = 2.0 * np.pi * np.arange(size + steps) / SEASON + rng.uniform(0.0, 2.0 * np.pi)
    values = 10.0 * np.sin(angle) + deviations * rng.normal(size=size + steps)
    return values, deviations[size:]


def trending(size: int, steps: int, rng: np.random.Generator) -> Draw:
    """A straight line that rises by half a standard deviation of the noise per step."""
    return 50.0 + 0.5 * np.arange(size + steps) + rng.normal(size=size + steps), np.ones(steps)


def autoregressive(size: int, steps: int, rng: np.random.Generator, share: float = 0.7) -> Draw:
    """AR(1), from its stationary law on."""
    values = rng.normal(size=size + steps)
    values[0] /= np.sqrt(1.0 - share**2)
    for time in range(1, values.size):
        values[time] += share * values[time - 1]
    ahead = np.arange(1, steps + 1)
    return values, np.sqrt((1.0 - share ** (2 * ahead)) / (1.0 - share**2))


def random_walk(size: int, steps: int, rng: np.random.Generator) -> Draw:
    """Independent changes."""
    return np.cumsum(rng.normal(size=size + steps)), np.sqrt(np.arange(1.0, steps + 1.0))


MODELS: Mapping[str, Callable[[int, int, np.random.Generator], Draw]] = MappingProxyType(
    {
        "seasonal": seasonal,
        "uneven noise": uneven,
        "trend": trending,
        "AR(1)": autoregressive,
        "random walk": random_walk,
    }
)


@dataclass(frozen=True, slots=True)
class Setting:
    """One model at one length and number of steps."""

    model: str
    size: int
    steps: int

    def forecast(self, seed: int) -> FloatArray:
        """One series: whether each step was held, its width and its error over the true model's, shape (3, steps)."""
        rng = np.random.default_rng([seed, self.size, self.steps, *self.model.encode()])
        values, deviations = MODELS[self.model](self.size, self.steps, rng)
        known, coming = values[: self.size], values[self.size :]
        # A season is that of a calendar: its period is told by the times.
        source = _months(known) if self.model in ("seasonal", "uneven noise") else known
        outlook = look_ahead(source, steps=self.steps, level=LEVEL)
        held = (outlook.lower <= coming) & (coming <= outlook.upper)
        widths = (outlook.upper - outlook.lower) / (2.0 * gaussian_radius(LEVEL) * deviations)
        return np.stack([held, widths, (coming - outlook.forecast) / deviations])


@dataclass(frozen=True, slots=True)
class Judged:
    """Coverage by step, mean width over the ideal one, and relative error of the forecasts, of some series."""

    coverage: FloatArray
    width: float
    error: float
    series: int

    @classmethod
    def of(cls, found: FloatArray) -> "Judged":
        """From `Setting.forecast` of each series, shape (series, 3, steps)."""
        held, widths, errors = np.moveaxis(found, 1, 0)
        relative = float(np.sqrt(np.mean(errors**2)))
        return cls(held.mean(axis=0), float(widths.mean()), relative, len(found))

    @property
    def noise(self) -> float:
        """Standard error of a step's coverage at the level."""
        return float(np.sqrt(LEVEL * (1.0 - LEVEL) / self.series))


def _months(values: FloatArray) -> "object":
    import polars as pl

    times = (np.datetime64("2000-01") + np.arange(values.size)).astype("M8[D]")
    return pl.DataFrame({"time": times, "y": values})


def settings(only: str) -> Iterator[Setting]:
    """Every setting whose model's name holds `only`."""
    models = [model for model in MODELS if only.lower() in model.lower()]
    yield from (Setting(model, size, steps) for steps in STEPS for size in SIZES for model in models)


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(prog="python -m accuracy.simulated")
    parser.add_argument("--series", type=int, default=200, help="series per setting")
    parser.add_argument("--only", default="", metavar="NAME", help="models whose name holds NAME")
    parser.add_argument("--jobs", type=int, default=2, help="processes")
    options = parser.parse_args()
    print(
        f"{'model':12} {'n':>4} {'H':>3}  coverage at {LEVEL:g}: mean, least and largest step  width  RMSE (over ideal)"
    )
    # Spawned: threads of a loaded library do not survive a fork.
    with ProcessPoolExecutor(options.jobs, mp_context=get_context("spawn")) as pool:
        for one in settings(options.only):
            found = pool.map(partial(Setting.forecast, one), range(options.series), chunksize=5)
            judged = Judged.of(np.stack(list(found)))
            cover = judged.coverage
            print(
                f"{one.model:12} {one.size:4} {one.steps:3}  {cover.mean():.3f}  {cover.min():.3f} {cover.max():.3f} "
                f"(+- {judged.noise:.3f})  {judged.width:5.2f}  {judged.error:.2f}",
                flush=True,
            )


if __name__ == "__main__":
    main()
