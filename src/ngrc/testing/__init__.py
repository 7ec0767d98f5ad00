"""Tools for the tests of one's own forecasters."""
