"""`src/kernels/local`."""
