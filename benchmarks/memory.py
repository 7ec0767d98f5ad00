"""The largest resident set of this process."""

import sys
from pathlib import Path


def peak_bytes() -> int:
    """Bytes; from the kernel's own mark, as `getrusage` hands a child the peak of the parent it came from."""
    status = Path("/proc/self/status")
    if status.is_file():
        line = next(line for line in status.read_text().splitlines() if line.startswith("VmHWM"))
        return 1024 * int(line.split()[1])
    import resource

    unit = 1 if sys.platform == "darwin" else 1024
    return unit * resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
