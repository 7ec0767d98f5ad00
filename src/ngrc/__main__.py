"""`python -m ngrc`: the command-line tool."""

from ngrc.cli import main

if __name__ == "__main__":
    main()
