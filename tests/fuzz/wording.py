"""What an error may look like: one line for people."""

import re

LONGEST = 500
# What people cannot use: where an object lay in memory, a trace, the inside of another library.
_INSIDE = re.compile(r" at 0x[0-9a-f]{6,}|Traceback|<class '|panicked at|\.rs:[0-9]+|File \"|Errno")


class DefectError(AssertionError):
    """An outcome that no input may have."""


def check_error(error: ValueError) -> None:
    """Refuse an error that is not ours, or that is no line for people."""
    if type(error) is not ValueError and not type(error).__module__.startswith("ngrc"):
        raise DefectError(f"a {type(error).__name__} that nobody put into words: {error}") from error
    check_line(str(error))


def check_line(line: str) -> None:
    """Refuse what is no line for people: empty, broken into several, endless, or from inside."""
    if not line.strip() or "\n" in line or "\r" in line:
        raise DefectError(f"no single line: {line!r}")
    if len(line) > LONGEST:
        raise DefectError(f"a line of {len(line)} characters: {line[:LONGEST]}...")
    if not line.isprintable():
        raise DefectError(f"signs that no terminal shows: {line!r}")
    found = _INSIDE.search(line)
    if found:
        raise DefectError(f"{found[0]!r} in: {line}")
