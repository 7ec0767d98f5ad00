"""What several simulation experiments share: ridge on simulated designs, finite-sample truths, distances."""
