"""Experiment 3, supplement: separated windows and absolute-regularity penalties."""
