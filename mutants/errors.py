"""What stops a run: a patch that does not fit, or a child that ran other code than it should."""


class SetupError(Exception):
    """The run cannot say anything: exit code 2, and one line that says why."""
