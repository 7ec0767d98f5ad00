"""What is asked of every series of a panel, as a value that any engine can ship."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal, NamedTuple, Protocol

from ngrc._types import AnyArray
from ngrc.panel.layout import Layout
from ngrc.panel.one import Recorded, recorded
from ngrc.panel.rows import Panel

Kind = Literal["time", "float", "int", "text"]


class Field(NamedTuple):
    """A column of the answer."""

    name: str
    kind: Kind


class Work(Protocol):
    """What is done to one series: a frozen value of plain parameters."""

    def fields(self, layout: Layout) -> tuple[Field, ...]:
        """Columns of the answer after the id, known before anything runs."""

    def answer(self, record: Recorded, layout: Layout) -> Mapping[str, AnyArray]:
        """The columns of one series, all of one length; `ValueError` where it cannot be had."""


@dataclass(frozen=True, slots=True)
class Task:
    """Columns to read, what to do with each series, and whether it is put on a regular grid first.

    Examples
    --------
    >>> from ngrc import NGRC
    >>> from ngrc.panel import Forecasting
    >>> task = Task(Forecasting(horizon=2, level=(0.9,), model=NGRC(lags=3)))
    >>> [field.name for field in task.fields]
    ['ds', 'NGRC', 'NGRC-lo-90', 'NGRC-hi-90']
    """

    work: Work
    layout: Layout = Layout()  # noqa: RUF009 (frozen)
    resample: bool = False

    @property
    def fields(self) -> tuple[Field, ...]:
        """Columns of the answer after the id."""
        return self.work.fields(self.layout)

    def answer(self, one: Panel) -> Mapping[str, AnyArray]:
        """The columns of a panel of one series."""
        return self.work.answer(recorded(one, self.layout, self.resample), self.layout)
