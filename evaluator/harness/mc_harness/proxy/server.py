"""The candidate's side of the channel: it answers what test code in another box asks of the program."""

import io
from json import dumps, loads

from ..call import Call, find, take_node_classes, write_all
from ..prelude import MISSING, Loads
from ..values import Refused, decode, encode, type_name
from .channel import CHANNEL, MESSAGE, MUTABLE, Between, read_line


class Candidate(Call):
    """Answers calls until the test code has ended."""

    def run(self):
        stored = Loads(self.code).stored
        given = {name: value for name, value in self.given.items() if name not in stored}
        exec(self.code, self.namespace)
        take_node_classes(self.namespace)
        stream, handles = io.open(CHANNEL, "rb", closefd=False), Handles()
        while True:
            request = read_line(stream)
            if request is None:
                return
            write_all(CHANNEL, reply(Names(self.namespace, given), handles, request).encode() + b"\n")


def reply(names, handles, request):
    """The answer to a request, or why there is none, as JSON."""
    try:
        return answer(names, handles, request)
    except Refused as refusal:
        return dumps({"refused": str(refusal)})
    except Exception as error:
        return dumps({"raised": raised(error)})


class Handles:
    """Instances of the candidate's classes that the test code made, by number: they stay here, their handles cross."""

    def __init__(self):
        self.kept = []

    def add(self, value):
        self.kept.append(value)
        return {"handle": len(self.kept) - 1}


def describe(error):
    try:
        return str(error)[:MESSAGE]
    except Exception:
        return ""


def raised(error):
    """An exception as it crosses: its name, what it says, its bases' names, and its arguments if they are plain."""
    try:
        arguments = loads(encode(list(error.args), Between()))
    except (Refused, Exception):
        arguments = None
    if arguments is not None and len(dumps(arguments)) > MESSAGE:
        arguments = None
    return [type_name(error), describe(error), bases_of(type(error)), arguments]


def bases_of(kind):
    return [base.__name__ for base in type.mro(kind)]


class Names:
    """The names that the candidate defines, without those that it was only given."""

    def __init__(self, namespace, given):
        self.own = {name: value for name, value in namespace.items() if given.get(name, MISSING) is not value}

    def called(self, path):
        return find(self.own, path)

    def seen(self, path):
        """What `path` names, classes as themselves."""
        first, *rest = path.split(".")
        target = find(self.own, first)
        for name in rest:
            target = getattr(target, name)
        return target

    def kind(self, name):
        """How test code can hold `name`: "callable", "value", "live", or for an exception the names of its bases; None
        if it is not defined."""
        try:
            target = self.seen(name)
        except Exception:
            return None
        if isinstance(target, type) and issubclass(target, Exception):
            return bases_of(target)
        if callable(target):
            return "callable"
        try:
            encode(target, Between())
        except Refused:
            return "live"
        return "value"


def answer(names, handles, request):
    """The reply, as JSON, to a request to tell of names of the module, to look one up or call it, or to do so with an
    attribute of a kept instance."""
    if "kinds" in request:
        return dumps({"kinds": [names.kind(name) for name in request["kinds"]]})
    if request["of"] is not None:
        target = handles.kept[request["of"]]
        for name in request["name"].split("."):
            target = getattr(target, name)
    elif request["call"]:
        target = names.called(request["name"])
    else:
        target = names.seen(request["name"])
    if not request["call"]:
        if callable(target):
            return '{"callable":true}'
        try:
            return '{"value":%s}' % encode(target, Between())
        except Refused:
            return '{"live":true}'
    args, kwargs = decode(request["args"]), decode(request["kwargs"])
    result = target(*args, **kwargs)
    if isinstance(target, type):
        return dumps(handles.add(result))
    given = (*enumerate(args), *kwargs.items())
    places = [place for place, value in given if value is result and type(value) in MUTABLE]
    value = dumps({"argument": places[0]}) if places else encode(result, Between())
    return '{"value":%s,"args":%s,"kwargs":%s}' % (value, changed(args), changed(kwargs))


def changed(arguments):
    """Arguments after the call, as far as they can cross: test code may look at what was done to them in place."""
    try:
        return encode(arguments, Between())
    except Refused:
        return "null"
