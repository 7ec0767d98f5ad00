"""Members solved on the rows at hand, and put together as one fitted model."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from ngrc._kernels.models import cholesky_factor, cholesky_inverse, cholesky_solutions
from ngrc._types import FloatArray, IntArray
from ngrc.auto.ledger import column_keys
from ngrc.auto.recipe import burdens, union
from ngrc.auto.selection import Member
from ngrc.features.delays import Delays
from ngrc.features.inputs import Inputs
from ngrc.features.map import FeatureMap
from ngrc.features.preparation import Preparation
from ngrc.features.rows import Rows
from ngrc.features.smoothing import Smoothing
from ngrc.features.target import Goal, Mixture, Target
from ngrc.fitted import Fitted, tasks_rows
from ngrc.readout.blend import Blend, Part
from ngrc.readout.convention import Convention
from ngrc.readout.fitted import Readout
from ngrc.readout.gram import Gram
from ngrc.readout.growing import growing_moments, pieced_moments
from ngrc.readout.spectrum import EPS
from ngrc.readout.tasks.moments import Moments, task_grams
from ngrc.readout.tasks.value import Tasks, ordered

CONVENTION = Convention()
CACHED_ROWS = 2**13
"""Rows up to which thin columns are computed once for all segments of a walk; columns of more are made block by block,
in memory that stays in the processor's cache."""


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
        # A map has columns even where every member is a base alone.
        return cls(members, ordered(FeatureMap(whole.groups() or (Delays(1),))), goal, horizons)

    @property
    def fitted(self) -> tuple[Member, ...]:
        """Members with weights to solve for."""
        return tuple(member for member in self.members if not member.recipe.fixed)

    @property
    def smoothed(self) -> bool:
        """Whether any member reads smoothings."""
        return any(member.recipe.smoothing is not None for member in self.members)

    def solved_map(self) -> FeatureMap:
        """The columns that weights are solved for: they stand first, as smoothings stand last in the whole map."""
        groups = tuple(group for group in self.feature_map.groups if not isinstance(group, Smoothing))
        return FeatureMap(groups)

    def reach(self) -> int:
        """How far behind the origin any horizon reads."""
        return max(
            max(self.feature_map.reach(horizon), self.goal.reach(horizon)) for horizon in self.horizons
        )

    def goals(self) -> tuple[Target, ...]:
        """The fitted members' targets, each once."""
        return tuple(dict.fromkeys(member.recipe.goal for member in self.fitted))

    def burden(self, horizon: int) -> FloatArray:
        """What the penalty on each column of the solved map is multiplied by."""
        return np.concatenate([burdens(group, horizon) for group in self.solved_map().groups])

    def places(self, horizon: int) -> list[IntArray]:
        """By member, where its columns stand in the map of one horizon."""
        keys = [key for group in self.feature_map.groups for key in column_keys(group, horizon)]
        where = {key: place for place, key in reversed(list(enumerate(keys)))}
        found = []
        for member in self.members:
            wanted = [key for group in member.recipe.groups() for key in column_keys(group, horizon)]
            found.append(np.array([where[key] for key in dict.fromkeys(wanted)], dtype=np.int64))
        return found


def fitted_members(
    cast: Cast,
    preparation: Preparation,
    inputs: Inputs,
    x: FloatArray,
    spans: Sequence[tuple[int, int]],
    path: bool,
    limits: FloatArray,
    ranges: FloatArray,
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
    limits, ranges
        By fit, how far a forecast of the horizons 1..H may lie from the last value, and the range of the series.
    """
    stage = Stage(cast, inputs, x)
    own = limits[:, np.array(cast.horizons) - 1]
    for span, solved, row, (low, high) in zip(spans, _solutions(stage, spans), own, ranges, strict=True):
        yield Fitted(
            feature_map=cast.feature_map,
            goal=cast.goal,
            preparation=preparation,
            horizons=cast.horizons,
            path=path,
            vector=False,
            readouts=tuple(stage.blend(horizon, span, solved) for horizon in cast.horizons),
            validations=None,
            change_limits=tuple(row.tolist()),
            value_range=(float(low), float(high)),
        )


@dataclass(frozen=True, slots=True)
class Solved:
    """One fit: readouts of the fitted members by horizon and place, and moments of the combination's own target."""

    readouts: dict[tuple[int, int], Readout] = field(default_factory=dict)
    grams: dict[int, Gram] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Stage:
    """A cast before some data; where members' columns stand is looked up once per horizon."""

    cast: Cast
    inputs: Inputs
    x: FloatArray
    known: dict[int, list[IntArray]] = field(default_factory=dict, repr=False)

    def places(self, horizon: int) -> list[IntArray]:
        """By member, where its columns stand in the map of one horizon."""
        if horizon not in self.known:
            self.known[horizon] = self.cast.places(horizon)
        return self.known[horizon]

    def tasks(self, horizons: tuple[int, ...], spans: Sequence[tuple[int, int]]) -> Tasks | None:
        """Per horizon one task per target of a fitted member, and one of the combination's own."""
        cast = self.cast
        longest = cast.horizons[-1]
        origins = range(spans[0][0] - longest, spans[-1][1] - longest)
        solved = cast.solved_map()
        goals: tuple[Goal, ...] = (*cast.goals(), cast.goal)
        return Tasks.of(
            [
                row
                for horizon in horizons
                for goal in goals
                for row in tasks_rows(solved, goal, self.inputs, self.x, (horizon,), origins)
            ],
            held=len(origins) <= CACHED_ROWS,
        )

    def rows(self, horizon: int, span: tuple[int, int]) -> Rows:
        """The fit rows of one horizon, none where the series is too short."""
        shift = self.cast.horizons[-1] - horizon
        first, stop = span[0] - shift, max(span[1] - shift, span[0] - shift)
        return Rows(self.cast.feature_map, self.inputs, self.x[:, 0], horizon, first, stop, self.cast.goal)

    def blend(self, horizon: int, span: tuple[int, int], solved: Solved) -> Blend:
        """The combination at one horizon."""
        rows = self.rows(horizon, span)
        parts = []
        for place, (member, where) in enumerate(zip(self.cast.members, self.places(horizon), strict=True)):
            readout = solved.readouts.get((horizon, place))
            readout = fixed_readout(member, rows) if readout is None else readout
            parts.append(Part(member.weight, where, readout))
        blend = Blend(tuple(parts), self.cast.feature_map.count(horizon) - 1, 0.0)
        if self.cast.smoothed or horizon not in solved.grams:
            return replace(blend, fit_scale=_explicit_scale(blend, rows))
        variance = float(np.var(rows.target))
        scale = residual_scale(blend.coefficients, blend.intercept, solved.grams[horizon], rows, variance)
        return replace(blend, fit_scale=scale)


def _solutions(stage: Stage, spans: Sequence[tuple[int, int]]) -> Iterator[Solved]:
    """The fitted members' readouts of every span."""
    cast = stage.cast
    if not cast.fitted:
        yield from (Solved() for _ in spans)
        return
    together = stage.tasks(cast.horizons, spans)
    if together is not None:
        groups = [together]
    else:
        # Too much moves with the target for a common basis: each horizon by itself.
        alone = [stage.tasks((horizon,), spans) for horizon in cast.horizons]
        groups = [tasks for tasks in alone if tasks is not None]
    begin = spans[0][0]
    local = [(first - begin, stop - begin) for first, stop in spans]
    walks = [
        growing_moments(local, lambda first, stop, tasks=tasks: pieced_moments(tasks, first, stop))  # type: ignore[misc]
        for tasks in groups
    ]
    for span, *moments in zip(local, *walks, strict=True):
        solved = Solved()
        for tasks, own in zip(groups, moments, strict=True):
            _solve(stage, tasks, span, own, solved)
        yield solved


def _solve(stage: Stage, tasks: Tasks, span: tuple[int, int], moments: Moments, solved: Solved) -> None:
    """Enter the readouts of some tasks, and the moments by which the combination's residuals are known."""
    cast, goals = stage.cast, stage.cast.goals()
    grams = task_grams(tasks, CONVENTION, moments)
    many = len(goals) + 1
    for number, horizon in enumerate(tasks.horizons):
        burden = cast.burden(horizon)
        own = [burdened(gram, burden) for gram in grams[number * many : (number + 1) * many]]
        solved.grams[horizon] = own[-1]
        # Members of one target share its variance, a pass over all rows each time.
        spreads: dict[int, float] = {}
        for place, (member, where) in enumerate(zip(cast.members, stage.places(horizon), strict=True)):
            if not member.recipe.fixed:
                task = goals.index(member.recipe.goal)
                rows = tasks.rows[number * many + task].part(*span)
                if task not in spreads:
                    spreads[task] = float(np.var(rows.target))
                readout = solve_member(own[task], where, member, rows, spreads[task])
                solved.readouts[horizon, place] = readout


def fixed_readout(member: Member, rows: Rows) -> Readout:
    """A member without weights to solve for: smoothings with fixed weights, a base alone, or the mean of the rows."""
    weights = np.array(member.recipe.shares, dtype=np.float64)
    size = weights.size
    # The level without any column is the mean of the rows at hand, which is not that of the scale on later ones.
    level = not size and member.recipe.target == "level" and rows.count > 0
    mean = float(rows.series[rows.first : rows.stop].mean()) if level else 0.0
    return Readout(
        penalty=np.inf,
        intercept=mean,
        coefficients=weights,
        standardised=weights,
        means=np.zeros(size),
        scales=np.ones(size),
        count=max(rows.count, 1),
        d_eff=float(level),
        fit_scale=1.0,
        solver="gram",
        intercept_penalty=0.0 if level else np.inf,
        root=np.zeros((size, size)),
    )


def _explicit_scale(blend: Blend, rows: Rows) -> float:
    """Root mean square of the combination's residuals; the series' own scale where it has no row."""
    if rows.count < 1:
        return 1.0
    coefficients, intercept = blend.coefficients, blend.intercept
    parts = [block.target - intercept - block.design @ coefficients for block in rows.blocks()]
    return float(np.sqrt(np.mean(np.square(np.concatenate(parts)))))


def burdened(gram: Gram, burden: FloatArray) -> Gram:
    """Moments of columns divided by the roots of their burdens, on which one penalty weighs as it should."""
    if np.all(burden == 1.0):
        return gram
    roots = np.sqrt(burden)
    return replace(
        gram,
        scales=gram.scales * roots,
        matrix=gram.matrix / np.outer(roots, roots),
        cross=gram.cross / roots,
    )


def solve_member(gram: Gram, places: IntArray, member: Member, rows: Rows, variance: float) -> Readout:
    """Ridge on some of a map's columns; `rows` are those of the member's own target, of that variance."""
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
        fit_scale=residual_scale(everywhere, intercept, gram, rows, variance),
        solver="gram",
        intercept_penalty=convention.intercept_penalty(penalty),
        root=root / scales[:, None],
    )


def ridge_root(matrix: FloatArray, cross: FloatArray, penalty: float) -> tuple[FloatArray, FloatArray]:
    """Weights (C + lambda I)^-1 c, and an upper triangular W with W W' = (C + lambda I)^-1."""
    size = cross.size
    if np.isinf(penalty) or not size:
        return np.zeros(size), np.zeros((size, size))
    factor = np.empty_like(matrix)
    if not cholesky_factor(matrix, penalty, factor):
        # Rounding of the moments outweighs a tiny penalty: as much is added as makes them positive.
        lift = size * EPS * float(np.linalg.eigvalsh(matrix)[-1])
        return ridge_root(matrix, cross, max(10.0 * penalty, lift))
    return cholesky_solutions(factor, cross[:, None])[:, 0], cholesky_inverse(factor).T


def residual_scale(
    coefficients: FloatArray, intercept: float, gram: Gram, rows: Rows, variance: float
) -> float:
    """Root mean square of a readout's residuals: from the moments, or where those cancel from the rows."""
    weights = coefficients * gram.scales
    centred = variance - 2.0 * float(weights @ gram.cross) + float(weights @ gram.matrix @ weights)
    offset = gram.target_mean - intercept - float(gram.means @ coefficients)
    # A difference of moments has some ten digits less than they have.
    if centred > 1e-6 * variance:
        return float(np.sqrt(centred + offset**2))
    parts = [block.target - intercept - block.design @ coefficients for block in rows.blocks()]
    return float(np.sqrt(np.mean(np.square(np.concatenate(parts)))))
