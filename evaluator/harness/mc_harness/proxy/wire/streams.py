"""Standard streams that test code puts in the place of the interpreter's own: for the time of a call the candidate uses
them in its box too."""

import io
import sys
from json import dumps

WRITTEN = ("stdout", "stderr")


class Streams:
    """What the streams are before the test code puts others in their place."""

    def __init__(self):
        self.own = {name: getattr(sys, name) for name in ("stdin", *WRITTEN)}
        self.start = None

    def before(self, leave):
        """What a request says of them."""
        replaced = {name: getattr(sys, name) for name in WRITTEN if getattr(sys, name) is not self.own[name]}
        places = {name: place_of(stream) for name, stream in replaced.items() if is_candidates(stream)}
        request = {"capture": [name for name in replaced if name not in places]}
        if places:
            request["streams"] = places
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


def is_candidates(stream):
    """Whether it is an object of the candidate's that the test code has put there."""
    return hasattr(type(stream), "_remote_of")


def place_of(stream):
    return [stream._remote_of, stream._remote_path]


class Redirected:
    """On the candidate's side: the test code's, for the time of a request, where it has replaced them; what is there
    may be the program's `own`, which has a place."""

    def __init__(self, request, own):
        written = request.get("capture", ())
        places = request.get("streams", {})
        self.own = {name: getattr(sys, name) for name in ("stdin", *written, *places)}
        self.given = None
        for name, place in places.items():
            setattr(sys, name, own(place))
        self.written = {name: io.StringIO() for name in written}
        for name, stream in self.written.items():
            setattr(sys, name, stream)
        if "stdin" in request:
            self.given = sys.stdin = io.StringIO(request["stdin"])

    def restore(self):
        for name, stream in self.own.items():
            setattr(sys, name, stream)

    def told_so_far(self):
        """What was written until now, as the end of a message in the middle."""
        written = {name: stream.getvalue() for name, stream in self.written.items()}
        for stream in self.written.values():
            stream.seek(0)
            stream.truncate()
        return ',"printed":%s' % dumps(written) if written else ""

    def told(self):
        """What became of them, as the end of a reply."""
        end = ""
        if self.given is not None:
            end += ',"read":%d' % self.given.tell()
        if self.written:
            end += ',"printed":%s' % dumps({name: stream.getvalue() for name, stream in self.written.items()})
        return end
