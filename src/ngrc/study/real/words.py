"""Sentences on what came out, made from the numbers of the run they stand beside."""

from collections import Counter
from collections.abc import Iterable, Mapping

from ngrc.study.harness.record import Check, Verdict
from ngrc.study.real.cases import LEVEL, METHOD_TITLES

OFF: dict[Verdict, str] = {"within": "one unit off in the last place", "different": "further off"}


def digits_sentence(checks: Iterable[Check]) -> str:
    """How many printed scores of the deterministic methods agree to the digit, and whose do not.

    Examples
    --------
    >>> digits_sentence([])
    'No printed score of a deterministic method was compared.'
    """
    rows = [(_method(check), check.verdict) for check in checks if check.rule == "digits" and _method(check)]
    if not rows:
        return "No printed score of a deterministic method was compared."
    verdicts = Counter(verdict for _, verdict in rows)
    told = f"Of {len(rows)} printed cells of the deterministic methods {verdicts['match']} agree to the digit"
    for verdict, words in OFF.items():
        if verdicts[verdict]:
            whose = Counter(method for method, found in rows if found == verdict)
            names = ", ".join(f"{METHOD_TITLES[method]} {count}" for method, count in whose.most_common())
            told += f", {verdicts[verdict]} are {words} ({names})"
    return f"{told}."


def _method(check: Check) -> str:
    """The deterministic method that a cell names; empty where it names none."""
    return next((part for part in check.cell.split(", ") if part in METHOD_TITLES and part != "rescp"), "")


def coverage_sentence(coverage: Mapping[tuple[str, str], float]) -> str:
    """Which method is never far from the level, and which is; by place and method.

    Examples
    --------
    >>> coverage_sentence({("Solar", "split"): 0.94, ("Solar", "bayes"): 0.97, ("Exchange", "split"): 0.96})
    'Nearest to 95 % in the worst case is SCP (at most 1.0 points off, on Solar), farthest Bayesian ridge (2.0, ...'
    """
    worst: dict[str, tuple[float, str]] = {}
    for (place, method), value in coverage.items():
        worst[method] = max(worst.get(method, (-1.0, "")), (100.0 * abs(value - LEVEL), place))
    near, far = (choose(worst, key=lambda method: worst[method][0]) for choose in (min, max))
    return (
        f"Nearest to {100 * LEVEL:g} % in the worst case is {METHOD_TITLES[near]} (at most {worst[near][0]:.1f} points "
        f"off, on {worst[near][1]}), farthest {METHOD_TITLES[far]} ({worst[far][0]:.1f}, on {worst[far][1]})."
    )


def best_sentence(winkler: Mapping[tuple[str, str], float]) -> str:
    """Which method has the lowest Winkler score at each place.

    Examples
    --------
    >>> best_sentence({("Solar", "split"): 2.0, ("Solar", "bayes"): 1.0, ("Exchange", "split"): 3.0})
    'The lowest Winkler score is that of Bayesian ridge on Solar; of SCP on Exchange.'
    """
    places: dict[str, list[str]] = {}
    for place in dict.fromkeys(place for place, _ in winkler):
        methods = [method for where, method in winkler if where == place]
        best = min(methods, key=lambda method: winkler[place, method])
        places.setdefault(METHOD_TITLES[best], []).append(place)
    told = "; ".join(f"of {method} on {', '.join(where)}" for method, where in places.items())
    return f"The lowest Winkler score is that {told}."
