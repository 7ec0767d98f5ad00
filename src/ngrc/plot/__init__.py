"""Figures; matplotlib is the optional extra `ngrc[plot]` and is imported when a figure is drawn."""
