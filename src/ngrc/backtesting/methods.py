"""Which interval methods a backtest runs, under which labels."""

from collections.abc import Iterable, Mapping

from ngrc.intervals.base import IntervalMethod
from ngrc.intervals.defaults import default_methods, resolve

Methods = Iterable[str | IntervalMethod] | Mapping[str, str | IntervalMethod]


def labelled_methods(methods: Methods | None, *, leverage: bool, seed: int) -> dict[str, IntervalMethod]:
    """Methods by label: the mapping's own, else the method's name; the paper's eight and `auto` where none are given.

    Parameters
    ----------
    methods
        Names, methods, or a mapping from labels to either.
    leverage
        Whether the forecaster has a leverage, without which `bayes` is no default.
    seed
        Seed of ResCP where it is given by name.
    """
    if methods is None:
        return default_methods(leverage=leverage, seed=seed)
    # "split" would otherwise be taken as five methods of one letter each.
    if isinstance(methods, str):
        methods = [methods]
    pairs = methods.items() if isinstance(methods, Mapping) else [(None, method) for method in methods]
    labelled: dict[str, IntervalMethod] = {}
    for label, method in pairs:
        interval_method = resolve(method, seed=seed)
        name = label or interval_method.name
        if name in labelled:
            raise ValueError(f"method {name!r} is given twice; pass a mapping with a label for each")
        labelled[name] = interval_method
    if not labelled:
        raise ValueError(
            "at least one interval method is expected, got none; leave methods out for the default ones"
        )
    return labelled
