"""`python -m soak [--seconds N] [--state sqlite|postgresql|URL] [--seed N]`."""

import os
import sys

if __name__ == "__main__":
    # One thread, here and in the children; libraries read this when they are first imported.
    for variable in ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS", "POLARS_MAX_THREADS"):
        os.environ.setdefault(variable, "1")
    from soak.command import main

    sys.exit(main())
