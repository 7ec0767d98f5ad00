"""The named real series."""

from collections.abc import Callable, Mapping
from pathlib import Path
from types import MappingProxyType

from ngrc.datasets.beijing import BEIJING, load_beijing
from ngrc.datasets.exchange import EXCHANGE, load_exchange
from ngrc.datasets.ozone import EPA_O3, LA_O3, load_ozone, load_ozone_epa
from ngrc.datasets.registry import Original, find
from ngrc.datasets.solar import SOLAR, load_solar
from ngrc.series import Series
from ngrc.series.wording import closest

LOADERS: Mapping[str, Callable[[], Series]] = MappingProxyType(
    {
        "exchange": load_exchange,
        "solar": load_solar,
        "beijing": load_beijing,
        "ozone": load_ozone,
        "ozone-epa": load_ozone_epa,
    }
)
ORIGINALS: Mapping[str, tuple[Original, ...]] = MappingProxyType(
    {
        "exchange": (EXCHANGE,),
        "solar": (SOLAR,),
        "beijing": (BEIJING,),
        "ozone": (LA_O3, EPA_O3),
        "ozone-epa": (EPA_O3,),
    }
)
ABOUT: Mapping[str, str] = MappingProxyType(
    {
        "exchange": "daily log returns of an exchange rate, in per cent",
        "solar": "mean power of 137 solar plants, every 10 minutes",
        "beijing": "mean PM10 of 12 sites in Beijing, every hour",
        "ozone": "ozone in Los Angeles, daily; the EPA's series where the paper's file is absent",
        "ozone-epa": "ozone in Los Angeles, daily, from the EPA's files",
    }
)
"""What each is, in a line."""


def names() -> tuple[str, ...]:
    """Return the names that `load` knows.

    Examples
    --------
    >>> names()
    ('exchange', 'solar', 'beijing', 'ozone', 'ozone-epa')
    """
    return tuple(LOADERS)


def load(name: str) -> Series:
    """Load one of the paper's series by name.

    The file is looked for in the folder named by the environment variable `NGRC_DATA`, then in the cache, and
    downloaded where it is public.

    Parameters
    ----------
    name
        'exchange' (daily log returns in per cent), 'solar' (mean power of 137 plants, 10 minutes), 'beijing'
        (mean PM10 of 12 sites, hourly), 'ozone' (Los Angeles, daily; the EPA stand-in where the paper's file
        is absent) or 'ozone-epa' (the stand-in).
    """
    if name not in LOADERS:
        raise ValueError(f"no dataset {name!r}; there are {', '.join(LOADERS)}{closest(str(name), LOADERS)}")
    return LOADERS[name]()


def located(name: str) -> list[Path]:
    """The files on this machine that `load(name)` may read from; none before a download."""
    return [path for path in map(find, ORIGINALS[name]) if path is not None]
