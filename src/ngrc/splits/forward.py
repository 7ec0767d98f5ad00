"""Walking forward: a short first fit, refits through calibration and test block, every residual out of sample."""

from collections.abc import Iterator
from dataclasses import dataclass

from ngrc._shares import share
from ngrc.splits.blocks import Blocks
from ngrc.splits.sizes import LEAST_ROWS, Sizes, check_fractions, check_room
from ngrc.validation import check_count

FEWEST_FIT = 2
"""Fewest rows of the first fit, for a model that makes do with them; of one row not even a change can be seen."""


@dataclass(frozen=True, slots=True)
class WalkForward:
    """One walk: a first fit, then refits on ever more rows, the last `test` share of the rows being the test block.

    The test block is that of `FixedOrigin`, so that both are scored on the same targets.

    Parameters
    ----------
    fit
        Share of the rows of the first fit. 30 %: the model that forecasts them is fitted anew soon, and every row that
        it does not take gives a residual more.
    test
        Share of the rows that intervals are issued for.
    refits
        How many refits there are between the first fit and the first test interval, and how many through the test
        block. With eight a model lacks at most a sixteenth of the rows, at first a fifth of what it was fitted to and
        at last a thirteenth: its excess error, which falls like one over the rows, is higher by no more than that.
        Four keep a quicker pace through the test block. Short series have fewer: every refit has a new row.
    refit_every
        Instead of `refits`, observations from one refit to the next: as many refits as that makes.
    window
        How many observations before its end a model is fitted to; None: all.

    Examples
    --------
    >>> (blocks,) = WalkForward().splits(1000, first_target=10, horizon=1)
    >>> blocks.fit, blocks.test, blocks.ends[:3], len(blocks.ends)
    (slice(10, 307, None), slice(802, 1000, None), (368, 430, 492), 12)
    >>> WalkForward(refit_every=200).splits(1000, first_target=10, horizon=1)[0].ends
    (507, 707, 907)
    """

    fit: float = 0.3
    test: float = 0.2
    refits: tuple[int, int] = (8, 4)
    refit_every: int | None = None
    window: int | None = None

    def splits(self, n: int, first_target: int, horizon: int) -> tuple[Blocks, ...]:
        """The one walk; the series' scale comes from the observations of the first fit."""
        check_fractions(self.fit, self.test)
        if self.fit + self.test > 1.0 - 1e-6:
            raise ValueError(
                f"fit and test must leave rows between them to calibrate on, got {self.fit} and {self.test}; try 0.3 "
                "and 0.2"
            )
        check_room(
            lambda rows: _room(rows, _fewest(self.test, rows), horizon) >= FEWEST_FIT,
            n,
            first_target,
            horizon,
        )
        sizes = self._sizes(n - first_target, horizon)
        end = first_target + sizes.fit
        ends = tuple(self._ends(end, end + sizes.calibration, n, horizon))
        return (Blocks(first_target, *sizes, horizon, end, ends, self.window),)

    def _sizes(self, rows: int, horizon: int) -> Sizes:
        """The three blocks; shorter series give up their wishes one after the other."""
        fewest = _fewest(self.test, rows)
        # What two equal blocks leave over, as `FixedOrigin` has it.
        usual = rows - 2 * share((1.0 - self.test) / 2.0, rows)
        # ceil(H / 0.6) residuals: tuning cuts them at 60 %, and one must be known there, H steps late.
        tuning = -(-5 * horizon // 3)
        wishes = ((usual, tuning), (fewest, tuning), (fewest, LEAST_ROWS))
        rooms = [(test, _room(rows, test, horizon, residuals)) for test, residuals in wishes]
        test, room = next((pair for pair in rooms if pair[1] >= FEWEST_FIT), rooms[-1])
        # What a choice of the penalty asks for, as in `Sizes.enough`.
        wanted = max(share(self.fit, rows), LEAST_ROWS, 5 * horizon)
        fit = min(wanted, room)
        return Sizes(fit, rows - fit - test, test)

    def _ends(self, fit: int, test: int, stop: int, horizon: int) -> Iterator[int]:
        """Ends after that of the first fit, in rising order; none that has no target left to forecast."""
        # The model of the last end forecasts the last target at least: e <= t - H + 1.
        last = stop - horizon
        if self.refit_every is not None:
            yield from range(fit + check_count(self.refit_every, "refit_every"), last + 1, self.refit_every)
            return
        calibration, through = (check_count(count, "refits", 0) for count in self.refits)
        # The first test forecast is made by a model that has seen all that is observed by then.
        first = test - horizon + 1
        ends = [fit + (first - fit) * step // calibration for step in range(1, calibration + 1)]
        ends += [first + (stop - test) * step // (through + 1) for step in range(1, through + 1)]
        for before, end in zip([fit, *ends], ends, strict=False):
            if before < end <= last:
                yield end


def _fewest(share_of_test: float, rows: int) -> int:
    """Test targets of a series that can spare no more."""
    return max(share(share_of_test, rows), 1)


def _room(rows: int, test: int, horizon: int, residuals: int = LEAST_ROWS) -> int:
    """Most fit rows that leave so many test targets and usable residuals, of these at least the least."""
    return rows - test - 2 * (horizon - 1) - max(residuals, LEAST_ROWS)
