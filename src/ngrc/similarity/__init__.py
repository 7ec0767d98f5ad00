"""Quantiles of residuals weighted by how alike the states were in which they arose.

    w_j proportional to (j - first) exp(cos(h_t, h_j) / T),  j in the window of known residuals

Similarities come as products of blocks of states; everything after them runs in compiled kernels, one row at a
time, so that a whole block and a single query pass through the same arithmetic.
"""
