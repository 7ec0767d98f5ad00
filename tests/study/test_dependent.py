"""Dependent rows: cells against plain twins, identities of the boundary, designs without look-ahead, counted signs."""

from dataclasses import replace

import numpy as np
import polars as pl
import pytest

from ngrc._types import FloatArray
from ngrc.datasets import DatasetError
from ngrc.presets import paper_model
from ngrc.series import Series
from ngrc.splits import FixedOrigin
from ngrc.study.dependent import lagged, observed
from ngrc.study.dependent.agreement import agreement, lagged_table, observed_table
from ngrc.study.dependent.checks import SURPLUS, lagged_checks, observed_checks
from ngrc.study.dependent.figure import lagged_figure, observed_figure, prediction_figure
from ngrc.study.dependent.findings import lagged_findings, observed_findings
from ngrc.study.dependent.lagged import CASES, ROWS, replication
from ngrc.study.dependent.observed import Layout, Observation, design_of, row_by_row, simulate
from ngrc.study.dependent.rowwise import RowVariances, coverage_of, mixture_quantile
from ngrc.study.dependent.target import TARGET, run
from ngrc.study.dependent.trial import (
    ALIGNMENT,
    BAYES,
    BAYES_COVERAGE,
    CALIBRATION,
    DIRECTIONS,
    LEVEL,
    MEASURES,
    RIDGES,
    SPLIT,
    SPLIT_COVERAGE,
    SPLIT_TRACE,
    STRENGTHS,
    TEST,
    Design,
    Noise,
    Trial,
    readouts,
    spans,
)
from ngrc.study.harness.figure import draw, encode
from ngrc.study.harness.replicate import replicate
from ngrc.study.harness.target import Settings
from ngrc.study.real import sources
from ngrc.study.real.sources import Source, available
from ngrc.theory import decompose, random_effects
from tests.readout.twins import rows_of

Z = 1.959963984540054


def uneven_design(rows: int, columns: int, seed: int = 0) -> Design:
    """Correlated rows of very different size, fewer in calibration and test than a run has."""
    rng = np.random.default_rng(seed)
    mix = rng.standard_normal((columns, columns)) / np.sqrt(columns)
    sizes = (rows, 60, 50)
    R, C, T = (rng.standard_normal((n, columns)) @ mix * rng.exponential(size=(n, 1)) for n in sizes)
    return Design(R, C, T, (C.T @ C + T.T @ T) / (len(C) + len(T)))


def long_series(seed: int = 0, spikes: float = 0.0, length: int = 4200) -> FloatArray:
    """An AR(1) with a rising mean, and a few spikes: long enough for every block of the exchange map."""
    rng = np.random.default_rng(seed)
    values = rng.standard_normal(length)
    for t in range(1, length):
        values[t] += 0.5 * values[t - 1]
    values[rng.integers(0, length, 20)] += spikes
    return values + np.linspace(0.0, 0.5, length)


# -- one cell ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("rows", "columns"), [(40, 12), (15, 24)])
def test_a_cell_is_plain_ridge_with_explicit_inverses(rows: int, columns: int) -> None:
    design = uneven_design(rows, columns)
    rng = np.random.default_rng(1)
    noise, signals = Noise.draw(design, 3, rng), rng.standard_normal((columns, 3))
    found = Trial(design).run(signals, noise)
    R, C, T, sigma = design.fit, design.calibration, design.test, design.covariance
    own = C.T @ C / len(C)
    for j, k, q in ((0, 4, 0), (1, 2, 1), (2, 0, 2)):
        ridge, snr = RIDGES[j], STRENGTHS[k] * (columns / rows) / RIDGES[j]
        w0 = np.sqrt(snr) * signals[:, q]
        S = R.T @ R / rows
        A = np.linalg.inv(S + ridge * np.eye(columns))
        w = A @ R.T @ (R @ w0 + noise.fit[:, q]) / rows
        scores = sorted(abs(C[i] @ w0 + noise.calibration[i, q] - C[i] @ w) for i in range(len(C)))
        score = scores[int(np.ceil(0.95 * 61)) - 1]
        variances = [1 + T[i] @ A @ T[i] / rows for i in range(len(T))]
        errors = [abs(T[i] @ w0 + noise.test[i, q] - T[i] @ w) for i in range(len(T))]
        bias = ridge**2 * w0 @ A @ sigma @ A @ w0
        expected = [
            4 * Z**2 * np.mean(variances),
            4 * score**2,
            4 * Z**2 * (1 + np.trace(sigma @ A) / rows),
            4 * Z**2 * (1 + bias + np.trace(sigma @ A @ S @ A) / rows),
            4 * Z**2 * (1 + ridge**2 * w0 @ A @ own @ A @ w0 + np.trace(own @ A @ S @ A) / rows),
            np.mean([error <= Z * v**0.5 for error, v in zip(errors, variances, strict=True)]),
            np.mean([error <= score for error in errors]),
            bias * columns / (snr * ridge**2 * np.trace(sigma @ A @ A)),
            w0 @ sigma @ w0,
        ]
        np.testing.assert_allclose(found[q, j, k], expected, rtol=1e-8)


def test_traces_are_those_of_the_theory() -> None:
    design = uneven_design(30, 12)
    rng = np.random.default_rng(2)
    w0 = rng.standard_normal((12, 1))
    trial = Trial(design)
    cell = trial.run(w0, Noise.draw(design, 1, rng))[0, 1, 3]
    snr = float(trial.snrs(RIDGES[1])[3])
    parts = decompose(design.fit, np.sqrt(snr) * w0[:, 0], RIDGES[1], 1.0, design.covariance)
    widths = parts.squared_widths(LEVEL)
    np.testing.assert_allclose(cell[[2, 3]], [widths.bayes, widths.conformal], rtol=1e-9)
    # The sign of the gap is that of 1 - k SNR lambda/gamma.
    assert np.sign(parts.gap) == np.sign(1.0 - cell[ALIGNMENT] * STRENGTHS[3])


@pytest.mark.parametrize(("rows", "columns"), [(40, 12), (15, 24)])
def test_the_boundary_of_an_isotropic_signal_is_the_same_on_any_rows(rows: int, columns: int) -> None:
    design = uneven_design(rows, columns)
    rng, count = np.random.default_rng(3), 4000
    signals = readouts(spans(design.covariance)["random"], count, rng)
    noise = Noise.draw(design, count, rng)
    found = Trial(design).run(signals, noise)[:, :, 2]
    for j, ridge in enumerate(RIDGES):
        assert random_effects(
            design.fit, (columns / rows / ridge) ** 0.5, ridge, 1.0, design.covariance
        ).gap == (pytest.approx(0.0, abs=1e-12))
        for values, expected in ((found[:, j, ALIGNMENT], 1.0), (found[:, j, BAYES_COVERAGE], LEVEL)):
            assert abs(values.mean() - expected) < 4 * values.std() / np.sqrt(count)


def test_readouts_have_norm_one_on_average_and_stay_in_their_span() -> None:
    rng, bases = np.random.default_rng(4), spans(np.diag(np.arange(1.0, 41.0)))
    assert tuple(bases) == DIRECTIONS
    large, small = readouts(bases["large"], 5000, rng), readouts(bases["small"], 5000, rng)
    assert np.all(np.abs(large[:-4]) < 1e-12)
    assert np.all(np.abs(small[4:]) < 1e-12)
    for signals in (large, small, readouts(bases["random"], 5000, rng)):
        squares = np.sum(signals**2, axis=0)
        assert abs(squares.mean() - 1.0) < 4 * squares.std() / np.sqrt(5000)


# -- row by row ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("rows", "columns"), [(40, 12), (15, 24)])
def test_row_variances_are_explicit_sums(rows: int, columns: int) -> None:
    design = uneven_design(rows, columns)
    basis = spans(design.covariance)["large"]
    law = RowVariances.of(Trial(design).spectrum, design.calibration, basis, 0.2)
    S = design.fit.T @ design.fit / rows
    A = np.linalg.inv(S + 0.2 * np.eye(columns))
    for i, row in enumerate(design.calibration):
        signal = sum((0.2 * row @ A @ column) ** 2 for column in basis.T) / basis.shape[1]
        noise = 1 + row @ A @ S @ A @ row / rows
        np.testing.assert_allclose([law.signal[i], law.noise[i]], [signal, noise], rtol=1e-8)
    np.testing.assert_allclose(law.at(np.array([0.0, 2.0])), [law.noise, 2 * law.signal + law.noise])


def test_at_the_boundary_every_row_is_covered_at_the_level() -> None:
    """SNR I/p = I/(n lambda): residual and posterior predictive have the same variance, row for row."""
    design = uneven_design(15, 24)
    trial = Trial(design)
    for index, ridge in enumerate(RIDGES):
        law = RowVariances.of(trial.spectrum, design.test, np.eye(24), ridge)
        np.testing.assert_allclose(law.at(24 / 15 / ridge), trial.spread[index] ** 2, rtol=1e-9)
        predicted = row_by_row(trial, np.eye(24), index)
        assert predicted.coverages[2] == pytest.approx(LEVEL, abs=1e-12)


def test_the_mixture_quantile_is_that_of_draws() -> None:
    rng = np.random.default_rng(5)
    variances = rng.exponential(size=30) ** 3 + 0.1
    radius = float(mixture_quantile(variances, 0.9))
    draws = np.abs(rng.standard_normal((20_000, 30)) * np.sqrt(variances))
    share = np.mean(draws <= radius, axis=1)
    assert abs(share.mean() - 0.9) < 4 * share.std() / np.sqrt(20_000)
    assert coverage_of(np.array([radius]), variances) == pytest.approx(0.9, abs=1e-12)


def test_the_row_by_row_boundary_is_where_both_widths_agree() -> None:
    law = RowVariances(np.array([0.5, 2.0, 4.0]), np.array([1.0, 1.5, 1.2]))
    boundary = law.boundary(3.0, 0.95, 0.7)
    assert boundary is not None
    assert float(mixture_quantile(law.at(0.7 * boundary), 0.95)) == pytest.approx(3.0, rel=1e-9)
    # Wider without any signal, and never wider however strong: no boundary in either case.
    assert law.boundary(0.5, 0.95, 0.7) is None
    assert RowVariances(np.zeros(3), law.noise).boundary(3.0, 0.95, 0.7) is None


def test_row_by_row_coverage_is_exact_on_uneven_rows() -> None:
    design = uneven_design(40, 12)
    rng, count, trial = np.random.default_rng(6), 4000, Trial(design)
    noise = Noise.draw(design, count, rng)
    for name, basis in spans(design.covariance).items():
        found = trial.run(readouts(basis, count, rng), noise)[..., BAYES_COVERAGE]
        for index in range(len(RIDGES)):
            expected, values = row_by_row(trial, basis, index).coverages, found[:, index]
            error = values.std(axis=0) / np.sqrt(count)
            assert np.all(np.abs(values.mean(axis=0) - expected) < 4.5 * error), name


# -- simulated rows ------------------------------------------------------------------------------------------------


def test_lagged_rows_are_windows_of_one_trajectory_with_the_covariance_they_claim() -> None:
    rows = ROWS[3]
    assert (rows.kind, rows.rho) == ("lagged", 0.9)
    correlation = 0.9 ** np.abs(np.subtract.outer(np.arange(5.0), np.arange(5.0)))
    block = rows.draw(400, correlation, np.random.default_rng(0))
    np.testing.assert_array_equal(block[1:, :-1], block[:-1, 1:])
    independent = ROWS[4].draw(50_000, correlation, np.random.default_rng(0))
    # An entry of a sample covariance has a standard error of at most sqrt(2/n).
    np.testing.assert_allclose(
        independent.T @ independent / 50_000, correlation, atol=5 * np.sqrt(2 / 50_000)
    )


def test_white_rows_have_no_eigenvector_to_be_aligned_with() -> None:
    pairs = {(case.rows.title, case.direction) for case in CASES}
    assert len(pairs) == len(CASES) == 11
    assert {case.direction for case in CASES if case.rows.rho == 0} == {"random"}


@pytest.fixture(scope="module")
def simulated() -> FloatArray:
    return np.array(replicate(replication, 6, name="dependent", seed=1))


def test_a_replication_holds_every_cell_and_has_a_stream_of_its_own(simulated: FloatArray) -> None:
    shape = (len(CASES), len(lagged.RATIOS), len(RIDGES), len(STRENGTHS), len(MEASURES))
    assert simulated.shape[1:] == shape
    assert np.all(np.isfinite(simulated))
    np.testing.assert_array_equal(replicate(replication, 2, name="dependent", seed=1), simulated[:2])


def test_simulated_widths_and_coverages_are_those_of_the_formulas(simulated: FloatArray) -> None:
    signs = agreement(lagged_table(simulated), ["rows", "direction"], 6)
    checks = lagged_checks(simulated, signs)
    assert {check.kind for check in checks} == {"formula"}
    different = [check.cell for check in checks if check.verdict == "different"]
    # Ninety rows at three standard errors, six replications: one may differ by chance.
    assert len(different) <= 1, different


@pytest.mark.parametrize(
    ("measure", "factor"), [(SPLIT_TRACE, 1.2), (SPLIT, 1.2), (BAYES, 1.2), (SPLIT_COVERAGE, 0.97)]
)
def test_a_planted_error_is_called_different(simulated: FloatArray, measure: int, factor: float) -> None:
    spoilt = simulated.copy()
    spoilt[..., measure] *= factor
    signs = agreement(lagged_table(spoilt), ["rows", "direction"], 100)
    assert sum(check.verdict == "different" for check in lagged_checks(spoilt, signs)) >= 3


def test_a_flipped_sign_is_called_different(simulated: FloatArray) -> None:
    spoilt = simulated.copy()
    spoilt[..., [2, 3]] = spoilt[..., [3, 2]]
    # As if of a full run, so that three standard errors are enough and every picture has clear cells.
    signs = agreement(lagged_table(spoilt), ["rows", "direction"], 100)
    wrong = [check for check in lagged_checks(spoilt, signs) if "whose sign is not" in check.cell]
    assert all(check.verdict == "different" for check in wrong)
    assert len(wrong) == len(CASES)


def test_the_surplus_is_that_of_independent_normal_scores() -> None:
    rng = np.random.default_rng(7)
    scores = np.sort(np.abs(rng.standard_normal((4000, CALIBRATION))), axis=1)
    squares = scores[:, int(np.ceil(0.95 * (CALIBRATION + 1))) - 1] ** 2 / Z**2
    assert abs(squares.mean() - SURPLUS) < 4 * squares.std() / np.sqrt(4000)


# -- real rows -----------------------------------------------------------------------------------------------------


def exchange(order: str = "in order", ratio: float = 0.75) -> Layout:
    return Layout("exchange", ratio, order)


def test_a_design_has_the_aspect_ratio_and_standardised_fit_rows() -> None:
    for ratio in observed.RATIOS:
        design = design_of(exchange(ratio=ratio), long_series(), rng=np.random.default_rng(0))
        assert design.fit.shape == (round(119 / ratio), 119)
        assert (len(design.calibration), len(design.test)) == (CALIBRATION, TEST)
        np.testing.assert_allclose(design.fit.mean(axis=0), 0.0, atol=1e-12)
        np.testing.assert_allclose(design.fit.std(axis=0), 1.0, rtol=1e-12)
        everything = np.vstack([design.calibration, design.test])
        np.testing.assert_allclose(design.covariance, everything.T @ everything / len(everything))


def test_a_row_is_the_models_own_feature_row() -> None:
    series = long_series()
    design, model = design_of(exchange(), series, rng=np.random.default_rng(0)), paper_model("exchange")
    (blocks,) = FixedOrigin().splits(series.size, model.first_target, 1)
    x = (series - series[: blocks.scale_end].mean()) / series[: blocks.scale_end].std()
    raw = rows_of(model.feature_map, x, 1).design
    first, last = raw[blocks.fit.start - model.first_target], raw[blocks.test.stop - 1 - model.first_target]
    found = design.test[-1] - design.fit[0]
    # Centring drops out of the difference of two rows.
    targets = np.linspace(blocks.fit.start, blocks.fit.stop - 1, len(design.fit)).round().astype(int)
    scales = raw[targets - model.first_target].std(axis=0)
    np.testing.assert_allclose(found, (last - first) / scales, rtol=1e-9)


def test_no_block_sees_a_value_of_a_later_one_nor_shares_one_with_the_block_before() -> None:
    series, model = long_series(), paper_model("exchange")
    (blocks,) = FixedOrigin().splits(series.size, model.first_target, 1)
    plain = design_of(exchange(), series, rng=np.random.default_rng(0))
    rng = np.random.default_rng(8)
    late = series.copy()
    late[blocks.fit.stop :] += rng.standard_normal(series.size - blocks.fit.stop)
    np.testing.assert_array_equal(design_of(exchange(), late, rng=rng).fit, plain.fit)
    later = series.copy()
    later[blocks.test.start :] += 1.0
    np.testing.assert_array_equal(design_of(exchange(), later, rng=rng).calibration, plain.calibration)
    # The last fit target is no feature of a fit row, and would be one of the first calibration row without the gap.
    for place, block in ((blocks.fit.stop - 1, "calibration"), (blocks.calibration.stop - 1, "test")):
        moved = series.copy()
        moved[place] += 100.0
        np.testing.assert_array_equal(
            getattr(design_of(exchange(), moved, rng=rng), block), getattr(plain, block)
        )


def test_shuffled_blocks_hold_the_same_rows() -> None:
    series = long_series()
    designs = [design_of(exchange(order), series, rng=np.random.default_rng(0)) for order in observed.ORDERS]
    columns = []
    for design in designs:
        column = np.concatenate([block[:, 3] for block in (design.fit, design.calibration, design.test)])
        columns.append(np.sort((column - column.mean()) / column.std()))
    np.testing.assert_allclose(columns[0], columns[1], rtol=1e-9, atol=1e-12)
    means = [abs(design.test[:, 0].mean()) for design in designs]
    # The trend makes later rows larger; dealt at random they are not.
    assert means[0] > 5 * means[1]


def test_a_short_series_is_refused() -> None:
    with pytest.raises(ValueError, match="a block of 380 rows cannot give 800; give a longer series"):
        design_of(exchange(), long_series(length=1000), rng=np.random.default_rng(0))


@pytest.fixture(scope="module")
def real() -> tuple[Observation, ...]:
    source = Source("exchange", "Made up", Series(long_series(spikes=12.0), name="exchange"))
    return simulate([source], 8, Settings(seed=3))


def test_layouts_have_streams_of_their_own(real: tuple[Observation, ...]) -> None:
    assert [seen.layout for seen in real] == [
        Layout("exchange", ratio, order) for ratio in observed.RATIOS for order in observed.ORDERS
    ]
    first = [layout.stream(3).random() for layout in (seen.layout for seen in real)]
    assert len(set(first)) == len(real)
    source = Source("exchange", "Made up", Series(long_series(spikes=12.0), name="exchange"))
    again = simulate([source], 8, Settings(seed=3, jobs=1))
    np.testing.assert_array_equal(again[2].samples, real[2].samples)


def test_spiky_rows_break_the_trace_and_not_the_row_by_row_quantile(real: tuple[Observation, ...]) -> None:
    cells = observed_table(real, {"exchange": "Made up"})
    assert cells.height == len(real) * len(DIRECTIONS) * len(RIDGES) * len(STRENGTHS)
    signs = agreement(cells, ["rows", "order", "direction"], 8)
    assert signs["wrong_trace"].sum() > 0
    assert signs["wrong_rows"].sum() == 0
    checks = observed_checks(real, signs, {"exchange": "Made up"})
    assert {check.kind for check in checks} == {"formula"}
    assert [check.cell for check in checks if check.verdict == "different"] == []


def test_an_empty_boundary_is_no_type(real: tuple[Observation, ...]) -> None:
    """A table whose first hundred entries were empty could not take the first number."""
    nowhere = tuple((None,) * len(RIDGES) for _ in DIRECTIONS)
    late = [replace(seen, boundaries=nowhere) for seen in real[:-1]] + [real[-1]]
    column = observed_table(late, {"exchange": "Made up"})["boundary_rows"]
    assert column.null_count() >= 5 * len(DIRECTIONS) * len(RIDGES) * len(STRENGTHS)
    assert column.dtype == pl.Float64


def test_the_signal_is_a_multiple_of_the_boundary_at_the_rows_that_were_taken(
    real: tuple[Observation, ...],
) -> None:
    cells = observed_table(real, {"exchange": "Made up"}).filter(
        pl.col("gamma") == 0.75, pl.col("lambda") == 0.2
    )
    np.testing.assert_allclose(cells["snr"], cells["strength"] * (119 / 159) / 0.2, rtol=1e-12)


def test_wrong_coverage_and_wrong_signs_are_found_on_real_rows(real: tuple[Observation, ...]) -> None:
    spoilt = [replace(seen, coverage=seen.coverage - 0.05, rowwise=4.0 * seen.rowwise) for seen in real]
    signs = agreement(observed_table(spoilt, {"exchange": "Made up"}), ["rows", "order", "direction"], 8)
    checks = observed_checks(spoilt, signs, {"exchange": "Made up"})
    for part in ("all cells", "whose sign is not"):
        assert all(check.verdict == "different" for check in checks if part in check.cell), part


# -- counts and words ----------------------------------------------------------------------------------------------


def test_signs_are_counted_over_clear_cells_off_the_boundary() -> None:
    cells = pl.DataFrame(
        {
            "rows": ["a"] * 5,
            "strength": [0.25, 4.0, 4.0, 0.25, 1.0],
            "snr": [0.5, 8.0, 8.0, 0.5, 2.0],
            "output": [9.0, 8.0, 1.0, 0.5, 2.0],
            "difference": [1.0, 1.0, -1.0, 0.1, 1.0],
            "difference_se": [0.1] * 5,
            "difference_trace": [2.0, 2.0, -2.0, -1.0, 1.0],
            "difference_own": [-1.0, -1.0, 1.0, 1.0, 1.0],
            "difference_limit": [1.0, -1.0, -1.0, 1.0, 0.0],
            "bayes_coverage": [0.97, 0.97, 0.93, 0.95, 0.95],
            "bayes_coverage_se": [0.001] * 5,
        }
    )
    (row,) = agreement(cells, ["rows"], 100).iter_rows(named=True)
    # Of four cells off the boundary the fourth is not clear; the second has the wrong sign by SNR = gamma/lambda.
    assert (row["cells"], row["clear"], row["wrong_boundary"], row["wrong_trace"], row["wrong_own"]) == (
        4,
        3,
        1,
        0,
        3,
    )
    assert (row["wrong_output"], row["even"], row["wrong_even"]) == (3, 1, 1)
    assert (row["clear_coverage"], row["wrong_coverage"]) == (3, 1)
    assert (row["size_trace"], row["size_limit"]) == (2.0, 1.0)
    assert "wrong_rows" not in row


def test_findings_say_what_the_counts_say(simulated: FloatArray, real: tuple[Observation, ...]) -> None:
    cells = lagged_table(simulated)
    signs = agreement(cells, ["rows", "direction"], 6)
    clear = signs.filter(pl.col("direction") == "random", pl.col("rows").str.starts_with("lagged"))[
        "clear"
    ].sum()
    assert f"the wrong sign in none of {clear} clear cells" in lagged_findings(cells, signs)[0]
    spoilt = signs.with_columns(pl.lit(2).alias("wrong_boundary"))
    assert f"the wrong sign in 6 of {clear} clear cells" in lagged_findings(cells, spoilt)[0]
    table = observed_table(real, {"exchange": "Made up"})
    counted = agreement(table, ["rows", "order", "direction"], 8)
    wrong = counted.filter(pl.col("order") == "in order")["wrong_trace"].sum()
    assert f"the finite trace in {wrong or 'none'} of " in observed_findings(table, counted)[0]


def test_each_order_of_rows_has_boundaries_of_its_own(real: tuple[Observation, ...]) -> None:
    """The sentence gave those of the rows in order twice."""
    places = {"in order": 0.5, "shuffled": 2.0}
    moved = [
        replace(seen, boundaries=tuple((places[seen.layout.order],) * len(RIDGES) for _ in DIRECTIONS))
        for seen in real
    ]
    table = observed_table(moved, {"exchange": "Made up"})
    (sentence,) = (
        text
        for text in observed_findings(table, agreement(table, ["rows", "order", "direction"], 8))
        if "It puts the boundary of random signals" in text
    )
    assert "in order Made up 0.50 to 0.50; shuffled Made up 2.00 to 2.00." in sentence


# -- the target ----------------------------------------------------------------------------------------------------


def made_up_data(monkeypatch: pytest.MonkeyPatch, missing: set[str]) -> None:
    def load(name: str) -> Series:
        if name in missing:
            raise DatasetError(f"no {name} here")
        return Series(long_series(), name=name)

    monkeypatch.setattr(sources, "load", load)
    sources._source.cache_clear()


def test_what_cannot_be_loaded_is_left_out_with_its_reason(monkeypatch: pytest.MonkeyPatch) -> None:
    made_up_data(monkeypatch, {"solar", "ozone"})
    found, missing = available(Settings())
    sources._source.cache_clear()
    assert [source.key for source in found] == ["beijing", "exchange"]
    assert missing["solar"] == "no solar here"
    assert "neither the paper's file nor a stand-in" in missing["ozone"]


@pytest.mark.parametrize("lost", [set(), {"exchange"}])
def test_a_quick_run_marks_itself_as_ours(monkeypatch: pytest.MonkeyPatch, lost: set[str]) -> None:
    made_up_data(monkeypatch, lost)
    outcome = run(Settings(reps=3, quick=True))
    sources._source.cache_clear()
    assert "our result" in TARGET.title
    assert "A result of ours, not of the paper" in outcome.notes[0]
    assert {check.kind for check in outcome.checks} == {"formula"}
    assert set(outcome.captions) <= set(outcome.tables) | set(outcome.figures)
    assert ("observed" in outcome.figures) == (not lost)
    assert any("Not run: Exchange returns (no exchange here)" in note for note in outcome.notes) == bool(lost)
    assert all(np.isfinite(check.ours) for check in outcome.checks if check.ours is not None)


@pytest.mark.parametrize("name", ["lagged", "observed", "predictions", "predictions alone"])
def test_every_panel_is_lettered(name: str, simulated: FloatArray, real: tuple[Observation, ...]) -> None:
    cells, table = lagged_table(simulated), observed_table(real, {"exchange": "Made up"})
    function, count = {
        "lagged": (lambda: lagged_figure(cells, 3.0), 9),
        "observed": (lambda: observed_figure(table, "shuffled", 3.0), 3),
        "predictions": (lambda: prediction_figure(cells, table), 6),
        "predictions alone": (lambda: prediction_figure(cells, None), 2),
    }[name]
    figure = draw(function)()
    letters = "abcdefghi"[:count] if name != "predictions alone" else "ad"
    assert [axes.get_title(loc="left")[1] for axes in figure.axes] == list(letters)
    if name == "lagged":
        assert encode(figure, "png").startswith(b"\x89PNG")


@pytest.mark.usefixtures("data_folder")
def test_real_exchange_rows_are_covered_nominally_at_the_boundary() -> None:
    found, _ = available(Settings(quick=True))
    seen = simulate(found, 40, Settings(quick=True))[2]
    covered = seen.samples[:, DIRECTIONS.index("random"), :, STRENGTHS.index(1.0), BAYES_COVERAGE].mean(
        axis=1
    )
    assert abs(covered.mean() - LEVEL) < 4 * covered.std() / np.sqrt(40)
