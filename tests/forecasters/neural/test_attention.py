"""The encoder against PyTorch's own layers, and the dropout against its definition."""

import math
from typing import Any

import pytest

from ngrc.forecasters.neural.attention import encode, thin

torch: Any = pytest.importorskip("torch", reason="neural forecasters need torch")


def _layers(count: int, width: int, heads: int) -> Any:
    layers = [
        torch.nn.TransformerEncoderLayer(width, heads, 7, 0.3, "gelu", batch_first=True, dtype=torch.float64)
        for _ in range(count)
    ]
    return torch.nn.ModuleList(layers)


@pytest.mark.parametrize(("count", "width", "heads"), [(1, 4, 1), (2, 4, 2), (3, 6, 3)])
def test_equals_torchs_causal_encoder_at_the_newest_position(count: int, width: int, heads: int) -> None:
    layers = _layers(count, width, heads).eval()
    embedded = torch.randn(5, 8, width, generator=torch.Generator().manual_seed(count), dtype=torch.float64)
    mask = torch.nn.Transformer.generate_square_subsequent_mask(8, dtype=torch.float64)
    reference = embedded
    for layer in layers:
        reference = layer(reference, src_mask=mask)
    assert torch.allclose(encode(torch, layers, embedded, 0.0), reference[:, -1], atol=1e-12)


def test_gradients_equal_those_of_torch() -> None:
    layers = _layers(2, 4, 2)
    for layer in layers:
        layer.dropout.p = layer.dropout1.p = layer.dropout2.p = layer.self_attn.dropout = 0.0
    embedded = torch.randn(3, 5, 4, generator=torch.Generator().manual_seed(1), dtype=torch.float64)
    mask = torch.nn.Transformer.generate_square_subsequent_mask(5, dtype=torch.float64)
    reference = layers[1](layers[0](embedded, src_mask=mask), src_mask=mask)[:, -1]
    weights = list(layers.parameters())
    expected = torch.autograd.grad(reference.square().sum(), weights)
    found = torch.autograd.grad(encode(torch, layers, embedded, 0.0).square().sum(), weights)
    assert all(torch.allclose(one, other, atol=1e-10) for one, other in zip(found, expected, strict=True))


@pytest.mark.parametrize("dropout", [0.1, 0.5, 0.9])
def test_dropped_share_and_mean_are_right(dropout: float) -> None:
    count = 200_001
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(0)
        thinned = thin(torch, torch.ones(count), dropout)
    dropped = float((thinned == 0).double().mean())
    error = math.sqrt(dropout * (1 - dropout) / count)
    assert abs(dropped - dropout) < 4 * error
    assert abs(float(thinned.double().mean()) - 1.0) < 4 * error / (1 - dropout)
    assert float(thinned.max()) == pytest.approx(1 / (1 - dropout), rel=1e-4)


def test_neighbouring_entries_are_dropped_independently() -> None:
    """Four entries share one 64-bit draw: their correlation must still be zero."""
    count = 400_000
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(1)
        dropped = (thin(torch, torch.ones(count), 0.1) == 0).double().view(-1, 4)
    assert float((dropped.mean(0) - 0.1).abs().max()) < 4.5 * math.sqrt(0.09 / (count // 4))
    correlation = torch.corrcoef(dropped.t()) - torch.eye(4, dtype=torch.float64)
    assert float(correlation.abs().max()) < 4.5 / math.sqrt(count // 4)


def test_no_dropout_returns_the_values_and_draws_nothing() -> None:
    values = torch.ones(3)
    state = torch.random.get_rng_state()
    assert thin(torch, values, 0.0) is values
    assert bool((state == torch.random.get_rng_state()).all())
