"""A small causal Transformer encoder and a linear readout at the newest position."""

from typing import Any

from ngrc.forecasters.neural.attention import encode
from ngrc.forecasters.neural.base import NeuralForecaster
from ngrc.forecasters.neural.training import Training
from ngrc.validation import check_count


class Transformer(NeuralForecaster):
    """Causal Transformer over the last `lookback` observations.

    Parameters
    ----------
    lookback
        Observations that the network reads; the paper takes the NGRC delay length.
    horizon
        Forecast horizon H.
    width, heads, feedforward, layers
        Embedding dimension, attention heads that share it, feed-forward units, and encoder layers.
    dropout
        Probability with which an activation or attention weight is dropped while training.
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

    Notes
    -----
    The paper does not say how the learned positions start, nor where the layers normalise: here they start at
    N(0, 1) as in `torch.nn.Embedding`, and the layers normalise after each block as in
    `torch.nn.TransformerEncoderLayer`.

    Examples
    --------
    >>> Transformer(lookback=24).first_target
    24
    """

    def __init__(
        self,
        lookback: int,
        *,
        horizon: int = 1,
        width: int = 32,
        heads: int = 2,
        feedforward: int = 64,
        layers: int = 3,
        dropout: float = 0.1,
        training: Training = Training(),  # noqa: B008 (frozen)
        progress: bool = False,
    ) -> None:
        self.lookback = lookback
        self.horizon = horizon
        self.width = width
        self.heads = heads
        self.feedforward = feedforward
        self.layers = layers
        self.dropout = dropout
        self.training = training
        self.progress = progress

    def build(self, torch: Any) -> Any:
        """`embedding` of a scalar, learned `positions`, encoder `layers`, linear `readout`."""
        for name in ("width", "heads", "feedforward", "layers"):
            check_count(getattr(self, name), name)
        if self.width % self.heads:
            raise ValueError(f"width must be a multiple of heads, got {self.width} and {self.heads}")
        if not 0.0 <= self.dropout < 1.0:
            raise ValueError(f"dropout must be a probability below 1, got {self.dropout!r}")
        # Built in this order, as each layer draws its weights from the one generator.
        nn = torch.nn
        layers = [
            nn.TransformerEncoderLayer(
                self.width, self.heads, self.feedforward, self.dropout, "gelu", batch_first=True
            )
            for _ in range(self.layers)
        ]
        return nn.ModuleDict(
            {
                "embedding": nn.Linear(1, self.width),
                "positions": nn.Embedding(self.lookback, self.width),
                "layers": nn.ModuleList(layers),
                "readout": nn.Linear(self.width, 1),
            }
        )

    def forward(self, torch: Any, network: Any, windows: Any) -> Any:
        """Linear readout of the representation at the newest position."""
        embedded = network["embedding"](windows.unsqueeze(-1)) + network["positions"].weight
        newest = encode(torch, network["layers"], embedded, self.dropout if network.training else 0.0)
        return network["readout"](newest).squeeze(-1)
