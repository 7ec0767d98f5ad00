"""Experiment 3: quadratic features, diffuseness and finite traces."""
