"""Speed beside the peers: `make bench` runs both sides of every comparison in one process, one BLAS thread."""
