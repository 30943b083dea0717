"""The test code's end of the channel: it asks, and turns the answers into what test code can hold.

What comes from the candidate is checked here, as it arrives: a reply that makes no sense is the candidate's doing
whatever the test code would make of it.
"""

import _thread
import builtins
from json import dumps, loads
from time import monotonic

from .. import encoding
from ..decoding import decode
from ..encoding import Refused
from .arguments import Arguments
from .channel import MESSAGE, Channel
from .ending import leave
from .outgoing import Outgoing
from .remote import Function, Guarded
from .streams import Streams

# Exceptions that the interpreter takes for the end of an iteration, so that `all(map(candidate, cases))` would pass on
# the first.
SILENT = ("StopIteration", "StopAsyncIteration")
NONSENSE = "it sent a reply that makes no sense"


class Link:
    """What all stand-ins of one test code ask through.

    `named` are the names that the test code uses, `objects` the chains of those things of the candidate's that are
    known to be objects, not plain data; `in_place` says of a function whether it is to change its arguments."""

    def __init__(self, named, channel=None, objects=(), in_place=None):
        self.channel = channel or Channel()
        self.named = named
        self.objects = set(objects)
        self.in_place = in_place or (lambda path: True)
        self.streams = Streams()
        self.lock = _thread.allocate_lock()
        # Replies to calls that the test code left before they came back.
        self.owed = 0
        # Whether the test code has asked something of the candidate.
        self.asked = False
        # The test code's names, and what of them the candidate has as plain data.
        self.namespace, self.values = {}, {}
        self.errors = {}
        self.stand_ins = {}

    def leave(self, kind, reason, **more):
        leave(kind, reason, **more)

    def ask(self, **request):
        """The candidate's reply, unless that is an exception of its own."""
        with self.lock:
            reply = self.exchange(dumps(request))
        if not isinstance(reply, dict):
            self.leave("candidate", NONSENSE)
        if "raised" in reply:
            raise self.checked(lambda: self.error(*reply["raised"]))
        return reply

    def exchange(self, message):
        start = monotonic()
        try:
            self.channel.send(message)
            self.owed += 1
            line = None
            while self.owed:
                line = self.channel.receive()
                self.owed -= 1
                if line is None:
                    break
        except ConnectionError:
            line = None
        except UnicodeDecodeError:
            self.leave("candidate", NONSENSE)
        if line is None:
            self.leave("candidate", "the program ended before its tests did", waited=monotonic() - start)
        return self.checked(lambda: loads(line))

    def checked(self, read):
        """What `read` makes of a reply."""
        try:
            return read()
        except (ArithmeticError, AttributeError, LookupError, RecursionError, TypeError, ValueError):
            self.leave("candidate", NONSENSE)

    def get(self, of, path, chain):
        """What the candidate has under `path`: in its module, or in the object of a handle."""
        self.asked = True
        return self.fetch(of, path, chain)

    def fetch(self, of, path, chain):
        reply = self.ask(op="get", of=of, path=path)
        if "value" in reply:
            return self.checked(lambda: decode(reply["value"]))
        return (Function if "callable" in reply else Guarded)(self, of, path, chain)

    def set(self, of, path, name, value):
        self.asked = True
        self.ask(op="set", of=of, path=path, name=name, value=self.sendable(value))

    def truth(self, of, path):
        self.asked = True
        return self.ask(op="truth", of=of, path=path).get("value") is True

    def is_instance(self, value, kind):
        self.asked = True
        request = {"op": "is_instance", "value": self.sendable(value), "kind": self.sendable(kind)}
        return self.ask(**request).get("value") is True

    def signature(self, of, path):
        from .signature import read

        self.asked = True
        reply = self.ask(op="signature", of=of, path=path)
        return self.checked(lambda: read(reply["value"]))

    def take(self, namespace, names):
        """Put what the candidate has under these names into the test code's namespace; those of them that it lacks."""
        self.namespace = namespace
        reply = self.ask(op="kinds", names=names)
        kinds = self.checked(lambda: dict(zip(names, reply["kinds"])))
        # An exception after those that it derives from.
        for name, kind in sorted(kinds.items(), key=lambda item: len(item[1] or "")):
            if kind is not None:
                self.checked(lambda name=name, kind=kind: self.hold(name, kind))
        return {name for name in names if kinds[name] is None}

    def hold(self, name, kind):
        if type(kind) is list:
            self.namespace[name] = self.errors[kind[0]] = self.error_class(kind)
        elif kind == "value":
            self.values[name] = self.namespace[name] = self.fetch(None, name, name)
        else:
            self.namespace[name] = (Function if kind == "callable" else Guarded)(self, None, name, name)

    def error_class(self, bases):
        """A class for one of the candidate's, given the names of that and of its bases."""
        if getattr(builtins, bases[0], None) in (Exception, *Exception.__subclasses__()):
            return getattr(builtins, bases[0])
        base = next(filter(None, map(self.known, bases[1:])), Exception)
        return type(bases[0], (base,), {})

    def refresh(self):
        """A call may have changed what the candidate has under a name. What the test code has bound since stays."""
        for name, last in self.values.items():
            if self.namespace.get(name) is last:
                self.values[name] = self.namespace[name] = self.fetch(None, name, name)

    def known(self, name):
        """The exception class of this name: one that the test code took from the candidate, or a builtin. One that
        would end an iteration of the test code unseen only if that names it."""
        if name in self.errors:
            return self.errors[name]
        kind = getattr(builtins, name, None)
        known = isinstance(kind, type) and issubclass(kind, Exception)
        return kind if known and (name not in SILENT or name in self.named) else None

    def error(self, name, message, bases, arguments):
        """The candidate's exception as one of the nearest class that the test code knows, marked as the candidate's."""
        name, message = name[:MESSAGE], message[:MESSAGE]
        error = None
        for kind in filter(None, map(self.known, bases)):
            try:
                error = kind(message) if arguments is None else kind(*decode(arguments))
                break
            except TypeError:
                continue
        error = error or RuntimeError(message)
        error.candidate = "%s: %s" % (name, message) if message else name
        return error

    def call(self, of, path, chain, args, kwargs):
        """Call what the candidate has under `path`."""
        self.asked = True
        arguments = Arguments(args, kwargs)
        arguments.sent = self.sendable([list(args), kwargs])
        reply = self.ask(op="call", of=of, path=path, arguments=arguments.sent, **self.streams.before(self.leave))
        self.checked(lambda: self.streams.after(reply))
        self.refresh()
        return self.result(reply, arguments, path, chain + "()")

    def sendable(self, value):
        try:
            return loads(encoding.encode(value, Outgoing()))
        except Refused as refusal:
            self.leave("unshieldable", "the test code passes %s" % refusal)

    def result(self, reply, arguments, path, chain):
        """What a call gave back, after what it did to its arguments."""
        if "handle" in reply:
            return self.live(reply, chain)
        if "iterator" in reply:
            return self.iterator(reply["iterator"])
        if "awaitable" in reply:
            return self.awaited(reply["awaitable"], path, chain)
        theirs = self.checked(lambda: arguments.theirs(reply))
        place = reply.get("argument")
        if theirs is not None and (place is None and reply["value"] is None or self.in_place(path)):
            arguments.update(theirs)
            theirs = None
        if place is not None:
            return self.checked(lambda: (theirs or arguments).at(place))
        return self.checked(lambda: decode(reply["value"]))

    def live(self, reply, chain):
        """An object that stays with the candidate."""
        refused, handle = reply.get("refused"), reply["handle"]
        if refused is not None and chain not in self.objects:
            self.leave("live", "it gave back %s" % str(refused)[:MESSAGE], chain=chain)
        if type(handle) is not int:
            self.leave("candidate", "it gave back %s" % str(refused)[:MESSAGE])
        return self.stand_ins.setdefault(handle, Guarded(self, handle, "", chain))

    def iterator(self, handle):
        """What an iterator of the candidate's gives, asked for as it is needed, in ever larger parts."""
        size = 1
        while True:
            reply = self.ask(op="next", of=handle, size=size)
            yield from self.checked(lambda reply=reply: decode(reply["value"]))
            if reply.get("ended"):
                return
            size = min(2 * size, 1024)

    async def awaited(self, handle, path, chain):
        reply = self.ask(op="wait", of=handle, **self.streams.before(self.leave))
        self.checked(lambda: self.streams.after(reply))
        return self.result(reply, Arguments((), {}), path, chain)
