"""Tools for the tests of one's own forecasters: `assert_no_lookahead` changes the future and demands the same past."""

from ngrc.testing.entry import assert_no_lookahead

__all__ = ["assert_no_lookahead"]
