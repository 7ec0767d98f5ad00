"""Experiment 1: in fixed dimension the residual's shape decides whether the two intervals agree."""
