"""Which page of the documentation explains what a target is about."""

from collections.abc import Mapping
from types import MappingProxyType

METHODS, THEORY = "[methods](methods.md)", "[theory](theory.md)"
PROTOCOL, DATA = "[protocol](protocol.md)", "[data](data.md)"
REAL = (PROTOCOL, DATA, METHODS)

READ_ON: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        "fixed-shape": (THEORY,),
        "phase": (THEORY,),
        "quadratic": (THEORY, "[the map](map.md)"),
        "temporal": (THEORY,),
        "volterra": (METHODS, "[late outcomes](late.md)"),
        "budget": (THEORY,),
        "dependent": (THEORY, "[its decision](decisions/0005-dependent.md)"),
        "real-main": REAL,
        "real-horizons": (*REAL, "[late outcomes](late.md)"),
        "real-windows": REAL,
        "real-levels": (*REAL, "[levels](levels.md)"),
        "real-features": (PROTOCOL, DATA, "[the map](map.md)"),
        "real-seeds": REAL,
        "real-models": (PROTOCOL, DATA, "[the networks](study.md#the-networks-of-real-models)"),
        "rescp": (METHODS, "[how it is judged](study.md#checks)"),
        "dynamics": ("[the map](map.md)",),
        "map": ("[the map](map.md)", "[exogenous inputs](exogenous.md)"),
        "auto": ("[the automatic model](auto.md)",),
        "stress": (METHODS, "[choosing an interval](choosing.md)"),
        "beyond": (METHODS, "[choosing an interval](choosing.md)"),
    }
)
"""Pages by target; a test asks that every target has one and that every one is there."""
