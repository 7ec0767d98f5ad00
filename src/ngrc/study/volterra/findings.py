"""Sentences on what came out, each made from the numbers of the run."""

from collections import Counter

import numpy as np

from ngrc._types import FloatArray
from ngrc.intervals import ResCP
from ngrc.study.volterra.cells import MEASURES
from ngrc.study.volterra.pilot import TEMPERATURES
from ngrc.study.volterra.printed import TITLES
from ngrc.study.volterra.recurrences import PILOT, Variant, nearest
from ngrc.study.volterra.selection import Selection

FROZEN, SEEING, RESERVOIRS = (
    ("bayes", "split"),
    ("rolling", "gaussian", "adaptive", "weighted"),
    ("rescp-all", "rescp-fifo"),
)


def findings(
    measures: FloatArray, delays: FloatArray, selection: Selection, shown: list[Variant]
) -> tuple[str, ...]:
    """Who noticed, what the pilots chose, and how near the print ResCP comes."""
    return _response(measures.mean(axis=0), delays), _pilots(selection), _distance(shown)


def _response(mean: FloatArray, delays: FloatArray) -> str:
    coverage = dict(zip(TITLES, mean[:, MEASURES.index("high_noise_coverage")], strict=True))
    frozen, seeing, reservoirs = (
        [float(coverage[name]) for name in group] for group in (FROZEN, SEEING, RESERVOIRS)
    )
    counts = dict(zip(TITLES, np.isfinite(delays).sum(axis=0).tolist(), strict=True))
    order = "above" if min(seeing) > max(frozen) else "not all above"
    ahead = max(counts, key=lambda name: counts[name])
    return (
        f"After the change, intervals whose scale or quantile is frozen cover {_span(frozen)} at a nominal 0.95; those "
        f"that see recent errors cover {_span(seeing)}, {order} the frozen ones; ResCP covers {_span(reservoirs)}. "
        f"The updated Gaussian, which is not conformal, covers {coverage['gaussian']:.3f}, the rolling conformal "
        f"interval {coverage['rolling']:.3f}. Coverage settles most often with {TITLES[ahead]}: in {counts[ahead]} of "
        f"{len(delays)} replications."
    )


def _pilots(selection: Selection) -> str:
    alone = selection.alone.chosen
    counts = Counter(method.temperature for method in alone)
    said = ", ".join(f"{counts[value]} chose {value:.2f}" for value in TEMPERATURES)
    return (
        f"ResCP is evaluated as our pilot chose it: {described(selection.settled['code'])}. Of {len(alone)} "
        f"independent pilots that tuned the temperature alone, {said}."
    )


def _distance(shown: list[Variant]) -> str:
    ours = max(float(np.abs(one.distances).max()) for one in shown[: len(RESERVOIRS)])
    group = nearest(shown)
    best, farthest = group[0], max(float(np.abs(one.distances).max()) for one in group)
    if best.settings == PILOT and best.method.recurrence == "code":
        return (
            "At the pilot's choice, of all settings tried the nearest to the print, the farthest of ResCP's ten means "
            f"lies {ours:.1f} standard errors from it."
        )
    return (
        f"At the pilot's choice the farthest of ResCP's ten means lies {ours:.1f} standard errors from its print. Of "
        f"the settings in the table of recurrences, nearest the print is: {best.settings}, recurrence of the "
        f"{best.method.recurrence}; there the farthest lies {farthest:.1f} errors away. "
        "That setting is found by the print, so it says what may have been used and confirms nothing."
    )


def described(method: ResCP) -> str:
    """The reservoir and temperature of a choice in words."""
    return (
        f"temperature {method.temperature:.2f}, spectral radius {method.spectral_radius:g}, leak {method.leak:g}, "
        f"input scaling {method.input_scaling:g}, connectivity {method.connectivity:g}"
    )


def _span(values: list[float]) -> str:
    return f"{min(values):.3f} to {max(values):.3f}"
