"""`python -m mutants [--only NAME ...] [--quick] [--skip-reproduce] [--jobs N] [--list]`."""

import sys

from mutants.command import main

if __name__ == "__main__":
    sys.exit(main())
