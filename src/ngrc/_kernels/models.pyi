"""`src/kernels/models`."""
