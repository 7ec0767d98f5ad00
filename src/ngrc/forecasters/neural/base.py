"""The shell that every neural forecaster shares: rows in, one trained network, forecasts out."""

from abc import abstractmethod
from typing import Any, ClassVar

import numpy as np

from ngrc._optional import load
from ngrc._types import FloatArray
from ngrc.features.delays import delay_columns
from ngrc.forecasters.neural.training import Training, evaluate, own_torch_state, train
from ngrc.forecasters.standardised import StandardisedForecaster
from ngrc.validation import check_count


class NeuralForecaster(StandardisedForecaster):
    """A network that reads the last `lookback` standardised observations.

    A subclass says how to `build` its network and how the network maps windows to forecasts (`forward`).
    """

    lookback: int
    training: Training
    progress: bool
    least_rows: ClassVar[int] = 2

    @abstractmethod
    def build(self, torch: Any) -> Any:
        """A network with fresh weights, drawn from PyTorch's current generator."""

    @abstractmethod
    def forward(self, torch: Any, network: Any, windows: Any) -> Any:
        """Forecasts, shape (rows,), of standardised windows, oldest first, shape (rows, lookback)."""

    @property
    def first_target(self) -> int:
        """Smallest time with a full history, (lookback - 1) + H."""
        return check_count(self.lookback, "lookback") - 1 + check_count(self.horizon, "horizon")

    def _learn(self, z: FloatArray, targets: range) -> None:
        torch = self._torch()
        self.network_, self.record_ = train(
            torch,
            lambda: self.build(torch),
            lambda network, windows: self.forward(torch, network, windows),
            self._windows(z, targets),
            z[targets.start :],
            horizon=self.horizon,
            training=self.training,
            progress=self.progress,
        )
        self.notes_ = (self.record_.summary,)

    def _forecast(self, z: FloatArray, targets: range) -> FloatArray:
        torch = self._torch()
        windows = torch.as_tensor(self._windows(z, targets), dtype=torch.float32)
        with own_torch_state(torch):
            outputs = evaluate(
                torch, self.network_, lambda network, rows: self.forward(torch, network, rows), windows
            )
        forecasts: FloatArray = outputs.numpy().astype(np.float64)
        return forecasts

    def _windows(self, z: FloatArray, targets: range) -> FloatArray:
        origins = targets.start - self.horizon, targets.stop - self.horizon
        # Delays come newest first; networks read oldest first, and PyTorch takes no negative strides.
        return np.ascontiguousarray(delay_columns(z, *origins, self.lookback)[:, ::-1])

    def _torch(self) -> Any:
        return load("torch", "neural", type(self).__name__)
