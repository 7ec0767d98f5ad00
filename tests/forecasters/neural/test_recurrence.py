"""The written-out GRU against PyTorch's own."""

from typing import Any

import pytest

from ngrc.forecasters.neural.recurrence import last_state

torch: Any = pytest.importorskip("torch", reason="neural forecasters need torch")


@pytest.mark.parametrize(("rows", "steps", "hidden"), [(1, 1, 1), (3, 2, 4), (7, 9, 5)])
def test_states_and_gradients_equal_those_of_torch(rows: int, steps: int, hidden: int) -> None:
    generator = torch.Generator().manual_seed(rows)
    cell = torch.nn.GRU(1, hidden, batch_first=True).double()
    weights = [cell.weight_ih_l0, cell.weight_hh_l0, cell.bias_ih_l0, cell.bias_hh_l0]
    windows = torch.randn(rows, steps, generator=generator, dtype=torch.float64)
    upstream = torch.randn(rows, hidden, generator=generator, dtype=torch.float64)
    reference = cell(windows.unsqueeze(-1))[1][0]
    ours = last_state(torch)(windows, *weights)
    assert torch.allclose(ours, reference, atol=1e-13)
    expected = torch.autograd.grad((reference * upstream).sum(), weights)
    found = torch.autograd.grad((ours * upstream).sum(), weights)
    for one, other in zip(found, expected, strict=True):
        assert one.shape == other.shape
        assert torch.allclose(one, other, atol=1e-12)


def test_inputs_are_left_as_they_were() -> None:
    windows = torch.ones(2, 3)
    weights = [torch.ones(6, 1), torch.ones(6, 2), torch.ones(6), torch.ones(6)]
    last_state(torch)(windows, *weights)
    assert all(bool((tensor == 1).all()) for tensor in (windows, *weights))
