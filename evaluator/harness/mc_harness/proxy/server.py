"""The candidate's side of the channel: it answers what test code in another box asks of the program."""

from json import dumps, loads

from ..call import Call, find
from ..decoding import decode
from ..encoding import Refused, type_name
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
    handles = Handles()
    while True:
        request = channel.receive()
        if request is None:
            return
        channel.send(reply(Names(namespace, given), handles, request))


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
        return len(self.kept) - 1


def describe(error):
    try:
        return str(error)[:MESSAGE]
    except Exception:
        return ""


def raised(error):
    """An exception as it crosses: its name, what it says, the names of its bases, its arguments if they are plain."""
    try:
        arguments = encode(list(error.args))
    except (Refused, Exception):
        arguments = "null"
    if len(arguments) > MESSAGE:
        arguments = "null"
    return [type_name(error), describe(error), bases_of(type(error)), loads(arguments)]


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
        return attribute(find(self.own, first), rest)

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
            encode(target)
        except Refused:
            return "live"
        return "value"


def attribute(target, path):
    for name in path:
        target = getattr(target, name)
    return target


def answer(names, handles, request):
    """The reply, as JSON, to a request to tell of names of the module, to look one up or call it, or to do so with an
    attribute of a kept instance."""
    if "kinds" in request:
        return dumps({"kinds": [names.kind(name) for name in request["kinds"]]})
    if request["of"] is not None:
        target = attribute(handles.kept[request["of"]], request["name"].split("."))
    elif request["call"]:
        target = names.called(request["name"])
    else:
        target = names.seen(request["name"])
    if request["call"]:
        return called(target, handles, decode(request["args"]), decode(request["kwargs"]))
    return looked_up(target)


def looked_up(target):
    if callable(target):
        return '{"callable":true}'
    try:
        return '{"value":%s}' % encode(target)
    except Refused:
        return '{"live":true}'


def called(target, handles, args, kwargs):
    result = target(*args, **kwargs)
    if isinstance(target, type):
        return dumps({"handle": handles.add(result)})
    arguments = (*enumerate(args), *kwargs.items())
    places = [place for place, value in arguments if value is result and type(value) in MUTABLE]
    value = dumps({"argument": places[0]}) if places else encode(result)
    return '{"value":%s,"args":%s,"kwargs":%s}' % (value, after(args), after(kwargs))


def after(arguments):
    """Arguments after the call, as far as they can cross: test code may look at what was done to them in place."""
    try:
        return encode(arguments)
    except Refused:
        return "null"
