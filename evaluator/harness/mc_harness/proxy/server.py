"""The candidate's side of the channel: it answers what test code in another box asks of the program."""

import builtins
import importlib
import io
import marshal
import sys
import types
from json import dumps, loads

from ..call import Call, find
from ..decoding import DECODERS, decode
from ..encoding import ITERATORS, Refused, type_name
from ..names import Lookups
from ..nodes import adopt_node_classes
from ..prelude import MISSING
from .channel import MESSAGE, MUTABLE, Channel, encode


class Candidate(Call):
    """Answers calls until the test code has ended."""

    def run(self):
        stored = Lookups(self.code).stored
        given = {name: value for name, value in self.given.items() if name not in stored}
        exec(self.code, self.namespace)
        adopt_node_classes(self.namespace)
        serve(self.namespace, given, Channel())


def serve(namespace, given, channel):
    """Answer until the other side ends. `given` are names that the program was lent, and does not define."""
    server = Server(namespace, given)
    DECODERS.update(own=server.own, library=library, function=function)
    while True:
        request = channel.receive()
        if request is None:
            return
        channel.send(server.reply(loads(request)))


class Server:
    def __init__(self, namespace, given):
        self.namespace, self.given = namespace, given
        # Objects that stay here, by number; their numbers, by identity; and what iterators raised after what they gave.
        self.kept, self.handles, self.raised = [], {}, {}

    def reply(self, request):
        """The answer to a request, or why there is none, as JSON."""
        streams = Streams(request)
        try:
            answer = getattr(self, request["op"])(request)
        except Refused as refusal:
            answer = dumps({"refused": str(refusal)})
        except Exception as error:
            answer = dumps({"raised": raised(error)})
        finally:
            streams.restore()
        return answer[:-1] + streams.told() + "}"

    def names(self):
        """What the program defines, without what it was only given."""
        given = self.given
        return {name: value for name, value in self.namespace.items() if given.get(name, MISSING) is not value}

    def own(self, place):
        """What lies under a path: of the module, classes as themselves, or of an object that is kept."""
        of, path = place
        first, *rest = path.split(".") if path else [""]
        if of is None:
            return attribute(find(self.names(), first), rest)
        return attribute(self.kept[of], path.split(".") if path else ())

    def called(self, request):
        """The same, to be called: a method of a class is one of a fresh instance."""
        if request["of"] is None:
            return find(self.names(), request["path"])
        return self.own((request["of"], request["path"]))

    def kinds(self, request):
        return dumps({"kinds": [self.kind(name) for name in request["names"]]})

    def kind(self, name):
        """How test code can hold `name`: "callable", "value", "live", or for an exception the names of its bases; None
        if it is not defined."""
        try:
            target = self.own((None, name))
        except Exception:
            return None
        if isinstance(target, type) and issubclass(target, Exception):
            return bases_of(target)
        if callable(target):
            return "callable"
        try:
            encode(target)
        except Refused:
            return "live"
        return "value"

    def get(self, request):
        target = self.own((request["of"], request["path"]))
        if callable(target):
            return '{"callable":true}'
        try:
            return '{"value":%s}' % encode(target)
        except Refused:
            return '{"live":true}'

    def set(self, request):
        setattr(self.own((request["of"], request["path"])), request["name"], decode(request["value"]))
        return "{}"

    def truth(self, request):
        return dumps({"value": bool(self.own((request["of"], request["path"])))})

    def is_instance(self, request):
        return dumps({"value": isinstance(decode(request["value"]), decode(request["kind"]))})

    def signature(self, request):
        from .signature import write

        return dumps({"value": write(self.called(request), lambda value: loads(encode(value)))})

    def call(self, request):
        target = self.called(request)
        args, kwargs = decode(request["arguments"])
        result = target(*args, **kwargs)
        if isinstance(target, type):
            return dumps({"handle": self.keep(result)})
        return self.told(result, args, kwargs)

    def next(self, request):
        """Up to `size` of what an iterator still gives. What it raises after some is raised at the next request."""
        of = request["of"]
        if of in self.raised:
            raise self.raised.pop(of)
        values = []
        try:
            while len(values) < request["size"]:
                values.append(next(self.kept[of]))
        except StopIteration:
            return '{"value":%s,"ended":true}' % encode(values)
        except Exception as error:
            if not values:
                raise
            self.raised[of] = error
        return '{"value":%s}' % encode(values)

    def wait(self, request):
        return self.told(run_to_its_end(self.kept[request["of"]]), (), {})

    def told(self, result, args, kwargs):
        """What a call gave, and its arguments after it."""
        kind = type(result)
        if hasattr(kind, "__await__"):
            return dumps({"awaitable": self.keep(result)})
        if kind.__name__ in ITERATORS and kind.__module__ == "builtins" and hasattr(kind, "__next__"):
            return dumps({"iterator": self.keep(result)})
        arguments = after([list(args), kwargs])
        for place, value in (*enumerate(args), *kwargs.items()):
            if value is result and kind in MUTABLE:
                return '{"argument":%s,"arguments":%s}' % (dumps(place), arguments)
        try:
            return '{"value":%s,"arguments":%s}' % (encode(result), arguments)
        except Refused as refusal:
            return dumps({"refused": str(refusal), "handle": self.keep(result)})

    def keep(self, value):
        """The handle of an object: the same for the same object."""
        if id(value) not in self.handles:
            self.handles[id(value)] = len(self.kept)
            self.kept.append(value)
        return self.handles[id(value)]


class Streams:
    """The test code's standard streams for the time of a request, where it has replaced them."""

    def __init__(self, request):
        self.stdin, self.stdout = sys.stdin, sys.stdout
        self.given = self.written = None
        if "stdin" in request:
            self.given = sys.stdin = io.StringIO(request["stdin"])
        if "capture" in request:
            self.written = sys.stdout = io.StringIO()

    def restore(self):
        sys.stdin, sys.stdout = self.stdin, self.stdout

    def told(self):
        """What became of them, as the end of a reply."""
        end = ""
        if self.given is not None:
            end += ',"read":%d' % self.given.tell()
        if self.written is not None:
            end += ',"printed":%s' % dumps(self.written.getvalue())
        return end


def run_to_its_end(awaitable):
    import asyncio

    async def result():
        return await awaitable

    return asyncio.run(result())


def attribute(target, path):
    for name in path:
        target = getattr(target, name)
    return target


def library(name):
    module, function = name
    return getattr(importlib.import_module(module), function)


def function(parts):
    """A function of the test code's that needs nothing but builtins."""
    code, defaults = parts
    return types.FunctionType(marshal.loads(bytes.fromhex(code)), {"__builtins__": builtins}, argdefs=decode(defaults))


def after(arguments):
    """Arguments after the call, as far as they can cross: test code may look at what was done to them in place."""
    try:
        return encode(arguments)
    except Refused:
        return "null"


def raised(error):
    """An exception as it crosses: its name, what it says, its bases' names, and its arguments if they are plain."""
    try:
        arguments = encode(list(error.args))
    except (Refused, Exception):
        arguments = "null"
    if len(arguments) > MESSAGE:
        arguments = "null"
    return [type_name(error), describe(error), bases_of(type(error)), loads(arguments)]


def describe(error):
    try:
        return str(error)[:MESSAGE]
    except Exception:
        return ""


def bases_of(kind):
    return [base.__name__ for base in type.mro(kind)]
