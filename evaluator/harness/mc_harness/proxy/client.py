"""What stands in the test code for the candidate, which is in another box, and the test code's end of the channel."""

import _thread
import builtins
import io
import os
from collections import deque
from json import dumps, loads

from ..call import RESULT, write_all
from ..values import Refused, decode, encode
from .channel import CHANNEL, MESSAGE, MUTABLE, Between, read_line

# Exceptions that the interpreter takes for the end of an iteration, so that `all(map(candidate, cases))` would pass on
# the first.
SILENT = ("StopIteration", "StopAsyncIteration")


def leave(kind, reason):
    """End the judgement: "broken" where the test code cannot run; "unshieldable" where something crosses between it and
    the candidate that is not plain data; "candidate" where the candidate left before the test code did, or gave back
    what is not plain data. Were the latter no verdict, a wrong program could choose not to be judged. Test code that
    excepts everything cannot go on after it."""
    write_all(RESULT, dumps({kind: reason}).encode())
    os._exit(1)


class Remote:
    """Stands in the test code for something of the candidate's: its function, its class, an instance of its class. Of
    names with two underscores it hands on those in `_remote_special`. What is its own is named so that no candidate has
    it too."""

    __slots__ = ("_remote_link", "_remote_of", "_remote_name")
    __hash__ = None
    _remote_special = ()

    def __init__(self, link, of, name):
        object.__setattr__(self, "_remote_link", link)
        object.__setattr__(self, "_remote_of", of)
        object.__setattr__(self, "_remote_name", name)

    def __call__(self, *args, **kwargs):
        return self._remote_link.call(self._remote_of, self._remote_name, args, kwargs)

    def __getattr__(self, name):
        if name.startswith("__") and name not in self._remote_special:
            raise AttributeError(name)
        return self._remote_link.get(self._remote_of, self._remote_path(name))

    def _remote_path(self, name):
        return self._remote_name + "." + name

    def __setattr__(self, name, value):
        leave("unshieldable", "the test code sets the attribute %s of a live object" % name)


class Function(Remote):
    __slots__ = ()
    _remote_special = ("__name__", "__doc__")

    def _remote_asked_for_class(self, _):
        leave("unshieldable", "the test code asks for the class of an object")

    def _remote_derived_from(self, _):
        leave("unshieldable", "the test code derives a class from the candidate's")

    __instancecheck__ = __subclasscheck__ = _remote_asked_for_class
    __mro_entries__ = _remote_derived_from


class Guarded(Remote):
    """An object whose methods can be called, and with which nothing else can be done."""

    __slots__ = ()
    _remote_special = ("__len__", "__iter__", "__contains__", "__getitem__", "__str__", "__int__", "__float__")

    def _remote_used(self, *_):
        """Used other than by its methods. By its name the candidate's may be a class, and then it is the test code that
        asks too much; a function that is one gives an object where none was asked for, so as not to be judged."""
        if not self._remote_name.rpartition(".")[2][:1].isupper():
            leave("candidate", "it gave back a live object where the test code wants plain data")
        leave("unshieldable", "the test code uses a live object other than by its methods")

    def _remote_compared(self, other):
        if not isinstance(other, Remote):
            leave("candidate", "it gave back a live object where the test code wants plain data")
        self._remote_used()

    __eq__ = __ne__ = __lt__ = __le__ = __gt__ = __ge__ = _remote_compared
    __hash__ = __bool__ = __setitem__ = __delitem__ = __call__ = __repr__ = __index__ = _remote_used
    __add__ = __sub__ = __mul__ = __truediv__ = __floordiv__ = __mod__ = __pow__ = __matmul__ = _remote_used
    __radd__ = __rsub__ = __rmul__ = __rtruediv__ = __rfloordiv__ = __rmod__ = __rpow__ = __rmatmul__ = _remote_used
    __and__ = __or__ = __xor__ = __lshift__ = __rshift__ = __neg__ = __pos__ = __abs__ = __invert__ = _remote_used
    __next__ = __reversed__ = __enter__ = __exit__ = __round__ = __complex__ = _remote_used

    # What gives plain data is as good as any other method.
    def __len__(self):
        return self.__getattr__("__len__")()

    def __iter__(self):
        return iter(self.__getattr__("__iter__")())

    def __contains__(self, value):
        return self.__getattr__("__contains__")(value)

    def __getitem__(self, key):
        return self.__getattr__("__getitem__")(key)

    def __str__(self):
        return self.__getattr__("__str__")()

    def __int__(self):
        return self.__getattr__("__int__")()

    def __float__(self):
        return self.__getattr__("__float__")()


class Instance(Guarded):
    """An instance of the candidate's class; its name is the one under which the test code called that class."""

    __slots__ = ()

    def _remote_path(self, name):
        return name


class Live(Guarded):
    """An object that the candidate has under a name."""

    __slots__ = ()


class Link:
    """The test code's end of the channel."""

    def __init__(self, named):
        self.stream = io.open(CHANNEL, "rb", closefd=False)
        self.write = os.write
        self.named = named
        self.lock = _thread.allocate_lock()
        self.waiting = False
        self.asked = False
        self.namespace, self.values = None, {}
        self.errors = {}

    def ask(self, request):
        with self.lock:
            if self.waiting:
                leave("unshieldable", "the test code left a call before it came back")
            self.waiting = True
            try:
                write_all(CHANNEL, dumps(request).encode() + b"\n", self.write)
                reply = read_line(self.stream)
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
        self.asked = True
        try:
            sent = [loads(encode(part, Between(exact=True))) for part in (list(args), kwargs)]
        except Refused as refusal:
            for value in (*args, *kwargs.values()):
                if isinstance(value, Guarded):
                    value._remote_used()
            leave("unshieldable", "the test code passes %s" % refusal)
        reply = self.ask({"of": of, "name": name, "call": True, "args": sent[0], "kwargs": sent[1]})
        self.refresh()
        if "handle" in reply:
            if of is not None:
                leave("candidate", "its method gave back a live object")
            return Instance(self, reply["handle"], name)
        if reply["args"] is not None and reply["args"] != sent[0]:
            for mine, theirs in zip(args, decode(reply["args"])):
                update(mine, theirs)
        if reply["kwargs"] is not None and reply["kwargs"] != sent[1]:
            theirs = decode(reply["kwargs"])
            for key, mine in kwargs.items():
                update(mine, theirs[key])
        value = reply["value"]
        if type(value) is dict and "argument" in value:
            place = value["argument"]
            return args[place] if type(place) is int else kwargs[place]
        return decode(value)


def update(mine, theirs):
    """Do to a mutable argument, and to what it holds, what the candidate did to its copy."""
    if type(mine) is not type(theirs) or type(mine) not in MUTABLE:
        return theirs
    if isinstance(mine, list):
        kept = len(mine)
        mine[:] = [update(mine[at], value) if at < kept else value for at, value in enumerate(theirs)]
    elif isinstance(mine, bytearray):
        mine[:] = theirs
    elif isinstance(mine, dict):
        changed = [(key, update(mine[key], value) if key in mine else value) for key, value in theirs.items()]
        mine.clear()
        mine.update(dict(changed))
    else:
        mine.clear()
        mine.extend(theirs) if isinstance(mine, deque) else mine.update(theirs)
    return mine
