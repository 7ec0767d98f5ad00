import json
from math import inf, nan

import numpy as np

from ngrc.durable.observation import Issued, Reply, Settled
from ngrc.stream.answers import answer, refusal


def reply(again: bool = False) -> Reply:
    coming = Issued(
        "2026-01-09T08:00:00", ("2026-01-09T09:00:00", "2026-01-09T10:00:00"), (0.1, 1 / 3),
        {0.9: (-0.5, -inf), 0.975: (-1e300, -inf)}, {0.9: (0.7, inf), 0.975: (1.5, inf)},
    )  # fmt: skip
    matured = Settled(1, "2026-01-09T07:00:00", "2026-01-09T08:00:00", 3.0, 3.2, {0.9: True, 0.975: None})
    return Reply(201, "2026-01-09T08:00:00", 3.2, again, None, coming, (matured,))


def test_an_answer_is_the_documented_object() -> None:
    text = answer(reply())
    assert text.endswith("}\n")
    assert text.count("\n") == 1
    assert json.loads(text) == {
        "seq": 201,
        "time": "2026-01-09T08:00:00",
        "value": 3.2,
        "forecasts": [
            {"step": 1, "target": "2026-01-09T09:00:00", "mean": 0.1,
             "intervals": {"0.9": [-0.5, 0.7], "0.975": [-1e300, 1.5]}},
            {"step": 2, "target": "2026-01-09T10:00:00", "mean": 1 / 3,
             "intervals": {"0.9": [None, None], "0.975": [None, None]}},
        ],
        "matured": [
            {"step": 1, "origin": "2026-01-09T07:00:00", "mean": 3.0, "covered": {"0.9": True, "0.975": None}}
        ],
    }  # fmt: skip


def test_what_was_known_says_so_and_is_else_the_same() -> None:
    first, second = json.loads(answer(reply())), json.loads(answer(reply(again=True)))
    assert second.pop("again") is True
    assert first == second


def test_answers_before_the_start_count_the_history() -> None:
    assert json.loads(answer(Reply(3, 2, None, history=3))) == {
        "seq": 3,
        "time": 2,
        "value": None,
        "history": 3,
    }


def test_numbers_read_back_as_the_same_floats() -> None:
    rng = np.random.default_rng(0)
    numbers = rng.standard_normal(1000) * 10.0 ** rng.integers(-300, 300, 1000)
    for number in numbers.tolist():
        found = json.loads(answer(Reply(1, 0, number, history=1)))["value"]
        assert found == number


def test_not_a_number_is_null_and_never_a_word_that_json_lacks() -> None:
    coming = Issued(0, (1,), (nan,), {0.9: (nan,)}, {0.9: (nan,)})
    text = answer(Reply(1, 0, 1.0, coming=coming))
    assert json.loads(text, parse_constant=lambda word: 1 / 0)["forecasts"][0]["mean"] is None


def test_a_refusal_is_one_object_whatever_the_message_holds() -> None:
    assert json.loads(refusal(12, 'no "number"\n')) == {"line": 12, "error": 'no "number"\n'}
    assert refusal(12, "a\nb").count("\n") == 1
