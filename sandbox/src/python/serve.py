# The candidate's side of an examination: answers what test code in another box asks of the program.


class Handles:
    """Instances of the candidate's classes that the test code made, by number: they stay here, their handles cross."""

    def __init__(self):
        self.kept = []

    def add(self, value):
        self.kept.append(value)
        return {"handle": len(self.kept) - 1}


class Server(Call):
    """The candidate's side: answers calls until the test code has ended."""

    def run(self):
        serve(self.code, self.namespace, self.given)


def serve(code, namespace, given):
    stored = Loads(code).stored
    given = {name: value for name, value in given.items() if name not in stored}
    exec(code, namespace)
    take_node_classes(namespace)
    stream, handles = io.open(CHANNEL, "rb", closefd=False), Handles()
    while True:
        request = read_line(stream)
        if request is None:
            return
        try:
            reply = answer(Names(namespace, given), handles, request)
        except Refused as refusal:
            reply = json_dumps({"refused": str(refusal)})
        except Exception as error:
            reply = json_dumps({"raised": raised(error)})
        write_all(CHANNEL, reply.encode() + b"\n")


def describe(error):
    try:
        return str(error)[:MESSAGE]
    except Exception:
        return ""


def raised(error):
    """An exception as it crosses: its name, what it says, the names of its bases, and its arguments if they are plain."""
    try:
        arguments = json_loads(encode(list(error.args), Between()))
    except (Refused, Exception):
        arguments = None
    if arguments is not None and len(json_dumps(arguments)) > MESSAGE:
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
        """How test code can hold `name`: "callable", "value", "live", or for an exception the names of its bases; None if
        it is not defined."""
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
        return json_dumps({"kinds": [names.kind(name) for name in request["kinds"]]})
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
        return json_dumps(handles.add(result))
    places = [place for place, value in (*enumerate(args), *kwargs.items()) if value is result and type(value) in MUTABLE]
    value = json_dumps({"argument": places[0]}) if places else encode(result, Between())
    return '{"value":%s,"args":%s,"kwargs":%s}' % (value, changed(args), changed(kwargs))


def changed(arguments):
    """Arguments after the call, as far as they can cross: test code may look at what was done to them in place."""
    try:
        return encode(arguments, Between())
    except Refused:
        return "null"


ENTRIES["serve"] = Server
