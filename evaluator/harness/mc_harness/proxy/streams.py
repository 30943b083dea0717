"""The standard streams of the test code that the candidate is to use while it is called."""

import builtins
import sys


class Streams:
    """What the streams and `input` are before the test code puts others in their place."""

    def __init__(self):
        self.stdin, self.stdout, self.input = sys.stdin, sys.stdout, builtins.input
        self.start = None

    def before(self, leave):
        """What a request says of them."""
        request = {}
        if builtins.input is not self.input:
            leave("unshieldable", "the test code replaces input")
        if sys.stdout is not self.stdout:
            request["capture"] = True
        if sys.stdin is not self.stdin:
            self.start = sys.stdin.tell()
            request["stdin"] = sys.stdin.read()
        return request

    def after(self, reply):
        """Write what the candidate wrote, and leave what it did not read."""
        if "printed" in reply:
            sys.stdout.write(reply["printed"])
        if "read" in reply and self.start is not None:
            sys.stdin.seek(self.start + reply["read"])
