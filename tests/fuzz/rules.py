"""What may come of any input: a value of finite numbers, or one clear line; soon, and in little memory."""

import contextlib
import faulthandler
import re
import resource
import signal
import sys
import warnings
from collections.abc import Callable, Iterator
from types import FrameType

Call = Callable[[bytes], None]

LONGEST_MESSAGE = 500
SECONDS = 10
"""Of processor time for one input of at most 64 kB: the slowest takes some hundred milliseconds."""
WAITING = 60
"""Seconds on the clock: a machine may be busy with something else."""
KILOBYTES = 600_000
"""By which one input may raise the peak of the process: libraries loaded late, and the arrays of a wide grid."""
# What people cannot use: where an object lay in memory, a trace, the inside of another library's message.
_INSIDE = re.compile(r" at 0x[0-9a-f]{6,}|Traceback|<class '|panicked at|\.rs:[0-9]+|File \"")


class DefectError(AssertionError):
    """An outcome that no input may have."""


class SlowError(BaseException):
    """The time is over; no handler of `Exception` on the way may take it for a fault of the input."""


def judge(call: Call, data: bytes) -> str | None:
    """The one line by which an input is refused, None where it is taken; `DefectError` for anything else."""
    before = _peak()
    try:
        with warnings.catch_warnings(), within(SECONDS):
            warnings.simplefilter("error")
            call(data)
    except DefectError:
        raise
    except ValueError as error:
        check_error(error)
        return str(error)
    except SlowError:
        raise DefectError(f"no outcome within {SECONDS} s of work") from None
    # Panics of libraries in Rust are no `Exception`.
    except BaseException as error:
        if isinstance(error, KeyboardInterrupt | SystemExit):
            raise
        raise DefectError(f"{type(error).__name__}: {error}") from error
    finally:
        grown = _peak() - before
    if grown > KILOBYTES:
        raise DefectError(f"{grown:,} kB for {len(data):,} bytes of input")
    return None


def check_error(error: ValueError) -> None:
    """Refuse an error that is not ours, or that is no line for people."""
    if type(error) is not ValueError and not type(error).__module__.startswith("ngrc"):
        raise DefectError(f"a {type(error).__name__} that nobody put into words: {error}") from error
    check_line(str(error))


def check_line(line: str) -> None:
    """Refuse what is no line for people: empty, broken into several, endless, or from inside."""
    if not line.strip() or "\n" in line or "\r" in line:
        raise DefectError(f"no single line: {line!r}")
    if len(line) > LONGEST_MESSAGE:
        raise DefectError(f"a line of {len(line)} characters: {line[:LONGEST_MESSAGE]}...")
    if not line.isprintable():
        raise DefectError(f"signs that no terminal shows: {line!r}")
    found = _INSIDE.search(line)
    if found:
        raise DefectError(f"{found[0]!r} in: {line}")


@contextlib.contextmanager
def within(seconds: float) -> Iterator[None]:
    """Raise `SlowError` after that time; where no Python code runs to hear of it, end the process with its traces."""

    def over(_: int, __: FrameType | None) -> None:
        raise SlowError

    earlier = [signal.signal(number, over) for number in (signal.SIGPROF, signal.SIGALRM)]
    signal.setitimer(signal.ITIMER_PROF, seconds)
    signal.setitimer(signal.ITIMER_REAL, WAITING)
    faulthandler.dump_traceback_later(2 * WAITING, exit=True, file=sys.__stderr__)
    try:
        yield
    finally:
        faulthandler.cancel_dump_traceback_later()
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.setitimer(signal.ITIMER_REAL, 0)
        for number, handler in zip((signal.SIGPROF, signal.SIGALRM), earlier, strict=True):
            signal.signal(number, handler)


def _peak() -> int:
    """The most memory that the process has had, in kilobytes."""
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak // 1024 if sys.platform == "darwin" else peak
