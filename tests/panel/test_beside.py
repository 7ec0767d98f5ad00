"""Columns beside the target: observed ones, and ones that are known ahead."""

from typing import Any

import numpy as np
import polars as pl
import pytest

from ngrc import look_ahead
from ngrc.panel import cross_validation, forecast, forecasts
from tests.panel.panels import QUICK, SIZE, shuffled, values

STEPS = 3


def beside(size: int = SIZE) -> pl.DataFrame:
    """The panel with two columns beside it, reaching beyond the target where the size does."""
    clock = np.arange(size)
    parts = [
        pl.DataFrame(
            {
                "unique_id": [name] * size,
                "ds": clock,
                "y": np.concatenate([values(seed), np.full(size - SIZE, np.nan)]),
                "rain": np.cos(clock + seed),
                "plan": np.sin(clock * 2.0 + seed),
            }
        )
        for seed, name in enumerate(("a", "b"))
    ]
    return pl.concat(parts)


def alone(seed: int, **columns: Any) -> Any:
    return look_ahead(values(seed), steps=STEPS, **QUICK, **columns)


def test_observed_columns_are_those_of_look_ahead() -> None:
    frame = beside()
    answer = forecast(shuffled(frame), STEPS, exog=["rain"], **QUICK).sort("unique_id", "ds")
    for seed, name in enumerate(("a", "b")):
        rain = frame.filter(pl.col("unique_id") == name)["rain"].to_numpy()
        expected = alone(seed, exog={"rain": rain})
        np.testing.assert_array_equal(answer.filter(pl.col("unique_id") == name)["NGRC"], expected.forecast)


def test_known_columns_come_from_a_frame_of_the_future_or_from_rows_after_the_last_outcome() -> None:
    whole = beside(SIZE + STEPS)
    past, future = whole.filter(pl.col("ds") < SIZE), whole.filter(pl.col("ds") >= SIZE)
    later = future.select("unique_id", "ds", "plan")
    answer = forecast(past, STEPS, X_df=shuffled(later), **QUICK)
    assert answer.equals(forecast(past, STEPS, X_df=later, known=["plan"], **QUICK))
    empty = shuffled(whole).with_columns(pl.col("y").fill_nan(None))
    assert answer.equals(forecast(empty, STEPS, known=["plan"], **QUICK).sort("unique_id", "ds"))
    plan = whole.filter(pl.col("unique_id") == "b")["plan"].to_numpy()
    expected = alone(1, exog={"plan": plan}, known=["plan"])
    np.testing.assert_array_equal(answer.filter(pl.col("unique_id") == "b")["NGRC"], expected.forecast)
    assert not answer.equals(forecast(past, STEPS, **QUICK))


def test_both_kinds_stand_together() -> None:
    whole = beside(SIZE + STEPS)
    past, future = whole.filter(pl.col("ds") < SIZE), whole.filter(pl.col("ds") >= SIZE)
    answer = forecast(past, STEPS, exog=["rain"], X_df=future.select("unique_id", "ds", "plan"), **QUICK)
    rows = whole.filter(pl.col("unique_id") == "a")
    channels = {"rain": [*rows["rain"][:SIZE], *[None] * STEPS], "plan": rows["plan"].to_list()}
    np.testing.assert_array_equal(answer["NGRC"][:STEPS], alone(0, exog=channels, known=["plan"]).forecast)


def test_a_series_without_its_future_fails_alone() -> None:
    whole = beside(SIZE + STEPS)
    past, future = whole.filter(pl.col("ds") < SIZE), whole.filter(pl.col("ds") >= SIZE)
    later = future.filter(pl.col("unique_id") == "a").select("unique_id", "ds", "plan")
    answer = forecasts(past, STEPS, X_df=later, **QUICK)
    assert answer.failures["unique_id"].to_list() == ["b"]
    assert "must reach 3 rows beyond" in answer.failures["error"][0]
    assert answer.frame.height == STEPS


def test_a_future_at_other_times_is_refused() -> None:
    whole = beside(SIZE + STEPS)
    past = whole.filter(pl.col("ds") < SIZE)
    later = whole.filter(pl.col("ds") >= SIZE).select("unique_id", pl.col("ds") + 1, "plan")
    answer = forecasts(past, STEPS, X_df=later, **QUICK)
    assert answer.failures.height == 2
    assert "the series is at 60, exog at 61" in answer.failures["error"][0]


def test_values_before_the_first_outcome_are_carried_into_the_series() -> None:
    frame = beside().filter(pl.col("unique_id") == "a")
    late = frame.with_columns(
        y=pl.when(pl.col("ds") < 3).then(None).otherwise("y"),
        rain=pl.when(pl.col("ds").is_between(2, 4)).then(None).otherwise("rain"),
    )
    carried = frame.with_columns(
        y=pl.when(pl.col("ds") < 3).then(None).otherwise("y"),
        rain=pl.when(pl.col("ds").is_between(2, 4)).then(pl.col("rain").gather(1)).otherwise("rain"),
    )
    answers = [forecast(one, 1, exog=["rain"], **QUICK) for one in (late, carried)]
    assert answers[0].equals(answers[1])


@pytest.mark.parametrize("column", ["y", "rain"])
def test_a_cutoff_sees_nothing_after_it(column: str) -> None:
    """Another future of target and observed columns leaves every forecast from an earlier cutoff as it is."""
    frame = beside()
    options: dict[str, Any] = {"windows": 4, "step": 2, "exog": ["rain"], "known": ["plan"], **QUICK}
    before = cross_validation(frame, STEPS, **options)
    first = before["cutoff"].min()
    later = pl.when(pl.col("ds") > first).then(pl.col(column) + 100).otherwise(column)
    changed = frame.with_columns(later.alias(column))
    after = cross_validation(changed, STEPS, **options)
    names = [name for name in before.columns if name.startswith("NGRC")]
    early = pl.col("cutoff") == first
    assert before.filter(early).select(names).equals(after.filter(early).select(names))
    assert not before.filter(~early).select(names).equals(after.filter(~early).select(names))
