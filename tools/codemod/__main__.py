"""`python -m tools.codemod COMMAND [--root FOLDER] [--only GLOB ...] [--group NAME ...]`."""

import sys

from tools.codemod.command import main

if __name__ == "__main__":
    sys.exit(main())
