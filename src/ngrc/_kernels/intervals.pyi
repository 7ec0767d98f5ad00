"""`src/kernels/intervals`."""
