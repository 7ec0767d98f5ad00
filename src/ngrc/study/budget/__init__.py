"""Experiment 5: fitting against calibration at a fixed budget of observations."""
