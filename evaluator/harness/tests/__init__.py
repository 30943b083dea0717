"""Unit tests of the harness, for any CPython that judges."""
