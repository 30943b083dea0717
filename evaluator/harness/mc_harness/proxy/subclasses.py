"""Classes that test code derives from the candidate's: they are made in the candidate's box, of what a class statement
here holds. Functions that keep nothing here cross; others stay, and are called with the object that is there."""

import builtins
import functools
import sys
from json import loads
from types import FunctionType

from .. import encoding
from ..encoding import LiveObject, Refused
from ..names import all_parts
from .chains import computed
from .errors import RUNNERS
from .handing import STANDING
from .named import Class, Function
from .outgoing import Outgoing, is_in_library
from .remote import Remote

# What a class holds of functions, and under which names they are in that.
WRAPPERS = {
    staticmethod: ("__func__",), classmethod: ("__func__",), property: ("fget", "fset", "fdel"),
    functools.cached_property: ("func",),
}
# What has a say in what a class gives for its attributes.
DESCRIBING = ("__get__", "__set__", "__delete__", "__set_name__")
FIELD = ("default", "default_factory", "init", "repr", "hash", "compare", "metadata", "kw_only")


def watch_classes(link):
    """Have class statements make what derives from the candidate's classes in the candidate's box."""
    build = builtins.__build_class__

    def build_class(body, name, /, *bases, **keywords):
        if not any(map(is_candidates, (*bases, keywords.get("metaclass")))):
            return build(body, name, *bases, **keywords)
        return build(body, name, metaclass=Deriving(link, bases, keywords))

    builtins.__build_class__ = build_class


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
    """Of a link: what it knows of classes that the test code derived, by their handles."""

    def begin_deriving(self):
        self.subclasses = {}

    def derive(self, name, bases, keywords, namespace):
        cell = namespace.pop("__classcell__", None)
        described = self.describe_class(name, bases, keywords, namespace, cell)
        self.asked = True
        self.forget()
        reply = self.run(op="derive", name=name, described=described, has_cell=cell is not None)
        self.refresh()
        made = self.made_class(reply, name)
        if cell is not None:
            cell.cell_contents = made
        return made

    def made_class(self, reply, name):
        """What stands for it; a metaclass of the candidate's may give something else in its place."""
        if "class" not in reply:
            return self.read(reply, name)
        handle = self.checked(lambda: int(reply["class"]))
        self.objects.add(name + "()")
        return self.subclasses.setdefault(handle, Class(self, handle, "", name))

    def describe_class(self, name, bases, keywords, namespace, cell):
        """What a class statement holds, as it crosses."""
        try:
            with self.handing.class_of(cell):
                return loads(encoding.encode([bases, keywords, namespace], Members(self.handing, self.callbacks)))
        except Refused as refusal:
            return self.leave_class(name, "the test code derives a class from the candidate's with %s" % refusal)

    def leave_class(self, _, reason):
        self.leave("unshieldable", reason)


class Members(Outgoing):
    """A class statement's bases, keywords and namespace."""

    def __init__(self, handing, callbacks):
        super().__init__(handing, None, callbacks)

    def encode(self, value, depth=0):
        if depth:
            return super().encode(value, depth)
        bases, keywords, namespace = value
        told = [self.base(base) for base in bases]
        named = [[name, self.one(value)] for name, value in keywords.items()]
        return [told, named, [[name, self.member(value)] for name, value in namespace.items()]]

    def one(self, value):
        return super().encode(value, 1)

    def base(self, base):
        is_own = isinstance(base, type) and not is_candidates(base) and not is_in_library(base)
        if is_own or str(getattr(base, "__module__", "")).partition(".")[0] in RUNNERS:
            raise LiveObject("a base class of its own")
        return self.one(base)

    def member(self, value):
        kind = type(value)
        if kind is FunctionType:
            return self.method(value)
        if kind is staticmethod:
            return self.made(kind, [self.function(value.__func__)])
        if kind in WRAPPERS:
            return self.made(kind, [self.held(getattr(value, name)) for name in WRAPPERS[kind]])
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
        self.callbacks.methods.add(id(function))
        return {"method": self.function(function)}

    def function(self, value):
        """A function, which may be there only to be overridden. What it finds wrong, it finds wrong here."""
        if type(value) is not FunctionType:
            return self.one(value)
        if vars(value) == {"__isabstractmethod__": True}:
            abstract = {"library": ["abc", "abstractmethod"]}
            return {"made": [abstract, [self.function(plain(value))], {"dict": []}]}
        if asserts(value):
            return self.callback(value)
        return self.one(value)

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


def plain(function):
    """The same function without attributes: always the same, so that it has one number."""
    return FunctionType(
        function.__code__, function.__globals__, function.__name__, function.__defaults__, function.__closure__)


def asserts(function):
    import dis

    return any(
        one.opname == "LOAD_ASSERTION_ERROR"
        for part in all_parts(function.__code__) for one in dis.get_instructions(part))


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
    if not issubclass(type(kind), Function):
        return super(kind, *of)
    link = kind._remote_link
    found = link.operate("super", computed(kind._remote_chain), kind, *of)
    return Above(link, found._remote_of, "super()")


def called_in(frame):
    """The class in whose method a frame is, and what that was called with."""
    names = frame.f_code.co_varnames
    if "__class__" not in frame.f_locals or not frame.f_code.co_argcount:
        raise RuntimeError("super(): no arguments")
    return frame.f_locals["__class__"], frame.f_locals[names[0]]


STANDING[above] = super
