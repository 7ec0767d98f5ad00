"""Beyond the paper: what the columns of the library's own map bring on the paper's split."""
