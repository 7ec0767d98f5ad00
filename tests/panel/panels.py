"""Small panels and a small model: what the tests of this room share."""

from typing import Any

import numpy as np
import pandas as pd
import polars as pl

from ngrc import NGRC
from ngrc._types import FloatArray

SIZE = 60
MODEL = NGRC(lags=2)
# One fit instead of nine: what is tested here is what goes into it and comes out.
QUICK: dict[str, Any] = {"model": MODEL, "method": "split", "fit": 0.6}


def values(seed: int, size: int = SIZE) -> FloatArray:
    """A noisy wave, another one for each seed."""
    rng = np.random.default_rng(seed)
    return np.asarray(10 + np.sin(np.arange(size) / 3 + seed) + 0.3 * rng.normal(size=size))


def panel(names: Any = ("a", "b", "c"), size: int = SIZE, times: Any = None) -> pl.DataFrame:
    """Series one after the other, on whole-number times."""
    clock = np.arange(size) if times is None else times
    parts = [
        pl.DataFrame({"unique_id": [name] * size, "ds": clock, "y": values(place, size)})
        for place, name in enumerate(names)
    ]
    return pl.concat(parts)


def pandas_panel(**options: Any) -> pd.DataFrame:
    """The same in pandas."""
    return pd.DataFrame({name: column.to_numpy() for name, column in panel(**options).to_dict().items()})


def shuffled(frame: pl.DataFrame) -> pl.DataFrame:
    """Rows in another order."""
    return frame.sample(fraction=1.0, shuffle=True, seed=3)
