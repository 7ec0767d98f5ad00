"""A panel in memory, answered in this process or by several."""

from functools import partial
from itertools import count

from ngrc._optional import load
from ngrc._progress import tell
from ngrc.panel.answers import Answers, answer_all, joined
from ngrc.panel.engines import Processes
from ngrc.panel.rows import Panel
from ngrc.panel.task import Task

SHARES = 16
"""Chunks per process: the last ones to finish then wait for a sixteenth of the work at most."""
MOST_ROWS = 100_000
"""Rows of a chunk at most, so that progress is told of often; shipping them takes a millisecond."""


def answers_of(panel: Panel, task: Task, jobs: int) -> Answers:
    """Answers in the order of the series, however many processes there are."""
    # Before the first series: a wrong number of jobs is refused without waiting.
    pool = None if jobs == 1 else Processes(jobs)
    stages = count(1)

    def told(times: int = 1) -> None:
        for _ in range(times):
            tell("series", next(stages), len(panel))

    if pool is None or len(panel) < 2:
        return answer_all(panel, task, told)
    rows = int(panel.observed.starts[-1])
    chunks = list(panel.chunks(min(rows // (_processes(jobs) * SHARES) + 1, MOST_ROWS)))
    answered: list[Answers | None] = [None] * len(chunks)
    for place, answers in pool.map(partial(answer_all, task=task), chunks):
        answered[place] = answers
        told(answers.counts.size)
    return joined([answers for answers in answered if answers is not None])


def _processes(jobs: int) -> int:
    return int(load("joblib", "panel", "jobs other than 1").effective_n_jobs(jobs))
