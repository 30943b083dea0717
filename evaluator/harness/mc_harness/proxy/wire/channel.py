"""What crosses the channel: one line of JSON a request, one a reply, on a descriptor that only the two boxes hold.

What is not plain data stays where it is and is known by a handle.
"""

import os
import sys
from collections import Counter, OrderedDict, defaultdict, deque, namedtuple
from collections.abc import Mapping, Sequence
from contextlib import contextmanager
from types import MethodType, SimpleNamespace

from ... import encoding
from ...call import PART, Call, write_all
from ...decoding import DECODERS, decode, decode_dict
from ...encoding import ITERATORS, Encoder, LiveObject, Refused, has_lone_surrogates, type_name
from .builtin_bases import exact
from .crossing import HOLDERS, TYPES, VIEWS, decode_standard, holder_of, made_holder, standard
from .derived import added, base_of, overrides, replaced
from .in_both import in_both, read, read_member

DESCRIPTOR = 3
# How many calls there are between one that asks and one that is asked, at most.
FRAMES = 30
# The longest message of the candidate's that is passed on.
MESSAGE = 2000

# What a defaultdict may make its values with.
FACTORIES = {factory.__name__: factory for factory in (
    int, float, str, list, tuple, dict, set, Counter, OrderedDict, deque,
)}
BUILTINS = (dict, set, frozenset, list, tuple, str, int, float)
# What a class has of whose objects it is not said by their being there what they are worth.
SAYING = (
    "__bool__", "__len__", "__iter__", "__getitem__", "__contains__", "__next__", "__await__", "__aiter__", "__call__",
)
# On the candidate's side, the numbers of the test code's functions and objects that stay there, by identity.
CALLBACKS = {}
# By the identity of the function of a method of such an object's, its number.
METHODS = {}
# Of those functions that crossed, so that they are called here.
HANDED = {}
# And of the exceptions that came from the test code.
GIVEN_ERRORS = {}

# What patterns match as they match dictionaries and lists.
PROTOCOLS = {"mapping": Mapping, "sequence": Sequence}
MUTABLE = (list, dict, set, bytearray, deque, Counter, OrderedDict, defaultdict, SimpleNamespace)


class Channel:
    """One end of it. What was read stays, whatever a signal's handler raises in the middle of a message."""

    def __init__(self, descriptor=DESCRIPTOR, read=os.read, write=os.write):
        self.descriptor = descriptor
        self.read, self.write = read, write
        self.held = bytearray()

    def send(self, message):
        write_all(self.descriptor, message.encode() + b"\n", self.write)

    def receive(self):
        """The next message, without the end of its line; None once the other side has ended."""
        seen = 0
        while True:
            end = self.held.find(b"\n", seen)
            if end >= 0:
                break
            seen = len(self.held)
            part = self.read(self.descriptor, PART)
            if not part:
                return None
            self.held += part
        line = self.held[:end].decode()
        del self.held[: end + 1]
        return line


@contextmanager
def deeper():
    """Where one side calls the other in the middle of something, what it takes for that counts as no recursion of the
    program's or the test code's."""
    limit = sys.getrecursionlimit()
    sys.setrecursionlimit(limit + FRAMES)
    try:
        yield
    finally:
        if sys.getrecursionlimit() == limit + FRAMES:
            sys.setrecursionlimit(limit)


def parts_of(reply):
    """A reply, and all that is in it."""
    pending = [reply]
    while pending:
        part = pending.pop()
        yield part
        if isinstance(part, dict):
            pending.extend(part.values())
        elif isinstance(part, list):
            pending.extend(part)


def encode(value, keep=None):
    """The JSON text of a value that crosses. Of an object that cannot, its handle does, which `keep` gives."""
    return encoding.encode(value, Between(keep=keep))


class Between(Encoder):
    """Of what crosses between test code and candidate the classes of `collections`, numbers and dates come over as
    themselves. Of other subclasses only the plain value does; where that is not enough, as `exact` has it, they are
    refused."""

    # Both ends are Python, which reads as much; the supervisor does not.
    deepest = 150
    # Whether LeetCode's lists and trees cross as data that are of the program's own classes.
    own_nodes_are_data = True
    # The nodes that this side knows; and on the candidate's side, what its exceptions are told by.
    graphs = None
    errors = None
    # There, what has the test code make an object of a class of its own which the program made here.
    adopt = None
    # And what stands there for the test code's things, and for its functions that crossed whole.
    things = functions = None
    # And the namespaces that came from the test code, by identity.
    namespaces = {}

    def __init__(self, exact=False, keep=None, begun=None, as_objects=False):
        super().__init__()
        # The names for which test code may want the objects of the program's classes that cross as plain data, and
        # whether it does.
        self.adds, self.as_objects = set(), as_objects
        self.exact, self.keep = exact, keep
        # The program's own classes of plain data are told by it.
        self.keep_class = keep
        # The numbers of the nodes of which the message tells already.
        self.begun = set() if begun is None else begun

    def text(self, value):
        """Python has texts that no encoding of Unicode admits."""
        return {"surrogates": value.encode("utf-8", "surrogatepass").hex()} if has_lone_surrogates(value) else value

    def other(self, value, kind, depth):
        if self.keep is not None and is_iterator(kind):
            # It may have no end.
            return live(self.keep, value)
        try:
            return self.crossing(value, kind, depth)
        except LiveObject as refusal:
            if self.keep is None:
                raise
            return live(self.keep, value, refusal)

    def crossing(self, value, kind, depth):
        if self.keep is not None and kind.__module__ == Call.module_name:
            adds = added(value, Call.module_name)
            self.adds.update(adds)
            if adds and (self.as_objects or callable(value)):
                return live(self.keep, value)
        for form in (self.of_test_code, self.error, self.collection, self.holder, self.in_both, self.derived):
            crossed = form(value, kind, depth)
            if crossed is not None:
                return crossed
        base, fields = kind.__mro__, getattr(kind, "_fields", None)
        if tuple in base and type(fields) is tuple and len(fields) == tuple.__len__(value):
            return self.record(value, kind, depth)
        is_derived = kind not in (*BUILTINS, deque) and any(plain in base for plain in (*BUILTINS, deque))
        if self.exact and is_derived and kind.__module__ != "numpy":
            raise LiveObject("a live object of type %s" % type_name(value))
        return super().other(value, kind, depth)

    def of_test_code(self, value, kind, depth):
        """What stands for something of the test code's; None if it is no such thing."""
        if is_new(value):
            Between.adopt(value)
        if id(value) in CALLBACKS:
            return {"test_code": Between.things.give_back(value)}
        if kind is MethodType and id(value.__func__) in METHODS:
            return {"test_method": [Between.things.give_back(value.__self__), METHODS[id(value.__func__)]]}
        if id(value) in HANDED:
            return {"test_function": Between.functions.give_back(value)}
        if GIVEN_ERRORS.get(id(value), (None, None))[1] is value and isinstance(value, BaseException):
            return {"test_error": GIVEN_ERRORS[id(value)][0]}
        return None

    def error(self, value, kind, depth):
        """An exception that comes as one, or a class of such; None if it is neither."""
        if self.keep is None:
            return None
        if Between.errors is not None and is_mere_error(kind):
            return {"raised": Between.errors(value)}
        return {"error_class": bases_of(value)} if issubclass(kind, type) and issubclass(value, BaseException) else None

    def record(self, value, kind, depth):
        """A named tuple."""
        values = self.wholly(lambda: self.many(tuple.__iter__(value), depth))
        is_own = self.keep_class is not None and kind.__module__ == Call.module_name
        own = [self.keep_class(kind)] if is_own else []
        return {"namedtuple": [type_name(value), [str(field) for field in kind._fields], values, *own]}

    def collection(self, value, kind, depth):
        """One of `collections`, or what a dictionary or a sequence is looked at through; None if it is none."""
        kind = derived_from(kind)
        if kind is deque and value.maxlen is not None:
            return {"bounded": [value.maxlen, self.many(value, depth)]}
        if kind is Counter:
            return {"Counter": self.pairs(value, depth)}
        if kind is OrderedDict:
            # It has an order of its own, which it has as a dictionary no more once something was moved.
            return {"OrderedDict": [self.many(pair, depth) for pair in OrderedDict.items(value)]}
        if kind is slice:
            return {"slice": self.many((value.start, value.stop, value.step), depth)}
        if kind is defaultdict:
            return self.with_factory(value, depth)
        return {VIEWS[kind]: self.many(value, depth)} if kind in VIEWS else None

    def with_factory(self, value, depth):
        """A dictionary that makes what it lacks. The program's own functions do so where they are."""
        factory = value.default_factory
        name = next((name for name, known in FACTORIES.items() if known is factory), None)
        if factory is None or name is not None:
            return {"defaultdict": [name, self.pairs(value, depth)]}
        handle = self.handle_of(factory)
        return None if handle is None else {"making": [handle, self.pairs(value, depth)]}

    def handle_of(self, factory):
        """The handle of a function of the program's."""
        return self.keep and self.keep(factory)

    def holder(self, value, kind, depth):
        """One of a class of the library's that does no more than hold something; None if it is none."""
        if kind is SimpleNamespace and (self.keep is None or id(value) in Between.namespaces):
            # One of the candidate's stays one object there, whoever changes it.
            return {"namespace": self.pairs(vars(value), depth)}
        if kind.__module__ in ("types", "typing") and written(value) is not None:
            return {"annotation": written(value)}
        holder = holder_of(value, kind)
        if holder is None:
            return standard(value, kind)
        return {"holder": [holder, self.encode(HOLDERS[holder][1](value), depth + 1)]}

    def in_both(self, value, kind, depth):
        """What both sides have of the library; None if it is none such."""
        return in_both(value, kind, lambda held: self.encode(held, depth))

    def derived(self, value, kind, depth):
        """A value of a class of the program's own that is plain but for attributes; None if it is none."""
        base = base_of(kind, Call.module_name) if self.keep is not None else None
        if base is None:
            return None
        plain, own = exact(value, base), replaced(kind, base, Call.module_name)
        if not hasattr(base, "__contains__") and hasattr(kind, "__contains__"):
            # What a flag is made of, it holds.
            own.append("__contains__")
        return {"derived": [self.keep(value), type_name(value), self.wholly(lambda: self.encode(plain, depth)), own]}

    def node(self, value, name, depth):
        if type(value).__module__ == Call.module_name and not Between.own_nodes_are_data:
            raise LiveObject("a live object of type %s" % name)
        return self.wholly(lambda: self.graph(value, name, depth))

    def graph(self, value, name, depth):
        """A node with all that it leads to."""
        try:
            return Between.graphs.told(value, name, self.begun, lambda held: self.encode(held, depth))
        except Refused:
            # Of what this was told of, something may not have crossed.
            self.begun.clear()
            raise

    def wholly(self, encode):
        """What has attributes of its own crosses as data only if all of it does."""
        keep, self.keep = self.keep, None
        try:
            return encode()
        finally:
            self.keep = keep


def is_new(value):
    """Whether it is an object of a class of the test code's that this does not know yet."""
    return id(type(value)) in CALLBACKS and id(value) not in CALLBACKS


def is_mere_error(kind):
    """Whether it is a class of exceptions that say no more of themselves than their text: any other may be there for
    plain data."""
    return issubclass(kind, Exception) and not any(
        name in vars(part) for part in kind.__mro__ for name in SAYING if part.__module__ != "builtins"
    )


def written(value):
    from .annotations import written

    return written(value)


def bases_of(kind):
    from .described import bases_of

    return bases_of(kind)


def read_annotation(text):
    from .annotations import read

    return read(text)


def is_iterator(kind):
    return kind.__name__ in ITERATORS and kind.__module__ == "builtins" and hasattr(kind, "__next__")


# What is said of something that is true as all of its class are.
ALWAYS = "always"


def live(keep, value, refusal=None):
    """What crosses in place of an object that stays: its handle, why it is no plain data where that was wanted, whether
    it is true, and what it is that is treated as no other."""
    reason = None if refusal is None else str(refusal)
    return {"live": [keep(value), reason, truth(value), kind_of_live(value)]}


def derived_from(kind):
    """The class of dictionaries of the library's from which one of the program's own derives and changes nothing."""
    if kind.__module__ != Call.module_name or overrides(kind, Call.module_name):
        return kind
    return next((part for part in kind.__mro__ if part in (Counter, OrderedDict, defaultdict)), kind)


def kind_of_live(value):
    """What the library and the interpreter treat as no other object: a class, a mapping or a sequence."""
    if issubclass(type(value), type):
        return "class"
    return next((name for name, kind in PROTOCOLS.items() if issubclass(type(value), kind)), None)


def truth(value):
    """Whether a flag is true, by what it is made of; of anything else, whether all of its class are, or None where that
    has a say in it."""
    kind = type(value)
    flag = getattr(sys.modules.get("enum"), "Flag", None)
    is_flag = flag is not None and issubclass(kind, flag) and kind.__bool__ is flag.__bool__
    return bool(value) if is_flag else ALWAYS if is_always_true(kind) else None


def is_always_true(kind):
    """Whether it is a match, or of a class of the program's own in which nothing has a say in that."""
    if kind is getattr(sys.modules.get("re"), "Match", None):
        return True
    if kind.__module__ != Call.module_name or issubclass(kind, type):
        return False
    return not any(name in vars(part) for part in kind.__mro__ for name in SAYING)


DECODERS["standard"] = decode_standard
DECODERS["holder"] = lambda spec: made_holder(spec[0], decode(spec[1]))
DECODERS["annotation"] = read_annotation

def known_namespaces(values):
    """Have the namespaces among these, which came from the test code, cross back as such."""
    Between.namespaces.update((id(value), value) for value in values if type(value) is SimpleNamespace)


DECODERS["type"] = TYPES.__getitem__
DECODERS["keys"] = lambda keys: dict.fromkeys(map(decode, keys)).keys()
DECODERS["values"] = lambda values: dict(enumerate(map(decode, values))).values()
DECODERS["items"] = lambda pairs: dict(map(decode, pairs)).items()
DECODERS["namespace"] = lambda pairs: SimpleNamespace(**decode_dict(pairs))
DECODERS["in_both"] = read
DECODERS["member"] = lambda spec: read_member(spec, decode)
DECODERS["slice"] = lambda parts: slice(*map(decode, parts))
DECODERS["surrogates"] = lambda told: bytes.fromhex(told).decode("utf-8", "surrogatepass")
DECODERS["ellipsis"] = lambda _: ...
DECODERS["not_implemented"] = lambda _: NotImplemented
DECODERS["bounded"] = lambda spec: deque(map(decode, spec[1]), spec[0])
DECODERS["bytearray"] = bytearray.fromhex
DECODERS["memoryview"] = lambda shown: memoryview(bytes.fromhex(shown))
DECODERS["Counter"] = lambda pairs: Counter(decode_dict(pairs))
DECODERS["OrderedDict"] = lambda pairs: OrderedDict(decode_dict(pairs))
DECODERS["defaultdict"] = lambda spec: defaultdict(FACTORIES.get(spec[0]), decode_dict(spec[1]))
DECODERS["namedtuple"] = lambda spec: namedtuple(spec[0], spec[1])(*map(decode, spec[2]))
DECODERS["record"] = lambda spec: tuple.__new__(decode(spec[0]), map(decode, spec[1]))
