"""Results of plain arguments, kept for the next time the same are asked for."""

from collections.abc import Callable, Hashable
from typing import Any, Generic, TypeVar

Result = TypeVar("Result")

_PLAIN = frozenset({int, float, str, bool, type(None)})
_KEPT = _PLAIN | {tuple}


class Memo(Generic[Result]):
    """The results of a pure function, by arguments that are plain values; of others nothing is kept.

    A panel asks for one and the same map at every series. `functools.lru_cache` would take lags=12.0 for the 12 that it
    knows, as they are equal, and a wrong setting would pass unseen: here types are compared too.

    Parameters
    ----------
    most
        Results that are kept; one more begins anew.

    Examples
    --------
    >>> memo = Memo(most=10)
    >>> memo.get((1, "a"), lambda: "first"), memo.get((1, "a"), lambda: "second"), memo.get((1.0, "a"), lambda: "third")
    ('first', 'first', 'third')
    """

    def __init__(self, most: int) -> None:
        self._most = most
        self._results: dict[Hashable, Result] = {}

    def get(self, arguments: tuple[Any, ...], make: Callable[[], Result]) -> Result:
        """The result kept of these arguments, else the one that `make` gives; what it raises is kept of nothing."""
        key = _exactly(arguments)
        if key is None:
            return make()
        found = self._results.get(key)
        if found is None:
            found = make()
            if len(self._results) >= self._most:
                self._results.clear()
            self._results[key] = found
        return found


def _exactly(values: tuple[Any, ...]) -> tuple[Any, ...] | None:
    """A key of plain values and tuples of them that are equal in type and value; None where there is another."""
    kinds = (*map(type, values),)
    if _PLAIN.issuperset(kinds):
        return (*values, *kinds)
    # A list may be changed behind our back, and what an array or an object is equal to is its own business.
    if not _KEPT.issuperset(kinds):
        return None
    key = [_exactly(value) if type(value) is tuple else (value,) for value in values]
    return None if None in key else (*key, *kinds)
