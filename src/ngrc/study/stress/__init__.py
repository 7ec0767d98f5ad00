"""Beyond the paper: every interval method on simulated residuals, from exchangeable ones to an adversary's."""
