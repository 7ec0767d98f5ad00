"""A state for people."""


def show_state(state: str, name: str | None, as_json: bool) -> None:
    """Print."""
