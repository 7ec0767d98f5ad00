"""Training by mean absolute error, Adam and chronological early stopping (paper, appendix, point baselines).

Readings of what the paper leaves open: with H > 1 the early-stopping rows start H - 1 targets after the last
training row, as in the penalty choice of NGRC; the validation loss is the mean over all those rows after each
epoch; the weights that are kept are those of the last epoch that counted as an improvement. The seed is
PyTorch's; NumPy draws nothing here.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from copy import deepcopy
from dataclasses import dataclass
from typing import Any

import numpy as np

from ngrc._shares import share
from ngrc._types import FloatArray
from ngrc.forecasters.neural.progress import epoch_bar
from ngrc.validation import check_count, check_positive

CHUNK = 1024
"""Rows that a forward pass outside training takes at once: a bound on its memory, of which attention takes
rows x heads x lookback^2 numbers per layer."""

Network = Any
Forward = Callable[[Network, Any], Any]


@dataclass(frozen=True, slots=True)
class Training:
    """How a network is trained; the defaults are the paper's.

    Parameters
    ----------
    epochs, batch, learning_rate
        Most epochs, rows per step in chronological order, and Adam's step size.
    held_out, patience, improvement
        The last `held_out` share of the fit rows decides when to stop: after `patience` epochs in which its
        loss has not fallen by more than `improvement`.
    seed
        Seed of the initial weights and of dropout.
    """

    # Paper, appendix "Additional Point-Forecasting Baselines".
    epochs: int = 200
    batch: int = 32
    learning_rate: float = 1e-3
    held_out: float = 0.2
    patience: int = 20
    improvement: float = 1e-7
    seed: int = 123

    def __post_init__(self) -> None:
        for name in ("epochs", "batch", "patience"):
            check_count(getattr(self, name), name)
        check_count(self.seed, "seed", minimum=0)
        check_positive(self.learning_rate, "learning_rate")
        if not 0.0 < self.held_out < 1.0:
            raise ValueError(f"held_out must be a share in (0, 1), got {self.held_out!r}; the paper's is 0.2")
        if not self.improvement >= 0.0:
            raise ValueError(f"improvement must be at least zero, got {self.improvement!r}")

    def blocks(self, rows: int, horizon: int) -> tuple[slice, slice]:
        """Training rows and early-stopping rows, with H - 1 rows between them."""
        # The forecasts of the first H - 1 rows after the training rows were made before these were all observed.
        inner = share(1.0 - self.held_out, rows)
        start = inner + horizon - 1
        if inner < 1 or start >= rows:
            raise ValueError(
                f"{rows} fit rows leave {inner} to train on and none to stop by at horizon {horizon}; "
                "give more observations"
            )
        return slice(0, inner), slice(start, rows)


@dataclass(frozen=True, slots=True)
class TrainingRecord:
    """Loss of each epoch on the training rows (while learning) and on the early-stopping rows (after it).

    `best` is the epoch, counted from zero, whose weights were kept.
    """

    training_loss: FloatArray
    validation_loss: FloatArray
    best: int

    @property
    def summary(self) -> str:
        """One line for reports."""
        loss = self.validation_loss[self.best]
        return (
            f"{self.validation_loss.size} epochs, weights of epoch {self.best + 1}, "
            f"validation loss {loss:.6f}"
        )


@contextmanager
def own_torch_state(torch: Any, seed: int = 0) -> Iterator[None]:
    """One thread and a generator of our own; the caller's random state and thread count come back afterwards.

    One thread, because the matrices are too small to share and the order of sums then never changes.
    """
    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    try:
        with torch.random.fork_rng(devices=[]):
            torch.manual_seed(seed)
            yield
    finally:
        torch.set_num_threads(threads)


def train(
    torch: Any,
    build: Callable[[], Network],
    forward: Forward,
    windows: FloatArray,
    targets: FloatArray,
    *,
    horizon: int,
    training: Training,
    progress: bool = False,
) -> tuple[Network, TrainingRecord]:
    """Train a network on rows in chronological order and return it with its best weights, ready to evaluate.

    Parameters
    ----------
    torch
        The PyTorch module.
    build, forward
        `build()` makes a network with fresh weights; `forward(network, windows)` maps a (rows, lookback)
        tensor to (rows,) forecasts.
    windows, targets
        Standardised histories, oldest first, shape (rows, lookback), and their outcomes, shape (rows,).
    horizon
        Forecast horizon H.
    training
        Settings.
    progress
        Draw a bar that moves with every epoch.
    """
    learn, judge = training.blocks(len(targets), horizon)
    inputs = torch.as_tensor(windows, dtype=torch.float32)
    outcomes = torch.as_tensor(targets, dtype=torch.float32)
    batches = [
        (inputs[learn][at : at + training.batch], outcomes[learn][at : at + training.batch])
        # In time order and never shuffled: the order is part of what the seed makes repeatable.
        for at in range(0, learn.stop, training.batch)
    ]
    with own_torch_state(torch, training.seed), epoch_bar(training.epochs, progress) as advance:
        network = build().float()
        # Fused: one call per step for all weights, as networks this small spend their time in calls.
        optimizer = torch.optim.Adam(network.parameters(), lr=training.learning_rate, fused=True)

        def one_epoch() -> tuple[float, float]:
            learned = _learn_once(network, forward, optimizer, batches)
            errors = evaluate(torch, network, forward, inputs[judge]) - outcomes[judge]
            judged = float(errors.abs().mean())
            advance(judged)
            return learned, judged

        record = _until_no_better(network, one_epoch, training)
    return network.eval(), record


def _until_no_better(
    network: Network, one_epoch: Callable[[], tuple[float, float]], training: Training
) -> TrainingRecord:
    """Run epochs until the validation loss has stopped falling, then put the best weights back."""
    best_loss, best = np.inf, 0
    weights: Any = None
    losses = []
    for epoch in range(training.epochs):
        losses.append(one_epoch())
        if losses[-1][1] < best_loss - training.improvement:
            best_loss, best, weights = losses[-1][1], epoch, deepcopy(network.state_dict())
        elif epoch - best >= training.patience:
            break
    # A NaN loss is below nothing, so that only a training without one finite loss ends here.
    if weights is None:
        raise ValueError(
            "training diverged: no epoch had a finite loss; lower learning_rate or check the scale"
        )
    network.load_state_dict(weights)
    learned, judged = np.array(losses).T
    return TrainingRecord(learned, judged, best)


def _learn_once(network: Network, forward: Forward, optimizer: Any, batches: list[tuple[Any, Any]]) -> float:
    """One pass over the batches in order; the mean absolute error met on the way."""
    network.train()
    total, rows = 0.0, 0
    for inputs, outcomes in batches:
        optimizer.zero_grad()
        loss = (forward(network, inputs) - outcomes).abs().mean()
        loss.backward()
        optimizer.step()
        # The last batch may be shorter: means are weighted by their rows.
        total += float(loss.detach()) * len(outcomes)
        rows += len(outcomes)
    return total / rows


def evaluate(torch: Any, network: Network, forward: Forward, inputs: Any) -> Any:
    """Forecasts of a (rows, lookback) tensor without dropout or gradients, shape (rows,)."""
    network.eval()
    with torch.no_grad():
        return torch.cat([forward(network, chunk) for chunk in inputs.split(CHUNK)])
