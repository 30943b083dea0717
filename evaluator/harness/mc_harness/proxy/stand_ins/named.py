"""What the test code calls by its name: functions and classes of the candidate's."""

import sys
from types import FunctionType, MappingProxyType, MethodType

from ..wire.chains import CLASS, computed, element
from ..wire.copying import Copied
from ..wire.derived import Derived
from ..wire.errors import RUNNERS, Taken
from ..wire.in_both import is_in_both
from ..wire.plain import METHODS
from ..wire.remote import Remote
from .autospec import is_after
from .doubted import DECIDING, is_live, is_own
from .records import CLASSES
from .unions import joined


class Function(Copied, Remote):
    """What the test code calls by its name: a function or a class."""

    __slots__ = ()
    _remote_special = (
        "__abstractmethods__", "__annotations__", "__base__", "__code__", "__defaults__", "__flags__",
        "__func__", "__kwdefaults__", "__match_args__", "__name__", "__qualname__", "__subclasses__", "__wrapped__",
    )

    # In place of this class's own.
    __doc__ = property(lambda self: self._remote_link.get(self._remote_of, self._remote_below("__doc__"), ""))
    __class__ = property(lambda self: self._remote_link.kind_of(self._remote_of, self._remote_path))
    __bases__ = property(lambda self: self._remote_bases())
    __dict__ = property(lambda self: self._remote_members())
    __mro__ = property(lambda self: self._remote_link.mro(self._remote_of, self._remote_path))

    def _remote_bases(self):
        """A runner of tests asks by `issubclass`, to find its own classes among all names: this is none of them."""
        if sys._getframe(2).f_globals.get("__name__", "").partition(".")[0] in RUNNERS:
            return ()
        return self._remote_link.mro(self._remote_of, self._remote_path, direct=True)

    def _remote_members(self):
        """What it has of its own, functions as such."""
        link, chain = self._remote_link, self._remote_chain
        held = link.get(self._remote_of, self._remote_below("__dict__"), chain + ".__dict__")
        return MappingProxyType({name: as_function(value) for name, value in held.items()})

    def _remote_as_object(self, name):
        if name in METHODS and DECIDING.fullmatch(name):
            self._remote_must_be_class()
        super()._remote_as_object(name)

    def _remote_must_be_class(self):
        """A class that decides something must be named as one, unless the test code uses it as one: else it may be in
        the place of a constant."""
        if CLASS.fullmatch(self._remote_chain) is None:
            self._remote_must_be_known()

    def __get__(self, owner, kind=None):
        """What decorates a method of the test code's is one."""
        is_function = owner is not None and self.__class__ is FunctionType
        return MethodType(self, owner) if is_function else self

    @property
    def __signature__(self):
        return self._remote_link.signature(self._remote_of, self._remote_path)

    def __instancecheck__(self, value):
        """Of the test code's own objects a class may say so too: a protocol by what they have, an abstract class as it
        was told of them; of plain data where one may have been."""
        if type(value).__module__ == "unittest.mock":
            return is_after(value, self)
        if type(value) in CLASSES:
            return self.__subclasscheck__(CLASSES[type(value)])
        is_remote = issubclass(type(value), (Remote, Derived))
        may_say = is_of_test_code(value) or "register" in self._remote_link.named
        is_asked = is_remote or may_say and self._remote_link.can_send(value)
        return is_asked and self._remote_link.is_instance(value, self)

    def __subclasscheck__(self, kind):
        # What the test code raises is none of a class that is no exception's.
        if issubclass(type(kind), type) and BaseException in type.mro(kind) and not issubclass(kind, Taken):
            return False
        return self._remote_link.operate("issubclass", computed(self._remote_chain), kind, self)

    def __eq__(self, other):
        """Two may stand for the same, such as a class by its name and as that of an object, or for equal methods."""
        if is_in_both(other):
            return self._remote_link.operate("is_", computed(self._remote_chain), self, other)
        if self is other or not issubclass(type(other), Remote):
            self._remote_link.asked = True
            return self is other
        is_equal = self._remote_link.operate("__eq__", computed(self._remote_chain), self, other)
        if is_equal is True and is_live(other):
            other._remote_must_not_equal_all()
        return is_equal

    def __bool__(self):
        # It may be an object that can be called, and has a say in that.
        return self._remote_link.truth(self._remote_of, self._remote_path)

    def __hash__(self):
        """One for all functions and classes; an object that can be called has its own, wherever it came from."""
        link, place = self._remote_link, (self._remote_of, self._remote_path)
        if place not in link.hashes:
            link.hashes[place] = hash(Function) if self.__class__ is not Function else self._remote_hash()
        return link.hashes[place]

    def _remote_hash(self):
        path, chain = self._remote_below("__hash__"), self._remote_chain + ".__hash__"
        return self._remote_link.call(self._remote_of, path, chain, (), {})

    def __or__(self, other):
        return joined(self, other) if self.__class__ is type else NotImplemented

    def __ror__(self, other):
        return joined(other, self) if self.__class__ is type else NotImplemented

    def __dir__(self):
        return self._remote_link.operate("dir", computed(self._remote_chain), self)

    def __mro_entries__(self, _):
        self._remote_link.leave("unshieldable", "the test code derives a class from the candidate's")


class Answered(Function):
    """A class that the test code derived and an answer holds: it may be in the place of plain data."""

    __slots__ = ()
    __doc__ = vars(Function)["__doc__"]

    def _remote_as_object(self, name):
        if name in METHODS:
            self._remote_must_be_class()
        super()._remote_as_object(name)


def as_function(value):
    """A function that came among other things, as what it is."""
    if not is_live(value) or value._remote_link.kind_of(value._remote_of, value._remote_path) is not FunctionType:
        return value
    return Function(value._remote_link, value._remote_of, value._remote_path, value._remote_chain)


def is_of_test_code(value):
    return type(value).__module__ == "__main__" and not isinstance(value, BaseException)


class Class(Function):
    """What the test code may iterate over or index too, such as an enumeration."""

    __slots__ = ()
    __doc__ = vars(Function)["__doc__"]

    def __iter__(self):
        return self._remote_link.iterate(self._remote_of, self._remote_path, self._remote_chain)

    def __len__(self):
        return self._remote_link.operate("len", computed(self._remote_chain), self)

    def __getitem__(self, key):
        # A generic class is the same class of whatever kinds.
        is_generic = isinstance(key, (type, tuple, Function))
        chain = self._remote_chain if is_generic else element(self._remote_chain)
        return self._remote_link.operate("getitem", chain, self, key)

    def __contains__(self, value):
        if not is_own(value):
            self._remote_must_be_class()
        return self._remote_link.operate("contains", computed(self._remote_chain), self, value)


# In place of this class's own, which Python has read.
Class.__slots__ = property(lambda self: self._remote_link.get(self._remote_of, self._remote_below("__slots__"), ""))


class Made(Class):
    """One that the test code derives from the candidate's, which knows of what."""

    __slots__ = ("_remote_bases",)
    __doc__ = vars(Function)["__doc__"]
    __bases__ = property(lambda self: self._remote_bases)

    def __init__(self, link, of, name, bases):
        super().__init__(link, of, "", name)
        object.__setattr__(self, "_remote_bases", bases)


class Given(Answered, Class):
    """A class that the candidate gave. It is no other class, whatever its own class says of that."""

    __slots__ = ()
    __doc__ = vars(Function)["__doc__"]

    def __eq__(self, other):
        if self is other or not issubclass(type(other), Remote):
            return self is other
        return self._remote_link.operate("is_", computed(self._remote_chain), self, other)

    __hash__ = Function.__hash__

    def __bool__(self):
        self._remote_must_be_known()
        return super().__bool__()
