"""Rows that can fail, words that follow the numbers, figures and pages."""

from dataclasses import replace

import numpy as np
import polars as pl
import pytest

from ngrc.study.dynamics.checks import checks
from ngrc.study.dynamics.figure import portrait_figure, validity_figure
from ngrc.study.dynamics.findings import findings
from ngrc.study.dynamics.integrators import ACCURATE
from ngrc.study.dynamics.parts import LorenzPart, ScrollPart, mackey_glass_portrait
from ngrc.study.dynamics.scores import valid_steps
from ngrc.study.dynamics.settings import LONGEST, LORENZ, THRESHOLD
from ngrc.study.dynamics.tables import error_table, valid_table
from ngrc.study.dynamics.target import TARGET, run
from ngrc.study.dynamics.windows import Runs
from ngrc.study.harness.figure import draw, encode
from ngrc.study.harness.page import html_index, html_page, markdown_page
from ngrc.study.harness.record import Check
from ngrc.study.harness.target import Settings
from tests.study.dynamics.examples import WINDOWS


def _row(parts: tuple[LorenzPart, ScrollPart, Runs], cell: str) -> Check:
    (row,) = (check for check in checks(*parts) if check.cell == cell)
    return row


def test_errors_that_are_too_large_are_found(lorenz: LorenzPart, scroll: ScrollPart, glass: Runs) -> None:
    worse = replace(lorenz, runs=replace(lorenz.runs, training=2.0 * lorenz.runs.training))
    assert _row((worse, scroll, glass), "Lorenz63, training NRMSE").verdict == "different"
    moved = replace(lorenz.orders, ours=lorenz.orders.pseudo_inverse)
    row = _row((replace(lorenz, orders=moved), scroll, glass),
               "orders of the same rows in which our free-run NRMSE is the same")  # fmt: skip
    assert row.verdict == "different"
    assert row.kind == "claim"


def test_numbers_that_nobody_has_checked_are_shown_and_not_judged(
    lorenz: LorenzPart, scroll: ScrollPart, glass: Runs
) -> None:
    rows = [
        check for check in checks(lorenz, scroll, glass) if "NRMSE" in check.cell and check.kind == "printed"
    ]
    judged = [check.cell for check in rows if check.verdict != "not comparable"]
    assert judged == ["Lorenz63, training NRMSE"]
    unchecked = [check for check in rows if "its number is unchecked" in check.reason]
    assert len(unchecked) == 4
    assert all(check.ours is not None for check in unchecked)


def test_a_diverged_run_has_no_mean(lorenz: LorenzPart, scroll: ScrollPart, glass: Runs) -> None:
    free = lorenz.runs.free.copy()
    free[0] = np.inf
    lost = replace(lorenz, runs=replace(lorenz.runs, free=free))
    row = _row((lost, scroll, glass), "Lorenz63, free-run NRMSE over one Lyapunov time")
    assert (row.verdict, row.ours) == ("not comparable", None)
    assert row.reason.startswith(f"1 of {WINDOWS} runs diverged")
    assert lost.runs.diverged == 1
    table = error_table(lost, scroll, glass)
    line = table.row(by_predicate=pl.col("error") == "Lorenz63, free run", named=True)
    assert line["mean"] is None
    assert line["q50"] is not None
    told = findings(lost, scroll, glass)[0]
    assert f"has mean none (1 of {WINDOWS} diverged)" in told
    assert "inf" not in told.replace("inferred", "")


def test_mackey_glass_is_shown_and_not_judged(lorenz: LorenzPart, scroll: ScrollPart, glass: Runs) -> None:
    row = _row((lorenz, scroll, glass), "Mackey-Glass, free-run NRMSE over three Lyapunov times")
    assert row.verdict == "not comparable"
    assert "does not treat it" in row.reason
    assert row.ours == pytest.approx(np.median(glass.free))


def test_valid_times_are_quantiles_over_starts(lorenz: LorenzPart, scroll: ScrollPart, glass: Runs) -> None:
    table = valid_table(lorenz.runs, scroll.runs, glass)
    assert table["starts"].to_list() == [WINDOWS] * 3
    assert table["q50"][0] == np.median(lorenz.runs.valid)
    assert np.all(lorenz.runs.valid <= LONGEST)
    # What the free run's errors say themselves.
    steps = [valid_steps(errors, THRESHOLD) for errors in lorenz.runs.errors]
    np.testing.assert_allclose(lorenz.runs.valid, np.array(steps) * 0.025 / 1.104)
    assert lorenz.runs.valid.min() > 1.0


def test_words_follow_the_numbers(lorenz: LorenzPart, scroll: ScrollPart, glass: Runs) -> None:
    """Numbers are given here: those of chaotic windows differ between processors."""

    def of_training(error: float) -> str:
        runs = replace(lorenz.runs, training=np.full(WINDOWS, error))
        return findings(replace(lorenz, runs=runs), scroll, glass)[0]

    def of_penalties(published: float, larger: float) -> str:
        """With these valid times of the published penalty and of a larger one on an accurate trajectory."""
        accurate, chosen = pl.col("integrator") == ACCURATE, pl.col("alpha") == LORENZ.alpha
        times = (
            pl.when(~accurate)
            .then(3.0)
            .when(chosen)
            .then(published)
            .when(pl.col("alpha") > LORENZ.alpha)
            .then(larger)
        )
        table = lorenz.integrators.with_columns(times.otherwise(0.0).alias("valid_median"))
        return findings(replace(lorenz, integrators=table), scroll, glass)[3]

    below, above = of_training(1.05e-4), of_training(1.07e-4)
    assert (
        "mean 0.000105, at or below the 0.000106 in print, a mean too, and median 0.000105, at or below it"
        in below
    )
    assert "mean 0.000107, above the 0.000106 in print, a mean too, and median 0.000107, above it" in above
    integrator = " The integrator's errors had done part of the penalty's work."
    assert of_penalties(published=1.0, larger=2.0).endswith(integrator)
    # Neither where the published penalty is the best there, nor where it lost nothing by the accurate trajectory.
    assert integrator not in of_penalties(published=2.0, larger=1.0)
    assert integrator not in of_penalties(published=4.0, larger=5.0)


def test_figures_are_drawn(lorenz: LorenzPart, scroll: ScrollPart, glass: Runs) -> None:
    portraits = (lorenz.portrait, scroll.portrait, mackey_glass_portrait(0))
    # A free run as long as the published one stays on the attractor.
    for one in portraits:
        assert one.truth.shape == one.run.shape
        assert np.all(np.abs(one.run).max(axis=0) < 1.3 * np.abs(one.truth).max(axis=0))
    figure = draw(lambda: portrait_figure(portraits))()
    assert [axes.get_title(loc="left")[:3] for axes in figure.axes] == [f"({x})" for x in "abcdef"]
    assert figure.axes[0].get_xlim() == figure.axes[3].get_xlim()
    assert encode(figure, "png").startswith(b"\x89PNG")
    figure = draw(lambda: validity_figure((lorenz.runs, scroll.runs, glass), lorenz.inferred))()
    assert [axes.get_title(loc="left")[:3] for axes in figure.axes] == ["(a)", "(b)", "(c)"]
    assert encode(figure, "png").startswith(b"\x89PNG")


def test_a_page_names_whose_print_it_is() -> None:
    outcome = run(Settings(reps=2))
    text = markdown_page(TARGET, outcome)
    assert "## Ours against the numbers that Gauthier et al. (2021) prints" in text
    pictures = dict.fromkeys(outcome.figures, b"")
    assert "numbers that Gauthier et al. (2021) prints" in html_page(TARGET, outcome, pictures)
    # Another paper's rows stand in its own line of the index, and not in the sum over the paper's.
    index = html_index([(TARGET, outcome.checks)])
    assert index.count("printed numbers 8") == 1
    assert html_index([(replace(TARGET, paper="the paper"), outcome.checks)]).count("printed numbers 8") == 2
    assert set(outcome.captions) == {*outcome.tables, *outcome.figures}
