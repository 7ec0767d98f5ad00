"""One GRU layer and a linear readout of its last state."""

from typing import Any

from ngrc.forecasters.neural.base import NeuralForecaster
from ngrc.forecasters.neural.recurrence import last_state
from ngrc.forecasters.neural.training import Training
from ngrc.validation import check_count


class GRU(NeuralForecaster):
    """Gated recurrent unit over the last `lookback` observations.

    Parameters
    ----------
    lookback
        Observations that the network reads; the paper takes the NGRC delay length.
    horizon
        Forecast horizon H.
    hidden
        Units of the hidden state.
    training
        Training settings, the paper's by default.
    progress
        Draw a bar that moves with every epoch.

    Attributes
    ----------
    network_, record_
        The trained PyTorch modules, and the losses of each epoch.
    notes_
        One line on how the training went.
    scale_
        `Scale` that standardises the series.

    Examples
    --------
    >>> GRU(lookback=14, horizon=3).first_target
    16
    """

    def __init__(
        self,
        lookback: int,
        *,
        horizon: int = 1,
        hidden: int = 32,
        training: Training = Training(),  # noqa: B008 (frozen)
        progress: bool = False,
    ) -> None:
        self.lookback = lookback
        self.horizon = horizon
        self.hidden = hidden
        self.training = training
        self.progress = progress

    def build(self, torch: Any) -> Any:
        """`recurrent`, a GRU of one input, and `readout`, linear."""
        hidden = check_count(self.hidden, "hidden")
        return torch.nn.ModuleDict(
            {
                "recurrent": torch.nn.GRU(1, hidden, batch_first=True),
                "readout": torch.nn.Linear(hidden, 1),
            }
        )

    def forward(self, torch: Any, network: Any, windows: Any) -> Any:
        """Linear readout of the state after the newest observation."""
        cell = network["recurrent"]
        state = last_state(torch)(
            windows, cell.weight_ih_l0, cell.weight_hh_l0, cell.bias_ih_l0, cell.bias_hh_l0
        )
        return network["readout"](state).squeeze(-1)
