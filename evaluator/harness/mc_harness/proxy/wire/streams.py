"""Standard streams that test code puts in the place of the interpreter's own: for the time of a call the candidate uses
them in its box too."""

import io
import sys
from json import dumps

WRITTEN = ("stdout", "stderr")
# What the program may leave in the place of a stream that is none of its own: what was there; what the interpreter
# began with, where the test code had another; and nothing.
PUT = BACK, OTHER, NONE = "back", "other", "none"


class Streams:
    """What the streams are before the test code puts others in their place."""

    def __init__(self):
        self.own = {name: getattr(sys, name) for name in ("stdin", *WRITTEN)}
        self.start = None
        # What the candidate has put in the place of each, one in that of another, with what was there.
        self.theirs = {name: [] for name in WRITTEN}

    def before(self, leave):
        """What a request says of them."""
        replaced = {name: getattr(sys, name) for name in WRITTEN if getattr(sys, name) is not self.own[name]}
        places = {name: place_of(stream) for name, stream in replaced.items() if is_candidates(stream)}
        # What the candidate puts in the place of a stream may write to that.
        within = [name for name in WRITTEN if self.theirs[name] and self.outermost(name) is not self.own[name]]
        request = {"capture": [name for name in replaced if name not in places or name in within]}
        if places:
            request["streams"] = places
        if sys.stdin is not self.own["stdin"]:
            try:
                self.start = sys.stdin.tell()
                request["stdin"] = sys.stdin.read()
            except (AttributeError, OSError, TypeError):
                leave("unshieldable", "the test code replaces sys.stdin by what is no file")
        return request

    def after(self, reply, stand_in=None):
        """Write what the candidate wrote, and leave what it did not read. Where it is entering a context, the test code
        writes within that to what the candidate puts in the place of a stream, for which `stand_in` makes one."""
        put = {name: reply["put"][name] for name in WRITTEN if name in reply.get("put", ())}
        for name, told in put.items():
            self.go_back(name, told)
        for name, text in reply.get("printed", {}).items():
            self.outermost(name).write(text)
        for name, told in put.items():
            if told not in PUT and stand_in is not None and not self.is_theirs(name, int(told)):
                theirs = stand_in(int(told), "sys." + name)
                self.theirs[name].append((theirs, getattr(sys, name)))
                setattr(sys, name, theirs)
        if "read" in reply and self.start is not None:
            sys.stdin.seek(self.start + reply["read"])

    def is_theirs(self, name, handle):
        """Whether the candidate's stream with a handle is in the place of one."""
        return any(theirs._remote_of == handle for theirs, _ in self.theirs[name])

    def go_back(self, name, told):
        """The candidate puts back what it took the place of: its own stream with a handle, or the test code's; or in
        that place what the interpreter began with, or nothing."""
        is_there = bool(self.theirs[name])
        while self.theirs[name] and (told in PUT or self.is_theirs(name, told)):
            theirs, before = self.theirs[name][-1]
            if theirs._remote_of == told:
                return
            self.theirs[name].pop()
            if getattr(sys, name) is theirs:
                setattr(sys, name, before)
        if is_there and told in (OTHER, NONE):
            setattr(sys, name, self.own[name] if told == OTHER else None)

    def outermost(self, name):
        """The test code's stream, in the place of which the candidate's may be."""
        return self.theirs[name][0][1] if self.theirs[name] else getattr(sys, name)


def is_candidates(stream):
    """Whether it is an object of the candidate's that the test code has put there."""
    return hasattr(type(stream), "_remote_of")


def place_of(stream):
    return [stream._remote_of, stream._remote_path]


class Captured:
    """On the candidate's side: the streams in which it is captured what the program writes, and those of its own."""

    def __init__(self):
        self.own = {name: getattr(sys, name) for name in WRITTEN}
        self.streams = {name: io.StringIO() for name in WRITTEN}

    def is_programs(self, name, stream):
        return stream is not None and stream is not self.own[name] and stream is not self.streams[name]

    def taken(self, name):
        """What was written there since this was last asked."""
        stream = self.streams[name]
        text = stream.getvalue()
        stream.seek(0)
        stream.truncate()
        return text


class Redirected:
    """On the candidate's side: the test code's, for the time of a request, where it has replaced them; what is there
    may be the program's `own`, which has a place. What the program itself puts there stays."""

    def __init__(self, request, own, captured):
        places = request.get("streams", {})
        self.captured, self.written = captured, request.get("capture", ())
        self.before = {name: getattr(sys, name) for name in ("stdin", *WRITTEN)}
        self.given = None
        for name, place in places.items():
            setattr(sys, name, own(place))
        for name in self.written:
            captured.taken(name)
            if name not in places:
                setattr(sys, name, captured.streams[name])
        if "stdin" in request:
            self.given = sys.stdin = io.StringIO(request["stdin"])
        self.begun = {name: getattr(sys, name) for name in WRITTEN}
        # What the program put in the place of a stream meanwhile, or whether it put that back.
        self.put = {}

    def restore(self):
        sys.stdin = self.before["stdin"]
        for name in WRITTEN:
            stream = getattr(sys, name)
            if stream is self.begun[name]:
                setattr(sys, name, self.before[name])
            elif self.captured.is_programs(name, stream):
                self.put[name] = stream
            else:
                # Another than that which the test code has there is not what was there before.
                is_other = stream is None or name in self.written and stream is self.captured.own[name]
                self.put[name] = BACK if not is_other else NONE if stream is None else OTHER
                setattr(sys, name, self.captured.own[name])

    def told_so_far(self):
        """What was written until now, as the end of a message in the middle."""
        written = {name: self.captured.taken(name) for name in self.written}
        return ',"printed":%s' % dumps(written) if written else ""

    def told(self, keep):
        """What became of them, as the end of a reply; `keep` gives the handle of one."""
        end = ""
        if self.given is not None:
            end += ',"read":%d' % self.given.tell()
        if self.put:
            told = {name: put if type(put) is str else keep(put) for name, put in self.put.items()}
            end += ',"put":%s' % dumps(told)
        return end + self.told_so_far()
