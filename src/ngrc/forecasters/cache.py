"""Forecasts of models that take long to train, kept by content hash under the user's cache folder."""

import zipfile
from dataclasses import dataclass, replace
from pathlib import Path
from time import perf_counter
from typing import Any

import numpy as np

from ngrc._atomic import write_whole
from ngrc._types import FloatArray
from ngrc.forecasters.base import Forecaster
from ngrc.forecasters.facts import Noted
from ngrc.forecasters.fingerprint import fingerprint
from ngrc.validation import check_count, check_vector

UNREADABLE = (OSError, ValueError, KeyError, TypeError, EOFError, zipfile.BadZipFile)
"""What reading a truncated, empty, bit-flipped or foreign file raises."""


@dataclass(frozen=True, slots=True)
class KeptForecasts:
    """Forecasts of a fitted model over a whole series.

    Parameters
    ----------
    values
        Forecasts by target time, shape (n,), NaN where there is none.
    seconds
        What fitting and forecasting took when they were done, here or in an earlier run.
    notes
        What the fit said of itself, and what was wrong with a cached file.
    from_cache
        Whether an earlier run's forecasts were read.
    """

    values: FloatArray
    seconds: float
    notes: tuple[str, ...] = ()
    from_cache: bool = False


def cache_folder() -> Path:
    """`forecasts` beside the downloads: under `$XDG_CACHE_HOME/ngrc` or in the platform's own cache."""
    # Imported here: only the place is wanted, and not the loaders that come with it.
    from ngrc.datasets.registry import cache_folder as downloads

    return downloads() / "forecasts"


def cached_predict(
    forecaster: Forecaster,
    y: Any,
    fit_end: int,
    *,
    first: int = 0,
    scale: tuple[float, float] | None = None,
    folder: Path | None = None,
) -> KeptForecasts:
    """Fit on y[:fit_end] and forecast all of `y`, or read what an earlier run with the same content got.

    The key is a hash of the class, its parameters, its code, the series, `fit_end`, `first` and `scale`.

    Parameters
    ----------
    forecaster
        An unfitted forecaster; it is fitted where nothing is cached and left alone otherwise.
    y
        Series, shape (n,).
    fit_end
        Observations in the fit block: the last fit target is fit_end - 1.
    first, scale
        As in `Forecaster.fit`.
    folder
        Where to keep the forecasts, `cache_folder()` by default; if it cannot be written, a note says so.

    Examples
    --------
    >>> from tempfile import TemporaryDirectory
    >>> from ngrc.forecasters.naive import SeasonalNaive
    >>> with TemporaryDirectory() as folder:
    ...     once = cached_predict(SeasonalNaive(), [1.0, 2.0, 3.0], 2, folder=Path(folder))
    ...     again = cached_predict(SeasonalNaive(), [1.0, 2.0, 3.0], 2, folder=Path(folder))
    >>> once.from_cache, again.from_cache, again.values
    (False, True, array([nan,  1.,  2.]))
    """
    values = check_vector(y, "y")
    if check_count(fit_end, "fit_end") > values.size:
        raise ValueError(f"fit_end must be at most the {values.size} observations, got {fit_end}")
    place = cache_folder() if folder is None else folder
    path = place / f"{fingerprint(forecaster, values, fit_end, first, scale)}.npz"
    notes: tuple[str, ...] = ()
    if path.is_file():
        try:
            return _read(path, values.size)
        except UNREADABLE as error:
            notes = (f"ignored the cached forecasts {path.name}: {error}",)
    begin = perf_counter()
    forecasts = forecaster.fit(values[:fit_end], first=first, scale=scale).predict(values)
    seconds = perf_counter() - begin
    result = KeptForecasts(forecasts, seconds, forecaster.notes_ if isinstance(forecaster, Noted) else ())
    try:
        place.mkdir(parents=True, exist_ok=True)
        write_whole(path, lambda partial: _write(partial, result), follow=False)
    except (OSError, ValueError) as error:
        notes = (*notes, f"the forecasts could not be cached: {error}")
    # What went wrong with the cache is said once and not stored with the forecasts.
    return replace(result, notes=(*result.notes, *notes))


def _write(path: Path, kept: KeptForecasts) -> None:
    with path.open("wb") as file:
        np.savez(file, values=kept.values, seconds=kept.seconds, notes=np.array(kept.notes, dtype=np.str_))


def _read(path: Path, size: int) -> KeptForecasts:
    # No pickles: a file in a cache folder must not be able to run code.
    with path.open("rb") as file, np.load(file, allow_pickle=False) as stored:
        values, seconds, notes = stored["values"], float(stored["seconds"]), stored["notes"]
    if values.shape != (size,) or values.dtype != np.float64:
        raise ValueError(f"expected {size} forecasts, got {values.dtype} of shape {values.shape}")
    return KeptForecasts(values, seconds, tuple(str(note) for note in notes), from_cache=True)
