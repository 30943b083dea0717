"""Standard streams that test code puts in the place of the interpreter's own: for the time of a call the candidate uses
them in its box too."""

import sys

WRITTEN = ("stdout", "stderr")


class Streams:
    """What the streams are before the test code puts others in their place."""

    def __init__(self):
        self.own = {name: getattr(sys, name) for name in ("stdin", *WRITTEN)}
        self.start = None

    def before(self, leave):
        """What a request says of them."""
        request = {"capture": [name for name in WRITTEN if getattr(sys, name) is not self.own[name]]}
        if sys.stdin is not self.own["stdin"]:
            try:
                self.start = sys.stdin.tell()
                request["stdin"] = sys.stdin.read()
            except (AttributeError, OSError, TypeError):
                leave("unshieldable", "the test code replaces sys.stdin by what is no file")
        return request

    def after(self, reply):
        """Write what the candidate wrote, and leave what it did not read."""
        for name, text in reply.get("printed", {}).items():
            getattr(sys, name).write(text)
        if "read" in reply and self.start is not None:
            sys.stdin.seek(self.start + reply["read"])
