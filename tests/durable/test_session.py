"""What a session says is what a forecaster says; what is known is answered as it was; what is wrong changes nothing."""

from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
import pytest

from ngrc import NGRC
from ngrc.durable import ConflictError, Observation, Session, Store, StoreError, UnknownSeriesError
from tests.durable.kit import START, exact, facts, forecaster, plain, session, spoken, told, wave


@pytest.mark.parametrize(
    "options",
    [
        {},
        {"horizon": 3, "level": 0.9},
        {"method": "adaptive", "level": [0.5, 0.9]},
        {"refit_every": 20, "window": 50, "level": 0.9},
    ],
)
def test_replies_are_those_of_a_forecaster_without_a_database(tmp_path: Any, options: dict[str, Any]) -> None:
    values = wave(100)
    replies = told(str(tmp_path / "s.db"), values, **options)
    assert [reply.history for reply in replies[: START - 1]] == list(range(1, START))
    assert all(reply.coming is None for reply in replies[: START - 1])
    assert [spoken(reply) for reply in replies[START - 1 :]] == plain([*values], **options)


def test_both_databases_say_the_same(address: str, tmp_path: Any) -> None:
    values: list[float | None] = [*wave(90)]
    values[70] = None
    values[80] = float("nan")
    replies = told(address, values)
    assert [facts(one) for one in replies] == [facts(one) for one in told(str(tmp_path / "other.db"), values)]
    with Store.open(address, write=False) as store:
        assert [facts(one) for one in store.recent("x", 1000)] == [facts(one) for one in replies]
        assert facts(store.reply("x", 75)) == facts(replies[74])
        assert store.verify_all() == 90


def test_a_history_may_be_given_and_is_kept_as_rows(address: str) -> None:
    values = wave(80)
    gathered = told(f"{address}.gathered" if "://" not in address else address, values, name="x")
    with session(address, name="y", history=values[:START]) as one:
        first = one.latest("y")
        assert first is not None
        assert facts(first) == facts(gathered[START - 1])
        rest = [one.take("y", Observation(value)) for value in values[START:]]
        one.commit()
        assert one.store.summary("y").counts == {"history": START, "observed": 20, "missing": 0, "late": 0}
    assert [facts(one) for one in rest] == [facts(one) for one in gathered[START:]]


def test_nothing_is_durable_before_the_commit(address: str) -> None:
    values = wave(80)
    with session(address) as one:
        for value in values:
            one.take("x", Observation(value))
        assert one.waiting == 80
        with Store.open(address, write=False) as store:
            assert store.recent("x") == ()
        one.commit()
        assert one.waiting == 0
        one.take("x", Observation(1.0))
    with session(address) as one:
        newest = one.latest("x")
        assert newest is not None
        assert newest.seq == 80


def test_what_is_known_is_answered_as_it_was(address: str) -> None:
    values = wave(90)
    days = np.datetime_as_string(np.datetime64("2026-01-01") + np.arange(90)).tolist()
    with session(address) as one:
        first = [one.take("x", Observation(*pair)) for pair in zip(values[:80], days[:80], strict=True)]
        one.commit()
        # Not committed yet: these are known as well.
        first += [one.take("x", Observation(*pair)) for pair in zip(values[80:], days[80:], strict=True)]
        for place in (0, 30, START - 1, 75, 79, 80, 89):
            for again in (
                one.take("x", Observation(values[place], days[place])),
                one.take("x", Observation(values[place], seq=place + 1)),
                one.take("x", Observation(values[place], days[place], place + 1)),
            ):
                assert again.again
                assert facts(again) == facts(first[place])
        assert one.waiting == 10
        assert first[75].time == "2026-03-17"


def test_contradictions_are_refused_and_change_nothing(address: str) -> None:
    values = wave(80)
    days = np.datetime_as_string(np.datetime64("2026-01-01") + np.arange(80)).tolist()
    with session(address) as one:
        for pair in zip(values, days, strict=True):
            one.take("x", Observation(*pair))
        one.commit()
        kept = exact(values[69])
        for observation, words in (
            (Observation(5.5, seq=70), f"observation 70 is known with the value {values[69]!r}, got 5.5"),
            (
                Observation(5.5, days[69]),
                f"the time {days[69]} is known with the value {values[69]!r}, got 5.5",
            ),
            (Observation(None, days[69]), "got missing"),
            (Observation(values[69], days[68], 70), f"observation 70 is known with the time {days[69]}"),
            (Observation(values[69], days[69], 81), f"the time {days[69]} is that of observation 70, got 81"),
            (Observation(1.0, seq=82), "the next observation of the series 'x' is 81, got seq 82"),
        ):
            with pytest.raises(ConflictError, match="^" + words if words[0] == "o" else words):
                one.take("x", observation)
        for observation, words in (
            (Observation(1.0, seq=0), "seq counts observations from 1, got 0"),
            (Observation(1.0, seq=True), "seq counts observations from 1, got True"),
            (Observation(float("inf")), "a value must be finite, got inf"),
            (Observation(10**400), "a value must be finite"),
            (Observation("3"), "a value is a number, or nothing where it is missing, got '3'"),  # type: ignore[arg-type]
            (Observation(True), "a value is a number"),
            (
                Observation(1.0, "2025-12-31"),
                "the time 2025-12-31 lies before the newest, 2026-03-21; give",
            ),
            (Observation(1.0, 80), "the times of this series are dates such as 2026-01-31, got 80"),
            (Observation(1.0, "2026-03-22T10:00"), "the times of this series are dates"),
            (Observation(1.0, "22.3.2026"), "the time '22.3.2026' is not understood"),
        ):
            with pytest.raises(ValueError, match=words):
                one.take("x", observation)
        assert one.waiting == 0
        assert exact(one.store.reply("x", 70).value) == kept
        after = one.take("x", Observation(1.0))
        assert (after.seq, after.time) == (81, "2026-03-22")


def test_a_series_needs_its_creation_and_a_good_name(address: str) -> None:
    with Session(Store.open(address)) as one:
        with pytest.raises(UnknownSeriesError, match=r"there is no series 'x' in .*; create it first"):
            one.take("x", Observation(1.0))
        for name in ("", " x", "a/b", "a\nb", ".", "..", "n" * 201):
            with pytest.raises(ValueError, match="a series needs a name"):
                one.create(name, forecaster(), 10)
        with pytest.raises(ValueError, match="history"):
            one.create("x", forecaster(), 0)
        assert one.names() == ()


def test_creation_again_needs_the_same_settings(address: str) -> None:
    values = wave(70)
    with session(address) as one:
        for value in values:
            one.take("x", Observation(value))
        newest = one.create("x", forecaster(), START)
        assert newest is not None
        assert newest.seq == 70
        with pytest.raises(ConflictError, match="there is a series 'x' with the forecaster"):
            one.create("x", forecaster(horizon=2), START)
        with pytest.raises(ConflictError, match="with a history of 60 observations, got 61"):
            one.create("x", forecaster(), START + 1)
        with pytest.raises(ConflictError, match="another history"):
            one.create("x", forecaster(), values[:START])


def test_a_history_that_cannot_be_fitted_leaves_what_was_gathered(address: str) -> None:
    with session(address) as one:
        for value in wave(START - 1):
            one.take("x", Observation(value))
        with pytest.raises(ValueError, match="spread over"):
            one.take("x", Observation(1.0, 10_000))
        one.commit()
        newest = one.latest("x")
        assert newest is not None
        assert newest.history == START - 1


def test_a_count_from_which_no_forecaster_can_start_is_refused_at_creation(address: str) -> None:
    long = forecaster(model=NGRC(lags=120), horizon=24)
    with Session(Store.open(address)) as one:
        for history in (200, wave(200)):
            with pytest.raises(ValueError, match="the series is too short for 24 steps ahead with 120 lags"):
                one.create("x", long, history)
        assert one.names() == ()


def test_remarks_are_given_once(address: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def too_large(value: Any) -> bytes:
        raise ValueError("too large for one file")

    with session(address) as one:
        monkeypatch.setattr("ngrc.durable.series.dumps", too_large)
        for value in wave(START + 5):
            one.take("x", Observation(value))
        one.commit()
        assert len(one.notes()) == 1
        assert one.notes() == ()


def test_a_store_for_reading_takes_nothing(address: str) -> None:
    told(address, wave(10))
    with Store.open(address, write=False) as store, pytest.raises(StoreError, match="was opened for reading"):
        Session(store)


def test_many_series_are_committed_together(address: str) -> None:
    values = wave(70)
    with Session(Store.open(address)) as one:
        for name in ("a", "b", "c"):
            one.create(name, forecaster(), START)
        for place, value in enumerate(values):
            for shift, name in enumerate(("a", "b", "c")):
                one.take(name, Observation(value + shift))
            if place % 10 == 9:
                one.commit()
        assert one.names() == ("a", "b", "c")
        counts = [one.store.summary(name).count for name in one.names()]
        assert counts == [70, 70, 70]
        assert one.store.verify_all() == 210


def test_what_may_take_long_is_told_before_it_is_taken(address: str) -> None:
    values = wave(120)
    with session(address, refit_every=20, window=40, late="accept") as one:
        assert not one.slow("x", [Observation(1.0)] * (START - 1))
        assert one.slow("x", [Observation(1.0)] * START)
        assert one.slow("x", [Observation(1.0)], before=START - 1)
        for value in values[: START + 15]:
            one.take("x", Observation(value))
        # Refits come after 20, 40, ... observations; the next is the fifth from here.
        newest = START + 14
        assert [one.slow("x", [Observation(1.0)] * count) for count in (1, 4, 5, 30)] == [
            False,
            False,
            True,
            True,
        ]
        assert [one.slow("x", [Observation(1.0, newest + gap)]) for gap in (-3, 1, 4, 5)] == [
            False,
            False,
            False,
            True,
        ]
        assert one.slow("x", [Observation(1.0)], before=4)
        # Refused in no time.
        assert not one.slow("x", [Observation(1.0, "no time")])
        one.commit()
    with session(address, "y") as one:
        # To be recovered first.
        assert one.slow("x", [Observation(1.0)])
        for value in values[:START]:
            one.take("y", Observation(value))
        # Without refits, only what is passed over counts.
        assert [one.slow("y", [Observation(1.0, START + gap)]) for gap in (50, 5000)] == [False, True]


def test_a_series_that_another_thread_has_is_committed_after_it_is_given_back(address: str) -> None:
    values = wave(90)
    with session(address) as one:
        one.create("y", forecaster(), START)
        lent = one.lend("x")
        replies = [lent.take(Observation(value)) for value in values]
        one.take("y", Observation(1.0))
        one.commit()
        assert (len(one.store.recent("x")), len(one.store.recent("y"))) == (0, 1)
        assert one.waiting == 0
        one.give_back(lent)
        one.commit()
        assert [facts(reply) for reply in one.store.recent("x")] == [facts(reply) for reply in replies]


def test_series_are_created_and_recovered_while_others_are_committed(address: str) -> None:
    values = wave(100)
    names = [f"series {place}" for place in range(6)]
    with session(address) as one:
        lent = [one.lend(name) for name in names]
        with ThreadPoolExecutor(3) as pool:
            made = [pool.submit(part.create, forecaster(), np.array(values[:80])) for part in lent]
            for value in values:
                one.take("x", Observation(value))
                one.commit()
            assert all(reply is not None and reply.seq == 80 for reply in (part.result() for part in made))
        for part in lent:
            one.give_back(part)
        said = [one.take(name, Observation(values[80])) for name in names]
        one.commit()
        assert len({str(facts(reply)) for reply in said}) == 1
        assert one.store.verify_all() == 100 + 6 * 81
