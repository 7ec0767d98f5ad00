"""What several simulation experiments share: windows and trials, finite-sample truths, distances."""
