"""Series that survive a crash: rows in a database, and a snapshot of the state beside them."""

from ngrc.durable.errors import ConflictError, LockedError, LostSeriesError, StoreError, UnknownSeriesError
from ngrc.durable.observation import Issued, Observation, Reply, Settled
from ngrc.durable.session import Session
from ngrc.durable.store import Store

__all__ = [
    "ConflictError",
    "Issued",
    "LockedError",
    "LostSeriesError",
    "Observation",
    "Reply",
    "Session",
    "Settled",
    "Store",
    "StoreError",
    "UnknownSeriesError",
]
