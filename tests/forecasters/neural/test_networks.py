"""The two architectures: their size as the paper states it, what they read, and that they learn."""

from typing import Any

import numpy as np
import pytest

from ngrc._types import FloatArray
from ngrc.forecasters import GRU, Training, Transformer

torch: Any = pytest.importorskip("torch", reason="neural forecasters need torch")


def wave(size: int = 160) -> FloatArray:
    time = np.arange(size)
    values: FloatArray = 4.0 + 2.0 * np.sin(0.4 * time) + 0.05 * np.random.default_rng(0).normal(size=size)
    return values


def parameters(network: Any) -> int:
    return sum(weight.numel() for weight in network.parameters())


def test_the_gru_has_the_papers_size() -> None:
    cell, readout = 3 * (32 * 1 + 32 * 32 + 32 + 32), 32 + 1
    assert parameters(GRU(36).build(torch)) == cell + readout
    assert parameters(GRU(36, hidden=3).build(torch)) == 3 * (3 + 9 + 3 + 3) + 4


def test_the_transformer_has_the_papers_size() -> None:
    attention = 4 * (32 * 32 + 32)
    feedforward = (32 * 64 + 64) + (64 * 32 + 32)
    layer = attention + feedforward + 2 * 64
    assert parameters(Transformer(36).build(torch)) == (32 + 32) + 36 * 32 + 3 * layer + (32 + 1)
    assert Transformer(36).dropout == 0.1
    smaller = Transformer(5, width=4, heads=1, feedforward=3, layers=1).build(torch)
    assert parameters(smaller) == 8 + 20 + (80 + 15 + 16 + 16) + 5


@pytest.mark.parametrize("model", [GRU(4, hidden=3), Transformer(4, width=4, layers=2)])
def test_the_newest_and_the_oldest_observation_both_matter(model: Any) -> None:
    network = model.build(torch).eval()
    windows = torch.zeros(3, 4)
    windows[1, 0] = 1.0
    windows[2, -1] = 1.0
    with torch.no_grad():
        outputs = model.forward(torch, network, windows)
    assert outputs.shape == (3,)
    assert len(set(outputs.tolist())) == 3


def test_positions_are_learned_and_matter() -> None:
    model = Transformer(4, width=4, layers=1)
    network = model.build(torch).eval()
    windows = torch.tensor([[1.0, 2.0, 0.0, 3.0], [2.0, 1.0, 0.0, 3.0]])
    with torch.no_grad():
        assert float(model.forward(torch, network, windows).diff().abs()) > 0
        network["positions"].weight.zero_()
        assert float(model.forward(torch, network, windows).diff().abs()) < 1e-6
    assert network["positions"].weight.requires_grad


def test_dropout_acts_in_training_only() -> None:
    model = Transformer(4, width=8, layers=2, dropout=0.5)
    network = model.build(torch)
    windows = torch.ones(64, 4)
    with torch.no_grad():
        assert model.forward(torch, network.train(), windows).std() > 1e-3
        assert model.forward(torch, network.eval(), windows).std() < 1e-6
        still = Transformer(4, width=8, layers=2, dropout=0.0)
        assert still.forward(torch, network.train(), windows).std() < 1e-6


@pytest.mark.parametrize("horizon", [1, 2])
@pytest.mark.parametrize(
    "make",
    [
        lambda horizon, training: GRU(6, hidden=8, horizon=horizon, training=training),
        lambda horizon, training: Transformer(
            6, width=8, feedforward=8, layers=1, dropout=0.0, horizon=horizon, training=training
        ),
    ],
)
def test_a_wave_is_learned_better_than_its_last_value(make: Any, horizon: int) -> None:
    y = wave()
    model = make(horizon, Training(epochs=30, learning_rate=0.02, batch=16)).fit(y[:120])
    errors = (y - model.predict(y))[120:]
    repeated = y[120:] - y[120 - horizon : -horizon]
    assert np.sqrt(np.mean(errors**2)) < 0.5 * np.sqrt(np.mean(repeated**2))
    kept = model.record_.validation_loss[model.record_.best]
    assert model.notes_[0].endswith(f"weights of epoch {model.record_.best + 1}, validation loss {kept:.6f}")


def test_first_leaves_earlier_rows_out() -> None:
    y = wave()
    training = Training(epochs=2, batch=16)
    late = GRU(3, hidden=3, training=training).fit(y, first=60, scale=(4.0, 1.5)).predict(y)
    alone = GRU(3, hidden=3, training=training).fit(y[57:], scale=(4.0, 1.5)).predict(y)
    assert np.array_equal(late, alone, equal_nan=True)
    assert not np.allclose(
        late[3:], GRU(3, hidden=3, training=training).fit(y, scale=(4.0, 1.5)).predict(y)[3:]
    )


def test_results_do_not_depend_on_the_callers_generator() -> None:
    y = wave()
    model = Transformer(3, width=4, layers=2, training=Training(epochs=2))
    plain = model.fit(y).predict(y)
    torch.rand(7)
    assert np.array_equal(plain, model.fit(y).predict(y), equal_nan=True)


@pytest.mark.parametrize(
    ("model", "words"),
    [
        (GRU(0), "lookback must be"),
        (GRU(3, hidden=0), "hidden must be"),
        (Transformer(3, width=5, heads=2), "width must be a multiple of heads, got 5 and 2"),
        (Transformer(3, dropout=1.0), "dropout must be a probability below 1"),
        (Transformer(3, layers=0), "layers must be"),
        (Transformer(3, feedforward=-1), "feedforward must be"),
    ],
)
def test_bad_parameters_are_refused(model: Any, words: str) -> None:
    with pytest.raises(ValueError, match=words):
        model.fit(wave())
