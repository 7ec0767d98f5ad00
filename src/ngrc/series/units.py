"""Units of measurement, as people write them under a header or after a number."""

import re

# In small letters. No list holds all: after a number any short word that all rows share is taken for a unit, while
# under a header only these and what stands in brackets are.
_LIST = """
    w kw mw gw tw wh kwh mwh gwh twh va kva mva var v kv mv a ma hz khz mhz ohm ω j kj mj c °c degc ºc k f °f degf
    % %rh pct percent ‰ ppm ppb m mm cm km nm ft in mi m2 m² m3 m³ l ml hl gal m/s km/h kmh kph mph kn kt kts ms
    pa hpa kpa mpa mbar bar psi atm mmhg g mg kg t ug µg μg ug/m3 µg/m3 µg/m³ μg/m³ ug/m^3 mg/l mg/m3 g/kg kg/m3
    w/m2 w/m² w/m^2 j/m2 kwh/m2 m3/s m³/s l/s m3/h eur usd gbp chf jpy € $ £ ¥ eur/mwh €/mwh ct/kwh s sec min h hr d
    ° deg lux lx db dba pcs count number n unit units no. - -- float float64 int int64 double string str text
    date datetime timestamp time utc cet local iso8601 yyyy-mm-dd dd.mm.yyyy mm/dd/yyyy
"""
_UNITS = frozenset(_LIST.split())
_BRACKETED = re.compile(r"^[(\[{<].*[)\]}>]$")


def is_unit(text: str) -> bool:
    """Whether a cell under a header is a unit: one of the usual, or anything in brackets.

    Examples
    --------
    >>> [is_unit(text) for text in ("kW", "[m/s]", "Berlin")]
    [True, True, False]
    """
    return text.lower() in _UNITS or _BRACKETED.match(text) is not None
