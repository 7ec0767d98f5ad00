"""The hyperparameters that the paper selected at 95 %, on the fit and calibration blocks."""

from typing import Literal, NamedTuple, TypeAlias

from ngrc.study.harness.printed import Printed, printed

Window: TypeAlias = int | Literal["all", "fifo"]
"""A residual history as ResCP takes it."""

TABLE = "tab:real_selected_hyperparameters"


class Selection(NamedTuple):
    """One row: ridge penalty, rate of adaptive CP, decay of time-weighted CP, temperature and window of ResCP."""

    ridge: Printed
    rate: Printed
    decay: Printed
    temperature: Printed
    window: Window


_TEXT = """
ozone    1 0.03  0.001 0.999 0.10 3200
ozone    3 1     0.001 0.999 0.10 all
ozone    7 0.3   0.001 0.999 0.25 3800
solar    1 0.001 0.05  0.95  0.05 all
solar    3 0.001 0.001 0.999 0.05 7600
solar    7 0.001 0.001 0.999 0.05 7600
beijing  1 0.003 0.05  0.95  0.10 all
beijing  3 0.001 0.02  0.95  0.15 all
beijing  7 0.001 0.01  0.99  0.15 all
exchange 1 10    0.01  0.95  0.15 1500
exchange 3 10    0.02  0.95  0.25 100
exchange 7 10    0.01  0.95  0.15 1000
"""


def _read(text: str) -> dict[tuple[str, int], Selection]:
    rows = {}
    for line in text.strip().splitlines():
        dataset, horizon, *cells, window = line.split()
        size: Window = "all" if window == "all" else int(window)
        ridge, rate, decay, temperature = map(printed, cells)
        rows[dataset, int(horizon)] = Selection(ridge, rate, decay, temperature, size)
    return rows


SELECTED = _read(_TEXT)
"""By dataset and horizon."""
