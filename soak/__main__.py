"""`python -m soak [--seconds N] [--state sqlite|postgresql|URL] [--seed N]`."""

import os
import signal
import sys

if __name__ == "__main__":
    # One thread, here and in the children; libraries read this when they are first imported.
    for variable in ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS", "POLARS_MAX_THREADS"):
        os.environ.setdefault(variable, "1")
    # Stopped from outside, servers and folders are cleared away all the same.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    from soak.command import main

    sys.exit(main())
