"""`python -m benchmarks [--quick] [--only NAME]`."""

import os

if __name__ == "__main__":
    # One thread on both sides and in child processes; libraries read this when they are first imported.
    for variable in ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS", "POLARS_MAX_THREADS"):
        os.environ[variable] = "1"
    from benchmarks.command import main

    main()
