"""Lines in, lines out: a durable series at the end of a pipe."""
