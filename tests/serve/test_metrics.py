"""What Prometheus reads, parsed by its own reader."""

from typing import Any

from tests.serve.conftest import Desk, Opener


def read(desk: Desk) -> dict[tuple[str, tuple[tuple[str, str], ...]], float]:
    from prometheus_client.parser import text_string_to_metric_families

    answer = desk.client.get("/metrics")
    assert answer.headers["content-type"].startswith("text/plain; version=")
    families: list[Any] = list(text_string_to_metric_families(answer.text))
    return {
        (one.name, tuple(sorted(one.labels.items()))): one.value
        for family in families
        for one in family.samples
    }


def test_counts_follow_what_happened(desk: Desk) -> None:
    load = (("series", "load"),)
    desk.send("load", 1.0, None, 2.0, 3.0)
    desk.client.post("/series/load/observations", json={"value": 1.0, "seq": 1})
    desk.client.post("/series/load/observations", json={"value": 9.0, "seq": 1})
    desk.client.get("/series/none")
    seen = read(desk)
    assert seen["ngrc_observations_total", load] == 4
    assert seen["ngrc_observations_repeated_total", load] == 1
    assert seen["ngrc_observations_missing_total", load] == 1
    assert seen["ngrc_observations_late_total", load] == 0
    assert seen["ngrc_forecasts_total", load] == 8
    assert seen["ngrc_errors_total", (("kind", "conflict"),)] == 1
    assert seen["ngrc_errors_total", (("kind", "unknown"),)] == 1
    assert seen["ngrc_commits_total", ()] == desk.session.commits
    assert seen["ngrc_commit_seconds_count", ()] == desk.session.commits
    assert seen["ngrc_commit_seconds_bucket", (("le", "+Inf"),)] == desk.session.commits
    assert seen["ngrc_queue_length", ()] == 0
    assert seen["ngrc_degraded", ()] == 0
    assert 0 <= seen["ngrc_last_observation_age_seconds", load] < 60


def test_coverage_is_told_by_series_step_and_level(desk: Desk) -> None:
    desk.send("load", *(100.0 * (n % 2) for n in range(60)))
    seen = read(desk)
    labels = (("level", "0.95"), ("series", "load"), ("step", "1"))
    assert seen["ngrc_coverage_ratio", labels] == 0.0
    assert seen["ngrc_coverage_outcomes", labels] == 59
    assert seen["ngrc_coverage_alarm", labels] == 1
    assert seen["ngrc_coverage_ratio", (("level", "0.95"), ("series", "load"), ("step", "2"))] == 1.0


def test_two_services_of_one_process_count_apart(opened: Opener) -> None:
    one, other = opened(), opened()
    for desk in (one, other):
        desk.client.put("/series/load", json={"model": {"lags": 2}})
    one.send("load", 1.0)
    assert ("ngrc_observations_total", (("series", "load"),)) in read(one)
    assert ("ngrc_observations_total", (("series", "load"),)) not in read(other)
