"""A model and its intervals in service, one observation at a time."""
