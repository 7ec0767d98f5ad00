"""The automatic model: a map chosen inside its own past."""
