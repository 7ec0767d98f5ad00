"""`src/kernels/auto`."""
