"""What Prometheus reads; made anew at each reading from the counts and the board, so that nothing is kept twice."""

from collections.abc import Iterator, Mapping
from itertools import accumulate
from time import time

from prometheus_client import CollectorRegistry
from prometheus_client.core import (
    CounterMetricFamily,
    GaugeMetricFamily,
    HistogramMetricFamily,
    Metric,
)
from prometheus_client.exposition import CONTENT_TYPE_LATEST, generate_latest
from prometheus_client.registry import Collector

from ngrc.serve.answers import level_name
from ngrc.serve.board import Board
from ngrc.serve.tally import COMMIT_SECONDS, Durations, Tally
from ngrc.serve.worker import Worker

CONTENT_TYPE = CONTENT_TYPE_LATEST


class Metrics(Collector):
    """All metrics of one service."""

    def __init__(self, board: Board, tally: Tally, worker: Worker) -> None:
        self.board, self.tally, self.worker = board, tally, worker
        # Its own: the one that the library shares would mix the services of one process.
        self.registry = CollectorRegistry()
        self.registry.register(self)

    def text(self) -> bytes:
        """The page that Prometheus fetches."""
        return generate_latest(self.registry)

    def collect(self) -> Iterator[Metric]:
        """Every family."""
        tally = self.tally
        yield _counts("ngrc_observations", "Observations taken and committed.", "series", tally.observations)
        yield _counts("ngrc_observations_repeated", "Observations known already.", "series", tally.repeated)
        yield _counts("ngrc_observations_missing", "Observations without a value.", "series", tally.missing)
        yield _counts("ngrc_observations_late", "Observations of earlier times.", "series", tally.late)
        yield _counts("ngrc_forecasts", "Forecasts issued, one per step.", "series", tally.forecasts)
        yield _counts("ngrc_errors", "Requests and commits that failed.", "kind", tally.errors)
        commits = sum(tally.commits.counts)
        yield CounterMetricFamily("ngrc_commits", "Transactions that kept observations.", value=commits)
        yield _durations("ngrc_commit_seconds", "Seconds per transaction.", tally.commits)
        yield GaugeMetricFamily("ngrc_queue_length", "Observations that wait.", value=self.worker.length)
        yield GaugeMetricFamily("ngrc_queue_limit", "Observations that may wait.", value=self.worker.most)
        degraded = self.worker.trouble is not None
        yield GaugeMetricFamily("ngrc_degraded", "1 while nothing can be committed.", value=float(degraded))
        yield self._ages()
        yield from self._coverage()

    def _ages(self) -> Metric:
        family = GaugeMetricFamily(
            "ngrc_last_observation_age_seconds", "Seconds since an observation came.", labels=["series"]
        )
        now = time()
        for name, heard in self.board.heard().items():
            family.add_metric([name], max(0.0, now - heard))
        return family

    def _coverage(self) -> Iterator[Metric]:
        labels = ["series", "step", "level"]
        share = GaugeMetricFamily("ngrc_coverage_ratio", "Trailing coverage.", labels=labels)
        outcomes = GaugeMetricFamily("ngrc_coverage_outcomes", "Outcomes that it counts.", labels=labels)
        alarm = GaugeMetricFamily(
            "ngrc_coverage_alarm", "1 where it is further from its level than chance takes it.", labels=labels
        )
        for name, step, level, judged in self.board.judgements():
            labelled = [name, str(step), level_name(level)]
            share.add_metric(labelled, judged.coverage)
            outcomes.add_metric(labelled, judged.outcomes)
            alarm.add_metric(labelled, float(judged.state != "within"))
        yield from (share, outcomes, alarm)


def _counts(name: str, words: str, label: str, counts: Mapping[str, int]) -> Metric:
    family = CounterMetricFamily(name, words, labels=[label])
    # A copy in one step, as the worker adds to it meanwhile.
    for key, count in sorted(dict(counts).items()):
        family.add_metric([key], count)
    return family


def _durations(name: str, words: str, durations: Durations) -> Metric:
    family = HistogramMetricFamily(name, words)
    ends = [*(str(end) for end in COMMIT_SECONDS), "+Inf"]
    family.add_metric([], list(zip(ends, accumulate(durations.counts), strict=True)), durations.total)
    return family
