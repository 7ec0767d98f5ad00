"""Every route and every refusal, over a session in memory."""

from typing import Any

import pytest

from tests.serve.conftest import Desk, Opener


def test_observations_are_answered_as_the_stream_answers(desk: Desk) -> None:
    first = desk.client.post("/series/load/observations", json={"value": 1.5, "seq": 1}).json()
    assert (first["seq"], first["time"], first["value"]) == (1, 0, 1.5)
    wide, wider = 1.3 * 2**0.5, 2.0 * 2**0.5
    intervals = {"0.8": [1.5 - wide, 1.5 + wide], "0.95": [1.5 - wider, 1.5 + wider]}
    assert first["forecasts"][1] == {"step": 2, "target": 2, "mean": 1.5, "intervals": intervals}
    second = desk.client.post("/series/load/observations", json=[{"value": 5.0, "seq": 2}]).json()
    assert second[0]["matured"] == [
        {"step": 1, "origin": 0, "mean": 1.5, "covered": {"0.8": False, "0.95": False}}
    ]


def test_what_was_sent_before_is_answered_again(desk: Desk) -> None:
    first = desk.client.post("/series/load/observations", json={"value": 1.0, "seq": 1}).json()
    again = desk.client.post("/series/load/observations", json={"value": 1.0, "seq": 1}).json()
    assert again == first | {"again": True}
    other = desk.client.post("/series/load/observations", json={"value": 2.0, "seq": 1})
    assert other.status_code == 409
    assert "another value" in other.json()["error"]
    assert len(desk.session.kept["load"]) == 1


def test_a_list_that_breaks_off_keeps_what_came_before_and_says_so(desk: Desk) -> None:
    body = [{"value": 1.0, "seq": 1}, {"value": 2.0, "seq": 2}, {"value": 3.0, "seq": 9}, {"value": 4.0}]
    answer = desk.client.post("/series/load/observations", json=body)
    assert answer.status_code == 409
    assert answer.json()["error"].startswith("observation 3 of 4: observation 3 is expected")
    assert [one["seq"] for one in answer.json()["replies"]] == [1, 2]
    assert [one.value for one in desk.session.kept["load"]] == [1.0, 2.0]


def test_creation_is_idempotent_and_a_history_starts_the_series(desk: Desk) -> None:
    settings = {"model": {"lags": 2}, "horizon": 2}
    assert desk.client.put("/series/load", json=settings).json() == {"name": "load", "created": False}
    made = desk.client.put("/series/wind", json=settings | {"history": [1.0, 2.0, 3.0]})
    assert made.status_code == 201
    assert made.json()["newest"]["seq"] == 3
    assert [row["value"] for row in desk.client.get("/series/wind/recent").json()["rows"]] == [1.0, 2.0, 3.0]
    assert desk.client.put("/series/wind", json=settings | {"history": [1.0]}).status_code == 409


def test_reads_tell_what_was_committed(desk: Desk) -> None:
    desk.send("load", *range(10))
    listed = desk.client.get("/series").json()
    assert [one["name"] for one in listed["series"]] == ["load"]
    assert listed["series"][0] | {"coverage": [], "alarms": []} == {
        "name": "load", "state": "forecasting", "seq": 10, "time": 9, "value": 9.0, "horizon": 2,
        "levels": [0.8, 0.95], "coverage": [], "alarms": [],
    }  # fmt: skip
    assert desk.client.get("/series/load").json() == listed["series"][0]
    forecast = desk.client.get("/series/load/forecast").json()
    assert (forecast["seq"], forecast["origin"], len(forecast["forecasts"])) == (10, 9, 2)
    recent = desk.client.get("/series/load/recent?count=3&step=2&level=0.8").json()
    assert [row["seq"] for row in recent["rows"]] == [8, 9, 10]
    assert recent["rows"][-1] | {"low": 0, "high": 0} == {
        "seq": 10, "time": 9, "value": 9.0, "mean": 7.0, "lower": 7.0 - 1.3 * 2**0.5, "upper": 7.0 + 1.3 * 2**0.5,
        "covered": False, "coverage": 0.0, "low": 0, "high": 0, "outcomes": 8,
    }  # fmt: skip
    assert [row["seq"] for row in desk.client.get("/series/load/recent?after=9").json()["rows"]] == [10]


def test_an_empty_series_can_be_looked_at(desk: Desk) -> None:
    assert desk.client.get("/series/load").json() == {"name": "load", "state": "gathering"}
    assert desk.client.get("/series/load/forecast").json() == {"name": "load", "seq": 0, "history": 0}
    assert desk.client.get("/series/load/recent").json()["rows"] == []


def test_missing_values_are_null_and_come_back_as_null(desk: Desk) -> None:
    desk.send("load", 1.0, None, 2.0)
    assert [row["value"] for row in desk.client.get("/series/load/recent").json()["rows"]] == [1.0, None, 2.0]


REFUSED: dict[str, tuple[str, str, Any, int, str]] = {
    "unknown series": ("POST", "/series/other/observations", {"value": 1}, 404, "there is no series 'other'"),
    "unknown series, read": ("GET", "/series/other/forecast", None, 404, "make it with PUT"),
    "unknown path": ("GET", "/nothing", None, 404, "Not Found"),
    "wrong method": ("DELETE", "/series/load", None, 405, "Method Not Allowed"),
    "bad name": ("PUT", "/series/a%0Ab", {}, 400, "a series needs a name"),
    "long name": ("GET", f"/series/{'a' * 201}/forecast", None, 400, "a series needs a name"),
    "few to gather": ("PUT", "/series/new", {"model": {"lags": 120, "degree": 1}, "horizon": 24, "gather": 200}, 400,
                      "gather 200 is too few"),
    "unknown field": ("POST", "/series/load/observations", {"vlaue": 1}, 400, "no field 'vlaue'"),
    "no value": ("POST", "/series/load/observations", {"time": 0}, 400, "has no value"),
    "text": ("POST", "/series/load/observations", {"value": "1"}, 400, "the value is a number"),
    "truth": ("POST", "/series/load/observations", {"value": True}, 400, "the value is a number"),
    "huge": ("POST", "/series/load/observations", {"value": 10**400}, 400, "larger than a double"),
    "bad seq": ("POST", "/series/load/observations", {"value": 1, "seq": 0}, 400, "seq must be at least 1"),
    "bad time": ("POST", "/series/load/observations", {"value": 1, "time": 1.5}, 400, "time is a text"),
    "second bad": ("POST", "/series/load/observations", [{"value": 1}, 2], 400, "observation 2 is a JSON object"),
    "none": ("POST", "/series/load/observations", [], 400, "1 to 10000 observations, got 0"),
    "unexpected time": ("POST", "/series/load/observations", {"value": 1, "time": 7}, 400, "time 0 is expected"),
    "unknown setting": ("PUT", "/series/new", {"horzion": 2}, 400, "did you mean 'horizon'"),
    "unknown option": ("PUT", "/series/new", {"model": {"lag": 2}}, 400, "did you mean 'lags'"),
    "text as lags": ("PUT", "/series/new", {"model": {"lags": "many"}}, 400, "must be a whole number"),
    "too many columns": ("PUT", "/series/new", {"model": {"lags": 300, "degree": 3}}, 400, "columns, and at most"),
    "bad periods": ("PUT", "/series/new", {"model": {"periods": [0]}}, 400, "each value of periods"),
    "no list": ("PUT", "/series/new", {"model": {"periods": 24}}, 400, "periods is a list"),
    "bad transform": ("PUT", "/series/new", {"model": {"transform": 3}}, 400, "transform"),
    "bad bound": ("PUT", "/series/new", {"model": {"lower": "0"}}, 400, "lower is a number"),
    "unknown method": ("PUT", "/series/new", {"method": "spilt"}, 400, "spilt"),
    "no levels": ("PUT", "/series/new", {"level": []}, 400, "level is a number or a list of 1 to 20 numbers"),
    "many levels": (
        "PUT", "/series/new", {"level": [n / 1001 for n in range(1, 1001)]}, 400,
        "of 1 to 20 numbers, got a list of 1000",
    ),
    "many steps times levels": (
        "PUT", "/series/new", {"level": [0.5, 0.8, 0.9], "horizon": 700}, 400,
        "horizon times levels must be at most 2000, got 700 times 3",
    ),
    "dots for a name": ("PUT", "/series/%2e%2e", {}, 400, "other than . and .."),
    "bad level": ("PUT", "/series/new", {"level": 1.5}, 400, "level must be in"),
    "bad horizon": ("PUT", "/series/new", {"horizon": 2.5}, 400, "horizon must be a whole number"),
    "long horizon": ("PUT", "/series/new", {"horizon": 10**9}, 400, "at most 1000"),
    "late": ("PUT", "/series/new", {"late": "perhaps"}, 400, "late must be"),
    "two histories": ("PUT", "/series/new", {"gather": 5, "history": [1]}, 400, "give one"),
    "bad history": ("PUT", "/series/new", {"history": [1, "x"]}, 400, "history, value 2"),
    "half timed": ("PUT", "/series/new", {"history": [{"time": "2026-01-01", "value": 1}, {"value": 2}]}, 400,
                   "objects that all have time"),
    "mixed history": ("PUT", "/series/new", {"history": [1, {"time": "2026-01-01", "value": 1}]}, 400, "all have time"),
    "history from nothing": ("PUT", "/series/new", {"history": [None, 1, 2]}, 400, "begins with a number"),
    "irregular history": ("PUT", "/series/new", {"history": [{"time": f"2026-01-{day:02d}", "value": day} for day in
                          (1, 2, 3, 4, 5, 9, 17)]}, 400, "2026-01"),
    "no settings": ("PUT", "/series/new", [], 400, "the settings is a JSON object"),
    "strange option": ("GET", "/series/load/recent?cuont=3", None, 400, "unknown option 'cuont'"),
    "bad count": ("GET", "/series/load/recent?count=x", None, 400, "count must be a whole number"),
    "no step": ("GET", "/series/load/recent?step=3", None, 400, "step must be from 1 to 2"),
    "no level": ("GET", "/series/load/recent?level=0.5", None, 400, "level must be one of 0.8, 0.95"),
    "no asset": ("GET", "/assets/secret.txt", None, 404, "there is no"),
}  # fmt: skip


@pytest.mark.parametrize("name", REFUSED)
def test_refusals_are_one_line_of_json_and_change_nothing(desk: Desk, name: str) -> None:
    method, path, body, status, words = REFUSED[name]
    desk.send("load", 0.5) if method == "GET" else None
    before = {series: len(kept) for series, kept in desk.session.kept.items()}
    answer = (
        desk.client.request(method, path, json=body)
        if body is not None
        else desk.client.request(method, path)
    )
    assert answer.status_code == status, answer.text
    assert words in answer.json()["error"]
    assert "\n" not in answer.json()["error"]
    assert {series: len(kept) for series, kept in desk.session.kept.items()} == before


def test_bodies_are_json_by_name_and_bounded(opened: Opener) -> None:
    desk = opened(largest=2000)
    desk.client.put("/series/load", json={"model": {"lags": 2}})
    form = desk.client.post("/series/load/observations", content=b'{"value": 1}')
    assert form.status_code == 415
    large = [{"value": 1.0}] * 500
    assert desk.client.post("/series/load/observations", json=large).status_code == 413

    async def pieces() -> Any:
        yield b"["
        for _ in range(500):
            yield b'{"value": 1.0},'

    # Without a length in its head.
    headers = {"Content-Type": "application/json"}
    chunked = desk.client.post("/series/load/observations", content=pieces(), headers=headers)
    assert chunked.status_code == 413
    assert "at most 2000 bytes" in chunked.json()["error"]
    assert desk.session.kept["load"] == []


def test_pages_and_assets_are_served_with_a_strict_policy(desk: Desk) -> None:
    for path in ("/", "/series/load/live", "/series/unknown/live"):
        answer = desk.client.get(path)
        assert answer.status_code == 200
        assert answer.headers["content-type"].startswith("text/html")
        policy = answer.headers["content-security-policy"]
        assert "script-src 'self'" in policy
        assert "unsafe" not in policy
        assert "<script>" not in answer.text
        assert " style=" not in answer.text
        for name in [part.split('"')[0].rsplit("/", 1)[-1] for part in answer.text.split("assets/")[1:]]:
            assert desk.client.get(f"/assets/{name}").status_code == 200
    assert (
        "access-control-allow-origin"
        not in desk.client.get("/series", headers={"Origin": "http://x.example"}).headers
    )


def test_a_defect_is_told_without_its_inside(opened: Opener) -> None:
    desk = opened(raising=False)
    desk.client.put("/series/load", json={"model": {"lags": 2}})
    desk.client.put("/series/wind", json={"model": {"lags": 2}})
    desk.session.broken = RuntimeError("secret of the inside")
    answer = desk.client.post("/series/load/observations", json={"value": 1.0})
    assert answer.status_code == 500
    assert answer.json() == {"error": "an internal error; the log of the service has it"}
    # That series waits for a new start; the others go on.
    desk.session.broken = None
    assert desk.client.post("/series/load/observations", json={"value": 1.0}).status_code == 503
    assert desk.client.post("/series/wind/observations", json={"value": 1.0}).status_code == 200
    assert desk.client.get("/health").json()["status"] == "degraded"
    assert "secret" not in desk.client.get("/series").json()["trouble"]


def test_names_are_those_that_the_state_takes(desk: Desk) -> None:
    for path in ("/series/wind%20east", "/series/Stra%C3%9Fe%20%231"):
        assert desk.client.get(path).status_code == 404
        assert desk.client.put(path, json={"model": {"lags": 2}}).status_code == 201
        assert desk.client.post(f"{path}/observations", json={"value": 1.0}).status_code == 200
        assert desk.client.get(f"{path}/live").status_code == 200
    assert [one["name"] for one in desk.client.get("/series").json()["series"]] == [
        "Straße #1", "load", "wind east",
    ]  # fmt: skip


def test_as_many_observations_are_gathered_as_the_model_needs() -> None:
    from ngrc.serve.orders import creation

    made = creation("load", {"model": {"lags": 120, "degree": 1}, "horizon": 24, "method": "rolling"})
    assert isinstance(made.history, int)
    made.forecaster.start([(n * n % 17) / 3.0 for n in range(made.history)])
    assert creation("load", {"model": {"lags": 2}}).history == 200
    assert creation("load", {}).history == 200


def test_others_are_answered_while_a_large_body_is_read(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    from threading import Event, Thread

    from ngrc.serve.strict_json import parse

    reading, go_on = Event(), Event()

    def slow(body: bytes) -> Any:
        reading.set()
        assert go_on.wait(60.0)
        return parse(body)

    monkeypatch.setattr("ngrc.serve.app.parse", slow)
    body = [{"value": float(n)} for n in range(2_000)]
    answers: list[Any] = []
    path = "/series/load/observations"
    sender = Thread(target=lambda: answers.append(desk.client.post(path, json=body)))
    sender.start()
    assert reading.wait(60.0)
    try:
        assert desk.client.get("/health").status_code == 200
    finally:
        go_on.set()
        sender.join(20.0)
    assert len(answers[0].json()) == 2_000
