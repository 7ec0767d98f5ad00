"""Experiment 4: online robustness in a nonlinear Volterra system, and the demonstration on it."""
