"""Beyond the paper: every interval method beside the paper's six, on its forecasts and on the automatic model's."""
