"""Answers of many series as columns, and the reasons of those that gave none."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from ngrc._frames import Frame
from ngrc._progress import hushed
from ngrc._threads import one_thread
from ngrc._types import AnyArray, IntArray
from ngrc.panel.rows import Panel
from ngrc.panel.task import Task


@dataclass(frozen=True, slots=True, eq=False)
class Answers:
    """Rows of several series, one series after the other.

    Parameters
    ----------
    columns
        By name, all of one length.
    counts
        Rows of each series, shape (series,); zero of one that failed.
    errors
        Reasons by the number of the series.
    """

    columns: Mapping[str, AnyArray]
    counts: IntArray
    errors: Mapping[int, str]

    @property
    def series(self) -> IntArray:
        """The number of the series of every row."""
        return np.repeat(np.arange(self.counts.size), self.counts)


class PanelWarning(UserWarning):
    """Some series of a panel gave no answer."""


@dataclass(frozen=True, slots=True)
class Answer:
    """A frame of answers, and of the series that gave none a frame of ids and reasons."""

    frame: Frame
    failures: Frame = field(repr=False)
    """One row per series without an answer: its id, and the reason in the column `error`."""


def answer_all(panel: Panel, task: Task, done: Callable[[], Any] = lambda: None) -> Answers:
    """Ask each series for itself; one that fails leaves its reason, and the others go on.

    `done` is called after each series.
    """
    found, errors, counts = list[Mapping[str, AnyArray]](), dict[int, str](), np.zeros(len(panel), np.int64)
    # One thread for all engines alike: with another number of threads sums differ in their last bits.
    with one_thread():
        for place, one in enumerate(panel):
            try:
                with hushed():
                    columns = task.answer(one)
            # Not ValueError alone: whatever a series does to a model, it is this series' misfortune.
            except Exception as error:
                errors[place] = reason(error)
            else:
                found.append(columns)
                counts[place] = len(next(iter(columns.values())))
            done()
    return Answers(_stacked(found), counts, errors)


def joined(parts: Iterable[Answers]) -> Answers:
    """Answers of neighbouring parts of a panel as one."""
    several = list(parts)
    errors, before = dict[int, str](), 0
    for part in several:
        errors |= {before + place: words for place, words in part.errors.items()}
        before += part.counts.size
    counts = np.concatenate([part.counts for part in several]) if several else np.zeros(0, np.int64)
    return Answers(_stacked([part.columns for part in several if part.columns]), counts, errors)


def reason(error: Exception) -> str:
    """What a failure says, in one line; what is no refusal of ours is named by its kind."""
    words = " ".join(str(error).split())
    return words if isinstance(error, ValueError) else f"{type(error).__name__}: {words}"


def _stacked(found: list[Mapping[str, AnyArray]]) -> dict[str, AnyArray]:
    if not found:
        return {}
    return {name: np.concatenate([columns[name] for columns in found]) for name in found[0]}
