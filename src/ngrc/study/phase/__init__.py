"""Experiment 2: which interval is wider in proportional dimension, and what that does to coverage."""
