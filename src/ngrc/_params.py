"""The part of scikit-learn's estimator contract that needs no scikit-learn: parameters by name."""

from collections.abc import Callable, Mapping
from functools import lru_cache
from inspect import signature
from types import MappingProxyType
from typing import Any, Self


class Parameters:
    """Parameters are the arguments of `__init__`, stored under their own names and nothing else.

    Examples
    --------
    >>> class Model(Parameters):
    ...     def __init__(self, size=1, *, name="a"):
    ...         self.size, self.name = size, name
    >>> Model().set_params(size=3)
    Model(size=3)
    """

    @classmethod
    def _defaults(cls) -> Mapping[str, Any]:
        # By constructor and not by class: a subclass may have one of its own, or share its parent's.
        return _arguments(cls.__init__)

    def get_params(self, deep: bool = True) -> dict[str, Any]:
        """Parameters by name; `deep` is accepted for scikit-learn's sake, nothing here is nested."""
        return {name: getattr(self, name) for name in self._defaults()}

    def set_params(self, **params: Any) -> Self:
        """Set parameters by name and return self."""
        known = self._defaults()
        for name, value in params.items():
            if name not in known:
                raise ValueError(
                    f"{type(self).__name__} has no parameter {name!r}; it has {', '.join(known)}"
                )
            setattr(self, name, value)
        return self

    def __repr__(self) -> str:
        defaults = self._defaults()
        # Defaults are left out, as in scikit-learn: what is printed is what somebody decided.
        settings = [
            f"{name}={value!r}"
            for name, value in self.get_params().items()
            if not _same(value, defaults[name])
        ]
        return f"{type(self).__name__}({', '.join(settings)})"


# A signature takes a tenth of a millisecond to read, and a fit of a short series asks for it a dozen times.
@lru_cache(maxsize=256)
def _arguments(constructor: Callable[..., None]) -> Mapping[str, Any]:
    """Defaults by name of all arguments but the first, which is self."""
    arguments = list(signature(constructor).parameters.values())[1:]
    return MappingProxyType({argument.name: argument.default for argument in arguments})


def _same(value: Any, default: Any) -> bool:
    """Equality that arrays, which compare element by element, cannot upset."""
    # Types are compared too: 1 and True, or 1 and 1.0, are equal and yet another setting.
    return value is default or (type(value) is type(default) and bool(repr(value) == repr(default)))
