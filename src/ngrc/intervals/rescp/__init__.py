"""Reservoir Conformal Prediction: residuals weighted by how alike the reservoir states were in which they arose.

    w_j proportional to (j - first) exp(cos(h_t, h_j) / T),  j in the window of known residuals

`reservoir` and `states` turn residuals into states, `block` makes similarities of them (products of blocks of states),
and the kernels of `src/kernels/rescp` make interval ends of those, one row per query, so that a whole block and a
single query pass through the same arithmetic. `method` is the shell, `tracker` its state between two observations.
"""

from ngrc.intervals.rescp.method import ResCP

__all__ = ["ResCP"]
