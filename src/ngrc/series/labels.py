"""What the name of a column says: a time, a part of one, the values, or which series a row belongs to."""

import re
from functools import lru_cache
from typing import Any

# "ds" is what Prophet and the Nixtla libraries call the time.
TIME_NAMES = frozenset(
    {
        "date",
        "time",
        "datetime",
        "date_time",
        "date time",
        "timestamp",
        "ds",
        "period",
        "ts",
        "epoch",
        "unix",
        "unixtime",
    }
)
# A part of a date is a time of its own only where it stands alone and never repeats.
PART_NAMES = frozenset({"year", "quarter", "month", "week", "day", "day_of_year", "hour", "minute", "second"})
# What a calendar says of the row: never what is to be forecast while there is another column.
CALENDAR_NAMES = frozenset(
    {
        "weekday",
        "dayofweek",
        "day_of_week",
        "dow",
        "workingday",
        "working_day",
        "holiday",
        "is_holiday",
        "weekend",
    }
    | {"is_weekend", "season", "yr", "mnth", "hr", "dst"}
)
VALUE_NAMES = ("y", "value", "target")
# What pandas calls an index that it writes as a column.
UNNAMED = frozenset({"", "unnamed: 0", "index"})
# "h" may also be a height: `parts` looks at its numbers.
HOUR_NAMES = frozenset({"h", "hour", "hours", "hr", "hour_of_day", "hour_ending"})
CLOCK_NAMES = frozenset({"time", "clock", "time_of_day"})

# Words that make any name an id: unique_id, sensor uid.
_KEYS = frozenset({"id", "ids", "uid", "uuid", "sku"})
# Things of which a table holds many, each with a series of its own. Words that also name measurements (stock, market)
# or states of one series (group, type, name) are left out: such columns are judged by what they hold.
_THINGS = frozenset(
    {
        "series",
        "item",
        "store",
        "shop",
        "station",
        "site",
        "sensor",
        "device",
        "meter",
        "product",
        "region",
        "country",
        "city",
        "county",
        "location",
        "plant",
        "customer",
        "household",
        "building",
        "ticker",
        "symbol",
        "machine",
        "turbine",
        "inverter",
        "node",
        "buoy",
        "airport",
        "hospital",
        "patient",
        "subject",
        "warehouse",
        "branch",
        "brand",
    }
)
# Words that make an id of the name of a thing: store_nbr, station code. Alone they say nothing.
_COUNTERS = frozenset({"nbr", "no", "nr", "num", "number", "name", "code", "key"})


# What German, French, Spanish and Italian tables call the columns above.
_ENGLISH = {
    "datum": "date",
    "fecha": "date",
    "zeit": "time",
    "uhrzeit": "time",
    "zeitpunkt": "datetime",
    "zeitstempel": "timestamp",
    "datum/uhrzeit": "datetime",
    "datum und uhrzeit": "datetime",
    "date/time": "datetime",
    "stunde": "hour",
    "heure": "hour",
    "hora": "hour",
    "ora": "hour",
    "jahr": "year",
    "année": "year",
    "annee": "year",
    "año": "year",
    "anno": "year",
    "quartal": "quarter",
    "trimestre": "quarter",
    "monat": "month",
    "mois": "month",
    "mes": "month",
    "mese": "month",
    "woche": "week",
    "semaine": "week",
    "tag": "day",
    "jour": "day",
    "día": "day",
    "dia": "day",
    "giorno": "day",
    "wert": "value",
    "messwert": "value",
    "valeur": "value",
    "valor": "value",
    "valore": "value",
    "doy": "day_of_year",
    "dayofyear": "day_of_year",
    "day of year": "day_of_year",
    "yday": "day_of_year",
    "weekofyear": "week",
    "week_of_year": "week",
    "iso_week": "week",
    "kw": "week",
}


def label(name: Any) -> str:
    """Return a column's name as it is compared: in small letters, in English, without blanks or a unit in brackets.

    Examples
    --------
    >>> label(" Date (UTC) "), label("Uhrzeit"), label("Power [kW]"), label("Hora UTC")
    ('date', 'time', 'power', 'hour')
    """
    word = re.sub(r"(?<=\S)(\s*[(\[].*|[\s_](utc|gmt))$", "", str(name).strip().lower())
    return _ENGLISH.get(word, word)


def names_series(name: Any) -> bool:
    """Whether a column is called an id of series or of a thing that has one.

    Examples
    --------
    >>> [names_series(name) for name in ("unique_id", "Store", "store_nbr", "StationID", "price", "fluid")]
    [True, True, True, True, False, False]
    """
    return _names_series(label(name))


@lru_cache(maxsize=1 << 16)
def _names_series(whole: str) -> bool:
    words = [word for word in re.split(r"[\W_]+", whole) if word]
    if not words:
        return False
    # Whole words only: "fluid" ends in id and is none.
    return (
        bool(_KEYS.intersection(words))
        or whole in _THINGS
        or (whole.endswith("id") and whole[:-2] in _THINGS)
        or (words[0] in _THINGS and words[-1] in _COUNTERS)
    )
