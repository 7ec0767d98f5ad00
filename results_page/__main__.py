"""`python -m results_page [--results FOLDER] [--accuracy FOLDER] [--out FILE]`."""

import sys

from results_page.command import main

if __name__ == "__main__":
    sys.exit(main())
