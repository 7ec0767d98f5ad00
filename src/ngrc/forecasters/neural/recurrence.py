"""The last hidden state of a one-input GRU, with its gradient written out.

PyTorch records several dozen small operations per time step and plays them back one by one. Here the gates of
all steps are kept in four arrays and the gradient of each weight is one product at the end. The values are
those of `torch.nn.GRU`.
"""

from collections.abc import Callable
from functools import cache
from typing import Any


def states(
    torch: Any, windows: Any, input_weight: Any, state_weight: Any, input_bias: Any, state_bias: Any
) -> tuple[Any, Any, Any, Any]:
    """Gates and states of every step (torch.nn.GRU's equations, reset gate r, update gate z).

    r, z = sigmoid(W_i x + b_i + W_h h + b_h),  n = tanh(W_in x + b_in + r q),  q = W_hn h + b_hn,
    h' = (1 - z) n + z h,  h = 0 at the start.

    Parameters
    ----------
    windows
        Inputs, oldest first, shape (rows, steps).
    input_weight, state_weight, input_bias, state_bias
        Shapes (3h, 1), (3h, h), (3h,), (3h,), in the order r, z, n.

    Returns
    -------
    tuple
        r and z side by side (steps, rows, 2h), n and q (steps, rows, h), h before and after every step
        (steps + 1, rows, h).
    """
    rows, steps = windows.shape
    hidden = state_weight.shape[1]
    # The state's bias joins the input's for r and z; that of n stays apart, as r multiplies it (q above).
    bias = input_bias + torch.cat([state_bias[: 2 * hidden], torch.zeros_like(state_bias[2 * hidden :])])
    driven = windows.t().unsqueeze(-1) * input_weight[:, 0] + bias
    # Contiguous copies, as the loop writes into them in place.
    gates = driven[:, :, : 2 * hidden].contiguous()
    proposed = driven[:, :, 2 * hidden :].contiguous()
    carried = torch.empty_like(proposed)
    state = windows.new_zeros(steps + 1, rows, hidden)
    gate_weight = state_weight[: 2 * hidden].t().contiguous()
    carry_weight, carry_bias = state_weight[2 * hidden :].t().contiguous(), state_bias[2 * hidden :]
    every_step = zip(
        gates.unbind(0),
        proposed.unbind(0),
        carried.unbind(0),
        state[:-1].unbind(0),
        state[1:].unbind(0),
        strict=True,
    )
    # torch.lerp(n, h, z) is n + z (h - n) = (1 - z) n + z h.
    for gate, n, q, before, after in every_step:
        gate.addmm_(before, gate_weight).sigmoid_()
        torch.addmm(carry_bias, before, carry_weight, out=q)
        n.addcmul_(gate[:, :hidden], q).tanh_()
        torch.lerp(n, before, gate[:, hidden:], out=after)
    return gates, proposed, carried, state


def gradients(
    torch: Any, windows: Any, state_weight: Any, gates: Any, n: Any, q: Any, state: Any, last: Any
) -> tuple[Any, Any, Any, Any]:
    """Gradients of the four weight arrays, given that of the last state.

    With g = dL/dh' at a step: dz = g (h - n) z (1 - z), dn = g (1 - z)(1 - n^2), dr = dn q r (1 - r),
    dq = dn r, and dL/dh = g z + [dr dz dq] W_h. All but g is known beforehand, so only g is sequential.
    """
    steps, rows, hidden = n.shape
    r, z, before = gates[:, :, :hidden], gates[:, :, hidden:], state[:-1]
    open_z = 1 - z
    slope_n = open_z * (1 - n * n)
    slopes = torch.stack([slope_n * q * r * (1 - r), (before - n) * z * open_z, slope_n * r], dim=2)
    flows = torch.empty_like(slopes)
    passed = torch.empty_like(n)
    backwards = zip(
        slopes.unbind(0), flows.unbind(0), flows.view(steps, rows, 3 * hidden).unbind(0), passed.unbind(0),
        z.contiguous().unbind(0), strict=True,
    )  # fmt: skip
    # Backwards in time; `kept` stores g at each step for dn, which goes to the input without the factor r.
    g = last
    for slope, flow, flat, kept, update in reversed(list(backwards)):
        kept.copy_(g)
        torch.mul(slope, g.unsqueeze(1), out=flow)
        g = torch.addmm(g * update, flat, state_weight)
    to_state = flows.view(steps * rows, 3 * hidden)
    to_input = torch.cat([to_state[:, : 2 * hidden], (passed * slope_n).view(steps * rows, hidden)], dim=1)
    return (
        to_input.t() @ windows.t().reshape(-1, 1),
        to_state.t() @ before.reshape(-1, hidden),
        to_input.sum(0),
        to_state.sum(0),
    )


# One class per torch module, made when it is first needed: PyTorch is optional.
@cache
def last_state(torch: Any) -> Callable[..., Any]:
    """A differentiable function (windows, four weight arrays) -> last state, shape (rows, h)."""

    class LastState(torch.autograd.Function):  # type: ignore[misc]
        @staticmethod
        def forward(ctx: Any, windows: Any, *weights: Any) -> Any:
            gates, n, q, state = states(torch, windows, *weights)
            ctx.save_for_backward(windows, weights[1], gates, n, q, state)
            # A copy: the output must not share memory with what is saved for the gradient.
            return state[-1].clone()

        @staticmethod
        def backward(ctx: Any, last: Any) -> tuple[Any, ...]:
            windows, state_weight, gates, n, q, state = ctx.saved_tensors
            return (None, *gradients(torch, windows, state_weight, gates, n, q, state, last))

    apply: Callable[..., Any] = LastState.apply
    return apply
