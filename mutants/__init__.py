"""Errors planted in a copy of the source, one at a time, to see whether tests and `ngrc reproduce` notice them."""
