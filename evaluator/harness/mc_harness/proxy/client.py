"""The test code's end of the channel: it asks, and turns the answers into what test code can hold."""

import _thread
import builtins
from json import dumps, loads

from ..decoding import decode
from ..encoding import Refused
from .arguments import update
from .channel import MESSAGE, Channel, encode
from .ending import leave
from .remote import Function, Guarded, Instance, Live

# Exceptions that the interpreter takes for the end of an iteration: `all(map(candidate, cases))` would pass on the
# first.
SILENT = ("StopIteration", "StopAsyncIteration")


class Link:
    """What all stand-ins of one test code ask through. `named` are the names that the test code uses."""

    def __init__(self, named, channel=None):
        self.channel = channel or Channel()
        self.named = named
        self.lock = _thread.allocate_lock()
        self.waiting = False
        # Whether the test code has asked something of the candidate.
        self.asked = False
        # The test code's names, and what of them the candidate has as plain data.
        self.namespace, self.values = {}, {}
        self.errors = {}

    def ask(self, request):
        with self.lock:
            if self.waiting:
                leave("unshieldable", "the test code left a call before it came back")
            self.waiting = True
            try:
                self.channel.send(dumps(request))
                reply = self.channel.receive()
            except ConnectionError:
                reply = None
            self.waiting = False
        if reply is None:
            leave("candidate", "the program ended before its tests did")
        if "refused" in reply:
            leave("candidate", "it gave back %s" % reply["refused"][:MESSAGE])
        if "raised" in reply:
            raise self.error(*reply["raised"])
        return reply

    def get(self, of, name):
        """What the candidate has under `name`: in its module, or in the object of a handle."""
        self.asked = True
        return self.fetch(of, name)

    def fetch(self, of, name):
        reply = self.ask({"of": of, "name": name, "call": False})
        if "value" in reply:
            return decode(reply["value"])
        return (Function if "callable" in reply else Live)(self, of, name)

    def take(self, namespace, names):
        """Put what the candidate has under these names into the test code's namespace; those of them that it lacks."""
        self.namespace = namespace
        kinds = self.ask({"kinds": names})["kinds"]
        # An exception after those that it derives from.
        for name, kind in sorted(zip(names, kinds), key=lambda both: len(both[1] or "")):
            if type(kind) is list:
                base = next(filter(None, map(self.known, kind[1:])))
                namespace[name] = self.errors[kind[0]] = type(kind[0], (base,), {})
            elif kind == "value":
                self.values[name] = namespace[name] = self.fetch(None, name)
            elif kind is not None:
                namespace[name] = (Function if kind == "callable" else Live)(self, None, name)
        return {name for name, kind in zip(names, kinds) if kind is None}

    def refresh(self):
        """A call may have changed what the candidate has under a name. What the test code has bound since stays."""
        for name, last in self.values.items():
            if self.namespace.get(name) is last:
                self.values[name] = self.namespace[name] = self.fetch(None, name)

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

    def call(self, of, name, args, kwargs):
        """Call what the candidate has under `name`."""
        self.asked = True
        sent, named = self.sendable(list(args), args), self.sendable(kwargs, kwargs.values())
        reply = self.ask({"of": of, "name": name, "call": True, "args": sent, "kwargs": named})
        self.refresh()
        if "handle" in reply:
            if of is not None:
                leave("candidate", "its method gave back a live object")
            return Instance(self, reply["handle"], name)
        if reply["args"] is not None and reply["args"] != sent:
            for mine, theirs in zip(args, decode(reply["args"])):
                update(mine, theirs)
        if reply["kwargs"] is not None and reply["kwargs"] != named:
            theirs = decode(reply["kwargs"])
            for key, mine in kwargs.items():
                update(mine, theirs[key])
        return self.result(reply["value"], args, kwargs)

    def sendable(self, arguments, values):
        try:
            return loads(encode(arguments, exact=True))
        except Refused as refusal:
            for value in values:
                if isinstance(value, Guarded):
                    value._remote_used()
            leave("unshieldable", "the test code passes %s" % refusal)

    def result(self, value, args, kwargs):
        """What a call gave back: one of its own arguments, or a value."""
        if type(value) is dict and "argument" in value:
            place = value["argument"]
            return args[place] if type(place) is int else kwargs[place]
        return decode(value)
