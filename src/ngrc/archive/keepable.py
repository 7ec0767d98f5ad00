"""What a class needs so that its values can be kept; most need nothing.

A dataclass or named tuple in the table of `kinds` is kept by its fields. A class with other state says by `kept` what
its fields are and makes itself of them by `rebuilt`. One whose parts must fit each other, as those that compiled code
reads without asking, says in `check_kept` what is wrong: a file may have been made by hand. One whose fields are not
those that an older version wrote turns those into its own by `migrated`, and leaves any others as they are.
"""

from pathlib import Path
from typing import Any, ClassVar, Self

import numpy as np

from ngrc._types import AnyArray
from ngrc.archive.entry import save


class Keepable:
    """A value that can be saved."""

    __slots__ = ()

    def save(self, path: str | Path) -> None:
        """Keep it in a file, from which `ngrc.load` makes it again, equal to the bit."""
        save(self, path)


class KeepableModel(Keepable):
    """A model whose parameters are its constructor's, and whose fit is one value."""

    _fit_name: ClassVar[str]
    """Attribute that holds the fit."""
    _fit_kind: ClassVar[type[Any]]

    def kept(self) -> dict[str, Any]:
        """Parameters, and the fit where there is one."""
        parameters = self.get_params(deep=False)  # type: ignore[attr-defined]
        return {"parameters": parameters, "fit": getattr(self, self._fit_name, None)}

    @classmethod
    def rebuilt(cls, kept: dict[str, Any]) -> Self:
        """The model of what was kept."""
        parameters, fit = kept["parameters"], kept["fit"]
        model = cls(**parameters)
        own = model.get_params(deep=False)  # type: ignore[attr-defined]
        check_that(list(kept) == ["parameters", "fit"], f"{cls.__name__} is kept as parameters and a fit")
        check_that(list(own) == list(parameters), f"{cls.__name__} has the parameters {', '.join(own)}")
        if fit is not None:
            check_that(isinstance(fit, cls._fit_kind), f"the fit of {cls.__name__} is none")
            model._keep(fit)  # type: ignore[attr-defined]
        return model


def check_that(holds: bool, words: str) -> None:
    """Refuse a state whose parts do not fit; `words` say what should hold."""
    if not holds:
        raise ValueError(f"expected that {words}")


def check_shape(array: AnyArray, shape: tuple[int, ...], name: str) -> None:
    """Refuse an array of another shape."""
    if array.shape != shape:
        raise ValueError(f"{name} should have the shape {shape}, got {array.shape}")


def check_floats(array: AnyArray, shape: tuple[int, ...], name: str) -> None:
    """Refuse an array that compiled code cannot write into in place: floats of this shape, row by row without gaps."""
    check_shape(array, shape, name)
    check_that(array.dtype == np.float64 and array.flags.carray, f"{name} are floats without gaps")
