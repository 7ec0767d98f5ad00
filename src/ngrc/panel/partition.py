"""A partition to a partition: the one pure function that every engine runs."""

from typing import Any

import narwhals as nw

from ngrc.panel.answers import answer_all
from ngrc.panel.frames import read_panel
from ngrc.panel.outward import partition_frame
from ngrc.panel.task import Task


def partition(frame: Any, task: Task) -> Any:
    """Answer every series of a partition; what comes out depends on nothing else.

    Parameters
    ----------
    frame
        A pandas or polars frame or an Arrow table, with all rows of each of its series.
    task
        What to do.

    Returns
    -------
    Any
        The same kind of frame: id, the task's columns, and `error`. A series that failed has one row with its id and
        the reason, and missing values elsewhere; all others have a missing `error`. Rows are in the order of the first
        rows of the series, failures last. The types follow from those of `frame` alone, so that a partition without
        rows tells an engine what will come.

    Examples
    --------
    >>> import polars as pl
    >>> from ngrc import NGRC
    >>> from ngrc.panel import Forecasting
    >>> frame = pl.DataFrame({"unique_id": ["a"] * 50 + ["b"], "ds": [*range(50), 0], "y": [*range(50), 1]})
    >>> partition(frame, Task(Forecasting(2, model=NGRC(lags=1), method="split"))).select("unique_id", "ds").rows()
    [('a', 50), ('a', 51), ('b', None)]
    """
    narwhal = nw.from_native(frame, eager_only=True)
    arrow = narwhal.implementation.is_pyarrow()
    if arrow:
        import polars as pl

        frame = pl.from_arrow(frame.select(list(task.layout.names)))
    ids, panel, columns = read_panel(frame, task.layout)
    answers = answer_all(panel, task)
    answered = partition_frame(answers, ids, columns.get_column(task.layout.time), task)
    return answered.to_arrow() if arrow else answered
