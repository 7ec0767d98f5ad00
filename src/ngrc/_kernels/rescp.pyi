"""`src/kernels/rescp`."""
