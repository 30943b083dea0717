# Test code and the candidate it tests, each in a box of its own. One line of JSON a request, one a reply, on a
# descriptor that only the two hold. What is not plain data stays where it is and is known by a handle.

CHANNEL = 3
# The longest message of the candidate's that is passed on.
MESSAGE = 2000


def read_line(stream):
    line = stream.readline()
    return json_loads(line) if line.endswith(b"\n") else None


# What a defaultdict may make its values with.
FACTORIES = {factory.__name__: factory for factory in (int, float, str, list, tuple, dict, set)}
BUILTINS = (dict, set, frozenset, list, tuple, str, int, float)
MUTABLE = (
    list, dict, set, bytearray, collections.deque, collections.Counter, collections.OrderedDict, collections.defaultdict,
)


class Between(Encoder):
    """Of what crosses between test code and candidate the classes of `collections` come over as themselves. Of other
    subclasses only the plain value does; where that is not enough, as `exact` has it, they are refused."""

    def __init__(self, exact=False):
        super().__init__()
        self.exact = exact

    def other(self, value, kind, depth):
        if kind is collections.Counter or kind is collections.OrderedDict:
            return {kind.__name__: self.pairs(value, depth)}
        if kind is bytearray:
            return {"bytearray": value.hex()}
        if kind is collections.defaultdict:
            factory = getattr(value.default_factory, "__name__", None)
            if value.default_factory is FACTORIES.get(factory):
                return {"defaultdict": [factory, self.pairs(value, depth)]}
        base, fields = kind.__mro__, getattr(kind, "_fields", None)
        if tuple in base and type(fields) is tuple and len(fields) == tuple.__len__(value):
            values = self.many(tuple.__iter__(value), depth)
            return {"namedtuple": [type_name(value), [str(field) for field in fields], values]}
        derived = kind not in BUILTINS and any(plain in base for plain in BUILTINS)
        if self.exact and derived and kind.__module__ != "numpy":
            raise Refused("a live object of type %s" % type_name(value))
        return super().other(value, kind, depth)

    def pairs(self, value, depth):
        return [[self.encode(k, depth), self.encode(v, depth)] for k, v in dict.items(value)]


def decode_pairs(pairs):
    return {decode(key): decode(value) for key, value in pairs}


DECODERS["bytearray"] = bytearray.fromhex
DECODERS["Counter"] = lambda v: collections.Counter(decode_pairs(v))
DECODERS["OrderedDict"] = lambda v: collections.OrderedDict(decode_pairs(v))
DECODERS["defaultdict"] = lambda v: collections.defaultdict(FACTORIES.get(v[0]), decode_pairs(v[1]))
DECODERS["namedtuple"] = lambda v: collections.namedtuple(v[0], v[1])(*map(decode, v[2]))


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


# Exceptions that the interpreter takes for the end of an iteration: `all(map(candidate, cases))` would pass on the first.
SILENT = ("StopIteration", "StopAsyncIteration")


def leave(kind, reason):
    """End the judgement: "unshieldable" where something crosses between test code and candidate that is not plain data;
    "candidate" where the candidate left before the test code did, or gave back what is not plain data. Were the latter no
    verdict, a wrong program could choose not to be judged. Test code that excepts everything cannot go on after it."""
    write_all(RESULT, json_dumps({kind: reason}).encode())
    os._exit(1)


class Remote:
    """Stands in the test code for something of the candidate's: its function, its class, an instance of its class."""

    __slots__ = ("_link", "_of", "_name")
    __hash__ = None

    def __init__(self, link, of, name):
        object.__setattr__(self, "_link", link)
        object.__setattr__(self, "_of", of)
        object.__setattr__(self, "_name", name)

    def __call__(self, *args, **kwargs):
        return self._link.call(self._of, self._name, args, kwargs)

    def __setattr__(self, name, value):
        leave("unshieldable", "the test code sets the attribute %s of a live object" % name)


class Function(Remote):
    __slots__ = ()

    def __getattr__(self, name):
        if name.startswith("__") and name not in ("__name__", "__doc__"):
            raise AttributeError(name)
        return self._link.get(self._of, self._name + "." + name)

    def asked_for_class(self, _):
        leave("unshieldable", "the test code asks for the class of an object")

    def derived_from(self, _):
        leave("unshieldable", "the test code derives a class from the candidate's")

    __instancecheck__ = __subclasscheck__ = asked_for_class
    __mro_entries__ = derived_from


class Guarded(Remote):
    """An object whose methods can be called, and with which nothing else can be done."""

    __slots__ = ()

    def used(self, *_):
        """Used other than by its methods. By its name the candidate's may be a class, and then it is the test code that
        asks too much; a function that is one gives an object where none was asked for, so as not to be judged."""
        if not self._name.rpartition(".")[2][:1].isupper():
            leave("candidate", "it gave back a live object where the test code wants plain data")
        leave("unshieldable", "the test code uses a live object other than by its methods")

    def compared(self, other):
        if not isinstance(other, Remote):
            leave("candidate", "it gave back a live object where the test code wants plain data")
        self.used()

    __eq__ = __ne__ = __lt__ = __le__ = __gt__ = __ge__ = compared
    __hash__ = __bool__ = __setitem__ = __delitem__ = __call__ = __repr__ = __index__ = used
    __add__ = __sub__ = __mul__ = __truediv__ = __floordiv__ = __mod__ = __pow__ = __matmul__ = used
    __radd__ = __rsub__ = __rmul__ = __rtruediv__ = __rfloordiv__ = __rmod__ = __rpow__ = __rmatmul__ = used
    __and__ = __or__ = __xor__ = __lshift__ = __rshift__ = __neg__ = __pos__ = __abs__ = __invert__ = used
    __next__ = __reversed__ = __enter__ = __exit__ = __round__ = __complex__ = used

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


PLAIN_METHODS = ("__len__", "__iter__", "__contains__", "__getitem__", "__str__", "__int__", "__float__")


class Instance(Guarded):
    """An instance of the candidate's class; its name is the one under which the test code called that class."""

    __slots__ = ()

    def __getattr__(self, name):
        if name.startswith("__") and name not in PLAIN_METHODS:
            raise AttributeError(name)
        return self._link.get(self._of, name)


class Live(Guarded):
    """An object that the candidate has under a name."""

    __slots__ = ()

    def __getattr__(self, name):
        if name.startswith("__") and name not in PLAIN_METHODS:
            raise AttributeError(name)
        return self._link.get(self._of, self._name + "." + name)


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
                write_all(CHANNEL, json_dumps(request).encode() + b"\n", self.write)
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
        """The exception class of this name: one that the test code took from the candidate, or a builtin. One that would end
        an iteration of the test code unseen only if that names it."""
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
            sent = [json_loads(encode(part, Between(exact=True))) for part in (list(args), kwargs)]
        except Refused as refusal:
            for value in (*args, *kwargs.values()):
                if isinstance(value, Guarded):
                    value.used()
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
        mine.extend(theirs) if isinstance(mine, collections.deque) else mine.update(theirs)
    return mine


HELPERS = (list_node, tree_node, is_same_list, is_same_tree, ListNode, TreeNode)


class Loads(set):
    """The global names that a module's code and all within it look up. `bare` are those of which it does not only take
    attributes, `stored` those that it binds itself, `outer` those that the module's own code looks up, `early` those of
    them that it looks up before it binds them."""

    def __init__(self, code):
        self.bare, self.stored, self.outer, self.early = set(), set(), set(), set()
        self.read(code, True)

    def read(self, code, outer):
        instructions = [one for one in dis.get_instructions(code) if one.opname != "EXTENDED_ARG"]
        for one, following in zip(instructions, instructions[1:]):
            if one.opname in ("LOAD_NAME", "LOAD_GLOBAL"):
                self.load(one.argval, following.opname, outer)
            elif one.opname == "STORE_GLOBAL" or outer and one.opname == "STORE_NAME":
                self.stored.add(one.argval)
        for constant in code.co_consts:
            if type(constant) is type(code):
                self.read(constant, False)

    def load(self, name, then, outer):
        self.add(name)
        if not then.startswith(("LOAD_ATTR", "LOAD_METHOD")):
            self.bare.add(name)
        if outer:
            self.outer.add(name)
            if name not in self.stored:
                self.early.add(name)


class Examiner(Entry):
    """The test code's side: names that it does not define are the candidate's."""

    def start_module(self):
        return start_module(self.code, "__main__")

    def run(self):
        examine(self.code, self.namespace, self.name)


def examine(code, namespace, name):
    loads, link = Loads(code), Link(names_used(code))
    namespace.update((helper.__name__, helper) for helper in HELPERS)
    if name:
        namespace["candidate"] = Function(link, None, name)
        namespace.setdefault(name.partition(".")[0], Function(link, None, name.partition(".")[0]))
    lacking = lend(loads, namespace, link, name)
    failures = watch_runners() if "unittest" in link.named else []
    try:
        exec(code, namespace)
    except SystemExit as leaving:
        # So does a test runner that finds nothing wrong.
        if leaving.code:
            raise
    except Exception as error:
        blame = getattr(error, "candidate", None)
        if isinstance(error, ImportError) and blame is None:
            leave("broken", "%s: %s" % (type_name(error), error))
        if isinstance(error, NameError) and any("'%s'" % name in str(error) for name in lacking):
            blame = "NameError: %s" % error
        if blame is not None:
            leave("candidate", blame[:MESSAGE])
        raise
    if failures:
        raise SystemExit(1)
    write_all(RESULT, json_dumps({"passed" if link.asked else "idle": True}).encode())


def watch_runners():
    """What runners of unittest will have found wrong, also where the test code does not look."""
    import unittest

    failures = []

    def noting(method):
        def noted(result, test, *what):
            # A subtest that went well is added too, without an exception.
            if not what or what[-1] is not None:
                failures.append(test)
            return method(result, test, *what)

        return noted

    for name in ("addError", "addFailure", "addUnexpectedSuccess", "addSubTest"):
        setattr(unittest.TestResult, name, noting(getattr(unittest.TestResult, name)))
    return failures


def lend(loads, namespace, link, name):
    """Give the test code what it looks up and neither it nor the builtins define; what is lacking then.

    A module of which it only takes attributes is its own: the candidate's might be none. All else is the candidate's."""
    for module in loads - loads.bare - loads.stored - set(namespace):
        if module in MODULES or module in ALIASES:
            value = lookup(module)
            if value is MISSING:
                leave("unshieldable", "the test code takes %s from the candidate: this Python has no such module" % module)
            namespace[module] = value
    own = loads.stored - loads.early | set(namespace)
    open_names = sorted(name for name in loads - own if not name.startswith("__"))
    wanted = [used for used in open_names if not hasattr(builtins, used)]
    if not wanted and not name and len(open_names) == 1:
        # All that it can test is a function of a builtin's name.
        namespace[open_names[0]] = Function(link, None, open_names[0])
    lacking = link.take(namespace, wanted) if wanted else set()
    link.asked = not loads.outer.isdisjoint(link.values)
    return lacking


ENTRIES["serve"] = Server
ENTRIES["examine"] = Examiner
