"""Members solved on the rows at hand, and put together as one fitted model."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np
from scipy.linalg import LinAlgError, cho_solve, cholesky, eigh
from scipy.linalg.lapack import dtrtri

from ngrc._types import FloatArray, IntArray
from ngrc.auto.ledger import column_keys
from ngrc.auto.recipe import union
from ngrc.auto.selection import Member
from ngrc.features.inputs import Inputs
from ngrc.features.map import FeatureMap
from ngrc.features.preparation import Preparation
from ngrc.features.rows import Rows
from ngrc.features.target import Goal, Mixture, Target
from ngrc.fitted import Fitted, tasks_rows
from ngrc.readout.blend import Blend, Part
from ngrc.readout.convention import Convention
from ngrc.readout.fitted import Readout
from ngrc.readout.gram import Gram
from ngrc.readout.growing import growing_moments
from ngrc.readout.spectrum import EPS
from ngrc.readout.tasks.moments import Moments, task_grams, union_moments
from ngrc.readout.tasks.value import Tasks, ordered

CONVENTION = Convention()


@dataclass(frozen=True, slots=True)
class Cast:
    """The members of one band of horizons, ready to be solved on any rows.

    Parameters
    ----------
    members
        The combination.
    feature_map
        The union of their columns, those that move last.
    goal
        What the combination is measured from.
    horizons
        The band.
    """

    members: tuple[Member, ...]
    feature_map: FeatureMap
    goal: Mixture
    horizons: tuple[int, ...]

    @classmethod
    def of(cls, members: tuple[Member, ...], horizons: tuple[int, ...]) -> "Cast":
        """The union of the members' columns."""
        whole = union([member.recipe for member in members])
        goal = Mixture(tuple((member.weight, member.recipe.goal) for member in members))
        return cls(members, ordered(FeatureMap(whole.groups())), goal, horizons)

    def reach(self) -> int:
        """How far behind the origin any horizon reads."""
        return max(
            max(self.feature_map.reach(horizon), self.goal.reach(horizon)) for horizon in self.horizons
        )

    def goals(self) -> tuple[Target, ...]:
        """The members' targets, each once."""
        return tuple(dict.fromkeys(member.recipe.goal for member in self.members))

    def places(self, member: Member, horizon: int) -> IntArray:
        """Where the member's columns stand in the map of one horizon."""
        keys = [key for group in self.feature_map.groups for key in column_keys(group, horizon)]
        where = {key: place for place, key in reversed(list(enumerate(keys)))}
        wanted = [key for group in member.recipe.groups() for key in column_keys(group, horizon)]
        return np.array([where[key] for key in dict.fromkeys(wanted)], dtype=np.int64)


def fitted_members(
    cast: Cast,
    preparation: Preparation,
    inputs: Inputs,
    x: FloatArray,
    spans: Sequence[tuple[int, int]],
    path: bool,
) -> Iterator[Fitted]:
    """The members fitted to every span of targets, one after the other; rows are summed once.

    Parameters
    ----------
    cast
        What is fitted.
    preparation, inputs, x
        How the series becomes inputs, those, and the standardised series, shape (n, 1).
    spans
        By fit the first target of the longest horizon, and the one after its last.
    path
        Whether the model forecasts all horizons up to the longest.
    """
    shared = _tasks(cast, cast.horizons, inputs, x, spans)
    if shared is not None:
        solved = [_solved(cast, shared, spans)]
    else:
        # Too much moves with the target for a common basis: each horizon by itself.
        alone = [_tasks(cast, (horizon,), inputs, x, spans) for horizon in cast.horizons]
        solved = [_solved(cast, tasks, spans) for tasks in alone if tasks is not None]
    for parts in zip(*solved, strict=True):
        yield Fitted(
            feature_map=cast.feature_map,
            goal=cast.goal,
            preparation=preparation,
            horizons=cast.horizons,
            path=path,
            vector=False,
            readouts=tuple(readout for part in parts for readout in part),
            validations=None,
        )


def _tasks(
    cast: Cast, horizons: tuple[int, ...], inputs: Inputs, x: FloatArray, spans: Sequence[tuple[int, int]]
) -> Tasks | None:
    """One task per horizon and target, the combination's own target last."""
    longest = cast.horizons[-1]
    origins = range(spans[0][0] - longest, spans[-1][1] - longest)
    goals: tuple[Goal, ...] = (*cast.goals(), cast.goal)
    rows = [
        row
        for horizon in horizons
        for goal in goals
        for row in tasks_rows(cast.feature_map, goal, inputs, x, (horizon,), origins)
    ]
    return Tasks.of(rows)


def _solved(cast: Cast, tasks: Tasks, spans: Sequence[tuple[int, int]]) -> Iterator[list[Blend]]:
    begin = spans[0][0]
    local = [(first - begin, stop - begin) for first, stop in spans]
    places = {
        horizon: [cast.places(member, horizon) for member in cast.members] for horizon in tasks.horizons
    }
    sums = growing_moments(local, lambda first, stop: union_moments(tasks.part(first, stop)))
    for span, moments in zip(local, sums, strict=True):
        yield _blends(cast, tasks, span, moments, places)


def _blends(
    cast: Cast,
    tasks: Tasks,
    span: tuple[int, int],
    moments: Moments,
    places: dict[int, list[IntArray]],
) -> list[Blend]:
    goals = cast.goals()
    grams = task_grams(tasks, CONVENTION, moments)
    many = len(goals) + 1
    blends = []
    for number, horizon in enumerate(tasks.horizons):
        own = grams[number * many : (number + 1) * many]
        rows = [task.part(*span) for task in tasks.rows[number * many : (number + 1) * many]]
        parts = []
        for member, where in zip(cast.members, places[horizon], strict=True):
            place = goals.index(member.recipe.goal)
            parts.append(Part(member.weight, where, solve_member(own[place], where, member, rows[place])))
        blend = Blend(tuple(parts), own[-1].means.size, 0.0)
        scale = residual_scale(blend.coefficients, blend.intercept, own[-1], rows[-1])
        blends.append(replace(blend, fit_scale=scale))
    return blends


def solve_member(gram: Gram, places: IntArray, member: Member, rows: Rows) -> Readout:
    """Ridge on some of a map's columns; `rows` are those of the member's own target."""
    penalty = member.penalty(rows.horizon)
    convention = Convention(difference=member.recipe.goal.kind != "level")
    matrix, cross = gram.matrix[np.ix_(places, places)], gram.cross[places]
    means, scales = gram.means[places], gram.scales[places]
    weights, root = ridge_root(matrix, cross, penalty)
    share = convention.share(penalty)
    coefficients = weights / scales
    intercept = gram.target_mean * share - float(means @ coefficients)
    everywhere = np.zeros(gram.means.size)
    everywhere[places] = coefficients
    return Readout(
        penalty=penalty,
        intercept=intercept,
        coefficients=coefficients,
        standardised=weights,
        means=means,
        scales=scales,
        count=gram.count,
        # tr C (C + lambda I)^-1 = p - lambda tr (C + lambda I)^-1
        d_eff=share + (0.0 if np.isinf(penalty) else places.size - penalty * float(np.vdot(root, root))),
        fit_scale=residual_scale(everywhere, intercept, gram, rows),
        solver="gram",
        intercept_penalty=convention.intercept_penalty(penalty),
        root=root / scales[:, None],
    )


def ridge_root(matrix: FloatArray, cross: FloatArray, penalty: float) -> tuple[FloatArray, FloatArray]:
    """Weights (C + lambda I)^-1 c, and an upper triangular W with W W' = (C + lambda I)^-1."""
    size = cross.size
    if np.isinf(penalty) or not size:
        return np.zeros(size), np.zeros((size, size))
    shifted = matrix.copy()
    shifted.flat[:: size + 1] += penalty
    try:
        factor = cholesky(shifted.T, lower=True, overwrite_a=True, check_finite=False)
    except LinAlgError:
        # Rounding of the moments outweighs a tiny penalty: as much is added as makes them positive.
        lift = size * EPS * float(eigh(matrix, eigvals_only=True)[-1])
        return ridge_root(matrix, cross, max(10.0 * penalty, lift))
    inverse, _ = dtrtri(factor, lower=1)
    return np.asarray(cho_solve((factor, True), cross, check_finite=False)), inverse.T


def residual_scale(coefficients: FloatArray, intercept: float, gram: Gram, rows: Rows) -> float:
    """Root mean square of a readout's residuals: from the moments, or where those cancel from the rows."""
    variance = float(np.var(rows.target))
    weights = coefficients * gram.scales
    centred = variance - 2.0 * float(weights @ gram.cross) + float(weights @ gram.matrix @ weights)
    offset = gram.target_mean - intercept - float(gram.means @ coefficients)
    # A difference of moments has some ten digits less than they have.
    if centred > 1e-6 * variance:
        return float(np.sqrt(centred + offset**2))
    parts = [block.target - intercept - block.design @ coefficients for block in rows.blocks()]
    return float(np.sqrt(np.mean(np.square(np.concatenate(parts)))))
