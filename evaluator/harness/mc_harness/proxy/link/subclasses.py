"""Classes that test code derives from the candidate's: they are made in the candidate's box, of what a class statement
here holds. Functions that keep nothing here cross; others stay, and are called with the object that is there."""

import builtins
import functools
import sys
import types
from abc import ABCMeta
from json import loads
from types import FunctionType

from ... import encoding
from ...encoding import LiveObject, Refused
from ...names import all_parts
from ..stand_ins.named import Function, Made
from ..wire.chains import computed
from ..wire.containers import containers
from ..wire.errors import RUNNERS
from ..wire.objects import running
from ..wire.remote import Remote
from .callbacks import used_as_objects
from .handing import STANDING, is_constant
from .outgoing import TWINS, Outgoing, is_in_library, twin_of

# What a class holds of functions, and under which names they are in that.
WRAPPERS = {
    staticmethod: ("__func__",), classmethod: ("__func__",), property: ("fget", "fset", "fdel"),
    functools.cached_property: ("func",),
}
CACHED = type(functools.lru_cache(len))
# What has a say in what a class gives for its attributes.
DESCRIBING = ("__get__", "__set__", "__delete__", "__set_name__")
FIELD = ("default", "default_factory", "init", "repr", "hash", "compare", "metadata", "kw_only")


def watch_classes(link):
    """Have class statements make what derives from the candidate's classes in the candidate's box, and what the library
    has for them."""
    build = builtins.__build_class__

    def build_class(body, name, /, *bases, **keywords):
        if not any(map(is_candidates, (*bases, keywords.get("metaclass")))):
            return build(body, name, *bases, **keywords)
        return build(body, name, metaclass=Deriving(link, bases, keywords))

    builtins.__build_class__ = build_class
    if "new_class" in link.named:
        types.new_class = deriving(types.new_class, link)


def deriving(new_class, link):
    @functools.wraps(new_class)
    def making(name, bases=(), kwds=None, exec_body=None):
        if not any(map(is_candidates, bases)):
            return new_class(name, bases, kwds, exec_body)
        namespace = {}
        if exec_body is not None:
            exec_body(namespace)
        return link.derive(name, bases, kwds or {}, namespace)

    return making


def is_candidates(value):
    return issubclass(type(value), Remote)


class Deriving:
    """The metaclass of one class statement, which has the candidate make the class."""

    def __init__(self, link, bases, keywords):
        self.link, self.bases, self.keywords = link, bases, keywords

    @staticmethod
    def __prepare__(name, bases):
        return {}

    def __call__(self, name, _, namespace):
        return self.link.derive(name, self.bases, self.keywords, namespace)


class Subclasses:
    """Of a link: what it knows of classes that the test code derived."""

    def begin_deriving(self):
        # What stands for them, by their handles; and which classes of its own the test code derived others from.
        self.subclasses, self.mixed_in = {}, []
        # The number, below 0, by which the last of them was known until it had a handle.
        self.cells = 0

    def derive(self, name, bases, keywords, namespace):
        cell = namespace.pop("__classcell__", None)
        self.asked = True
        if cell is not None:
            # Its methods may be called before the class statement is over.
            self.cells -= 1
            cell.cell_contents = Made(self, self.cells, name, bases)
        try:
            made = self.made_class(name, bases, keywords, namespace, cell)
        except Refused as refusal:
            self.leave_class(name, "the test code derives a class from the candidate's with %s" % refusal)
        if cell is not None:
            cell.cell_contents = made
        return made

    def made_class(self, name, bases, keywords, namespace, cell):
        """What stands for a class once it is made; a metaclass of the candidate's may give something else."""
        described = self.describe_class(bases, keywords, namespace, cell)
        self.forget()
        reply = self.run(op="derive", name=name, described=described, number=self.number_of(cell))
        self.refresh()
        if "class" not in reply:
            return self.read(reply, name)
        handle = self.checked(lambda: int(reply["class"]))
        self.objects.add(name + "()")
        return self.subclasses.setdefault(handle, Made(self, handle, name, bases or (object,)))

    def describe_class(self, bases, keywords, namespace, cell):
        """What a class statement holds, as it crosses."""
        with self.handing.class_of(cell):
            return loads(encoding.encode([bases, keywords, namespace], Members(self)))

    def number_of(self, cell):
        """By which number a class is known until it has a handle; 0 where nothing looks for it."""
        if cell is None:
            return 0
        if is_candidates(cell.cell_contents):
            return cell.cell_contents._remote_of
        self.cells -= 1
        return self.cells

    def leave_class(self, name, reason):
        """Leave over a class of this name; a dry run looks at how it is written."""
        self.leave("unshieldable", reason)

    def twin(self, kind):
        """What stands for a class of the test code's own, made again in the candidate's box: for one of the candidate's
        to be derived from both."""
        if id(kind) not in TWINS:
            self.mixed_in.append(kind.__name__)
            if not is_stateless(kind):
                raise LiveObject("a base class of its own")
            own = {name: value for name, value in vars(kind).items() if name not in NOT_WRITTEN}
            cells = (cell for function in functions_of(kind) for cell in function.__closure__ or ())
            cell = next((cell for cell in cells if holds(cell, kind)), None)
            TWINS[id(kind)] = kind, self.made_class(kind.__name__, kind.__bases__, {}, own, cell)
        return TWINS[id(kind)][1]

    def decorate(self, name, kind, said):
        """A class that a function of the library decorates in the candidate's box, which may make another of it."""
        found = self.operate(name, computed(kind._remote_chain), kind, said)
        handle = self.checked(lambda: int(found._remote_of))
        return self.subclasses.setdefault(handle, Made(self, handle, kind._remote_chain, kind.__bases__))


# By which instructions a function asserts and compares.
JUDGING = frozenset(("LOAD_ASSERTION_ERROR", "CONTAINS_OP", "COMPARE_OP"))
# What a class has that no class statement says.
NOT_WRITTEN = ("__dict__", "__weakref__", "__abstractmethods__", "_abc_impl")


def is_stateless(kind):
    """Whether a class holds nothing but functions and constants, so that two of it are as good as one."""
    held = [value for name, value in vars(kind).items() if not name.startswith("__") and name != "_abc_impl"]
    is_plain = all(type(value) in (FunctionType, *WRAPPERS) or is_constant(value) for value in held)
    names_itself = any(
        kind.__name__ in (*part.co_names, *part.co_freevars)
        for function in functions_of(kind) for part in all_parts(function.__code__))
    return type(kind) in (type, ABCMeta) and is_plain and not names_itself


def functions_of(kind):
    for value in vars(kind).values():
        held = [value, *(getattr(value, name) for name in WRAPPERS.get(type(value), ()))]
        yield from (one for one in held if type(one) is FunctionType)


def holds(cell, kind):
    try:
        return cell.cell_contents is kind
    except ValueError:
        return False


def most_held(namespace, name, known=()):
    """How often something is held that can be changed, of what a class has under a name: it will be two things. What
    the candidate gave is `known`, and copied anyway."""
    parts = [part for part in containers(namespace[name]) if id(part) not in known]
    return max((sys.getrefcount(parts[place]) for place in range(len(parts))), default=0)


# How often what nothing else holds is.
ALONE = most_held({"held": [{"key": [[]]}]}, "held")


class Members(Outgoing):
    """A class statement's bases, keywords and namespace."""

    def __init__(self, link):
        super().__init__(link.handing, None, link.callbacks)
        # What of its objects the methods use as objects, by the members that lead there.
        self.link, self.members = link, {""}

    def encode(self, value, depth=0):
        if depth:
            return super().encode(value, depth)
        bases, keywords, namespace = value
        if any(name.startswith("test") and callable(one) for name, one in namespace.items()):
            # A runner looks for them here.
            raise LiveObject("tests")
        known = {id(thing.value) for thing in self.link.mirrored.things()}
        if any(most_held(namespace, name, known) > ALONE for name in namespace):
            raise LiveObject("something that it has elsewhere too")
        told = [self.base(base) for base in bases]
        named = [[name, self.one(value)] for name, value in keywords.items()]
        return [told, named, [[name, self.member(value)] for name, value in namespace.items()]]

    def one(self, value):
        return super().encode(value, 1)

    def base(self, base):
        if str(getattr(base, "__module__", "")).partition(".")[0] in RUNNERS or is_exception(base):
            raise LiveObject("a base class of its own")
        if not is_candidates(base) and hasattr(base, "__origin__"):
            getitem = {"library": ["operator", "getitem"]}
            return {"made": [getitem, [self.base(base.__origin__), self.one(base.__args__)], {"dict": []}]}
        is_own = not is_candidates(base) and isinstance(base, type) and not is_in_library(base)
        return self.one(self.link.twin(base) if is_own else base)

    def member(self, value):
        kind = type(value)
        if kind is FunctionType:
            return self.method(value)
        if kind is staticmethod:
            return self.made(kind, [self.function(value.__func__)])
        if kind in WRAPPERS:
            return self.made(kind, [self.held(getattr(value, name)) for name in WRAPPERS[kind]])
        if kind is CACHED:
            size, is_typed = value.cache_parameters().values()
            caching = {"made": [{"library": ["functools", "lru_cache"]}, [size, is_typed], {"dict": []}]}
            return {"made": [caching, [self.held(value.__wrapped__)], {"dict": []}]}
        if kind.__name__ == "Field" and kind.__module__ == "dataclasses":
            return self.field(value)
        is_describing = any(hasattr(kind, name) for name in DESCRIBING)
        if not issubclass(kind, Remote) and (is_describing or kind.__module__ == "enum"):
            raise LiveObject("a live object of type %s" % kind.__name__)
        return self.one(value)

    def held(self, value):
        return self.method(value) if type(value) is FunctionType else self.one(value)

    def method(self, function):
        """A function that is called with an object of the class."""
        if is_abstract(function):
            return self.abstract(self.method(plain(function)))
        self.callbacks.methods[id(function)] = self.members
        self.members.update(members for place, members in used_as_objects(function) if place == 0)
        return {"method": self.function(function)}

    def function(self, value):
        """A function. What it finds wrong, it finds wrong here."""
        if type(value) is not FunctionType:
            return self.one(value)
        if is_abstract(value):
            return self.abstract(self.function(plain(value)))
        if judges(value) and not running(value):
            return self.callback(value)
        begun = set(self.begun)
        try:
            return self.one(value)
        except LiveObject:
            # Something that it uses stays here.
            self.begun.intersection_update(begun)
            return self.callback(value)

    @staticmethod
    def abstract(crossed):
        """A function that is there to be overridden."""
        return {"made": [{"library": ["abc", "abstractmethod"]}, [crossed], {"dict": []}]}

    def callback(self, function):
        crossed = self.callbacks.crossing(function, FunctionType, lambda part: self.encode(part, 1))
        if crossed is None:
            raise LiveObject("a live object of type function")
        return crossed

    def made(self, kind, arguments, keywords=()):
        return {"made": [self.one(kind), arguments, {"dict": [[name, value] for name, value in keywords]}]}

    def field(self, value):
        """What a data class says of an attribute."""
        import dataclasses

        said = [(name, getattr(value, name)) for name in FIELD if hasattr(value, name)]
        known = [(name, self.one(one)) for name, one in said if one is not dataclasses.MISSING and name != "metadata"]
        return {"made": [{"library": ["dataclasses", "field"]}, [], {"dict": [list(pair) for pair in known]}]}


def is_exception(kind):
    return issubclass(type(kind), type) and BaseException in type.mro(kind)


def is_abstract(function):
    return vars(function) == {"__isabstractmethod__": True}


def plain(function):
    """The same function without attributes."""
    return FunctionType(
        function.__code__, function.__globals__, function.__name__, function.__defaults__, function.__closure__)


def judges(function):
    """Whether a function may find something wrong: it asserts something, or compares what it has. There an object would
    say itself what it equals."""
    import dis

    found = [one.opname for part in all_parts(function.__code__) for one in dis.get_instructions(part)]
    return not JUDGING.isdisjoint(found)


class Above:
    """What stands for `super()` in a method of a class that derives from the candidate's."""

    __slots__ = ("link", "of", "chain")

    def __init__(self, *parts):
        for name, part in zip(Above.__slots__, parts):
            object.__setattr__(self, name, part)

    def __getattribute__(self, name):
        link, of, chain = (object.__getattribute__(self, part) for part in Above.__slots__)
        link.forget()
        return link.get(of, name, chain + "." + name)


@functools.wraps(super, updated=())
def above(*args):
    kind, *of = args or called_in(sys._getframe(1))
    if of and is_candidates(of[0]):
        kind = twin_of(kind)
    if not issubclass(type(kind), Function):
        return super(kind, *of)
    link = kind._remote_link
    found = link.operate("super", computed(kind._remote_chain), kind, *of)
    return Above(link, link.checked(lambda: found._remote_of), "super()")


def called_in(frame):
    """The class in whose method a frame is, and what that was called with."""
    names = frame.f_code.co_varnames
    if "__class__" not in frame.f_locals or not frame.f_code.co_argcount:
        raise RuntimeError("super(): no arguments")
    return frame.f_locals["__class__"], frame.f_locals[names[0]]


STANDING[above] = super
