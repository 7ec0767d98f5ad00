"""What may come of any input: a value of finite numbers, or one clear line; soon, and in little memory."""

import contextlib
import faulthandler
import resource
import signal
import sys
import warnings
from collections.abc import Callable, Iterator
from types import FrameType

from tests.fuzz.wording import DefectError, check_error

Call = Callable[[bytes], None]

SECONDS = 10
"""Of processor time for one input of at most 128 kB: the slowest takes some hundred milliseconds."""
WAITING = 60
"""Seconds on the clock: a machine may be busy with something else."""
KILOBYTES = 600_000
"""By which one input may raise the peak of the process: libraries loaded late, and the arrays of a wide grid."""


class SlowError(BaseException):
    """The time is over; no handler of `Exception` on the way may take it for a fault of the input."""


def judge(call: Call, data: bytes) -> str | None:
    """The one line by which an input is refused, None where it is taken; `DefectError` for anything else."""
    before = _peak()
    try:
        with warnings.catch_warnings(), within(SECONDS, WAITING):
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


@contextlib.contextmanager
def within(seconds: float, waiting: float) -> Iterator[None]:
    """Raise `SlowError` after that time; where no Python code runs to hear of it, end the process with its traces."""

    def over(_: int, __: FrameType | None) -> None:
        raise SlowError

    earlier = [signal.signal(number, over) for number in (signal.SIGPROF, signal.SIGALRM)]
    signal.setitimer(signal.ITIMER_PROF, seconds)
    signal.setitimer(signal.ITIMER_REAL, waiting)
    faulthandler.dump_traceback_later(2 * waiting, exit=True)
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
