"""Beyond the paper: the automatic model, told the horizon and nothing else, on the paper's split."""
