"""What stands in the test code for things of the candidate's, which stay in its own box.

Each knows the chain of names, calls and attributes by which the test code came to it: `Stack().top`. What is called,
or asked for an attribute that no plain data has, is an object by the test code's own account; the chain is then noted.
Of all others it is not known whether the test code wants plain data in their place, and then nothing may be asked of
them that an object made for the purpose could answer as it likes.
"""

import copy
import re
from itertools import islice
from numbers import Number
from operator import index
from types import SimpleNamespace

from .asked import operation
from .chains import CAPITAL, CLASS, INSTANCE, SMALL, computed, element, is_of_class
from .derived import ARITHMETIC, COLLECTIONS, COMPARISONS, UNARY, Derived
from .iterating import Held
from .likeness import tried
from .plain import DATA, METHODS, NOT_PLAIN

# How many values an object may give before it is no longer looked through for one.
MOST_HELD = 100_000
# Methods of plain data that decide something.
DECIDING = re.compile(r"is\w+|startswith|endswith")
# What plain data gives the same whenever it is asked.
SETTLED = frozenset("__%s__" % name for name in "complex float hash index int repr round str".split())
# Operators whose result tells how far off something is.
DIFFERENCES = ("__sub__", "__isub__")
COMPARED = "the test code compares a live object with plain data, or computes with both"


class Remote:
    """Of names with two underscores it hands on those in `_remote_special`. What is its own is named so that no
    candidate has it too."""

    __slots__ = ("_remote_chain", "_remote_link", "_remote_of", "_remote_path")
    _remote_special = ()
    # Why it is no plain data, where that is known.
    _remote_reason = None

    def __init__(self, link, of, path, chain):
        """Of the handle `of`, or of the candidate's module where that is None, what lies under `path`."""
        for name, value in zip(Remote.__slots__, (chain, link, of, path)):
            object.__setattr__(self, name, value)

    def __getattr__(self, name):
        if name.startswith("__") and name.endswith("__") and name not in self._remote_special:
            raise AttributeError(name)
        self._remote_as_object(name)
        return self._remote_link.get(self._remote_of, self._remote_below(name), self._remote_chain + "." + name)

    def __setattr__(self, name, value):
        self._remote_is_object()
        self._remote_link.set(self._remote_of, self._remote_path, name, value)

    def __delattr__(self, name):
        self._remote_is_object()
        self._remote_link.delete(self._remote_of, self._remote_path, name)

    def __call__(self, *args, **kwargs):
        self._remote_link.settled.clear()
        return self._remote_link.call(self._remote_of, self._remote_path, self._remote_chain, args, kwargs)

    def _remote_as_object(self, name):
        """The test code asks for an attribute."""
        self._remote_is_object()

    def _remote_is_object(self):
        self._remote_link.objects.add(self._remote_chain)

    def _remote_must_be_known(self):
        """As an object, by how the test code uses what this chain leads to."""
        if self._remote_chain not in self._remote_link.objects:
            self._remote_link.leave("live", self._remote_reason or NOT_PLAIN, chain=self._remote_chain)

    def _remote_below(self, name):
        return self._remote_path + "." + name if self._remote_path else name


class Function(Remote):
    """What the test code calls by its name: a function or a class."""

    __slots__ = ()
    _remote_special = (
        "__abstractmethods__", "__annotations__", "__code__", "__defaults__", "__name__", "__qualname__", "__wrapped__",
    )
    # For `issubclass`, by which a runner of tests finds its own classes among all names: this is none of them.
    __bases__ = ()

    # In place of this class's own.
    __doc__ = property(lambda self: self._remote_link.get(self._remote_of, self._remote_below("__doc__"), ""))
    __class__ = property(lambda self: self._remote_link.kind_of(self._remote_of, self._remote_path))

    def _remote_as_object(self, name):
        if name in METHODS and DECIDING.fullmatch(name):
            self._remote_must_be_class()
        super()._remote_as_object(name)

    def _remote_must_be_class(self):
        """A class that decides something must be named as one, unless the test code uses it as one: else it may be in
        the place of a constant."""
        if CLASS.fullmatch(self._remote_chain) is None:
            self._remote_must_be_known()

    @property
    def __signature__(self):
        return self._remote_link.signature(self._remote_of, self._remote_path)

    def __instancecheck__(self, value):
        return issubclass(type(value), (Remote, Derived)) and self._remote_link.is_instance(value, self)

    def __subclasscheck__(self, kind):
        return self._remote_link.operate("issubclass", computed(self._remote_chain), kind, self)

    def __eq__(self, other):
        """Two may stand for the same: a class, by its name and as that of an object."""
        if self is other or not isinstance(other, Function):
            return self is other
        return self._remote_link.operate("is_", computed(self._remote_chain), self, other)

    def __hash__(self):
        return hash(Function)

    def __mro_entries__(self, _):
        self._remote_link.leave("unshieldable", "the test code derives a class from the candidate's")


class Class(Function):
    """What the test code may iterate over or index too, such as an enumeration."""

    __slots__ = ()
    __doc__ = vars(Function)["__doc__"]

    def __iter__(self):
        return self._remote_link.iterate(self._remote_of, self._remote_path, self._remote_chain)

    def __len__(self):
        return self._remote_link.operate("len", computed(self._remote_chain), self)

    def __getitem__(self, key):
        return self._remote_link.operate("getitem", element(self._remote_chain), self, key)

    def __contains__(self, value):
        if not is_own(value):
            self._remote_must_be_class()
        return self._remote_link.operate("contains", computed(self._remote_chain), self, value)


# In place of this class's own, which Python has read.
Class.__slots__ = property(lambda self: self._remote_link.get(self._remote_of, self._remote_below("__slots__"), ""))


def is_own(value):
    """Whether a value is the candidate's, or holds nothing else: then all that it is compared with may be."""
    if type(value) in (list, tuple):
        return bool(value) and all(map(is_own, value))
    return issubclass(type(value), (Guarded, Derived))


def is_live(value):
    """Whether it is an object whose value has not come here."""
    return issubclass(type(value), Guarded)


def compared(name):
    """A comparison. What the candidate's own objects make of each other says no more than a result of its own; where
    anything else comes in, its method would be told what is expected."""

    def compare(self, other):
        if other is None and name in ABSENT:
            return ABSENT[name]
        if is_live(other) and not self._remote_is_known():
            self._remote_must_compare_as_data(name, other)
        if is_own(other):
            return self._remote_link.operate(name, computed(self._remote_chain), self, other)
        return self._remote_with_data(name, other)

    return compare


# What there is to say of an object and None, which tells it nothing.
ABSENT = {"__eq__": False, "__ne__": True}


def operated(name, is_reflected=False):
    """Any other operator. Plain data that comes in may be what is expected too: a difference often is from that."""

    def operate(self, *other):
        operands = (*other, self) if is_reflected else (self, *other)
        if not all(map(is_own, other)):
            return self._remote_with_plain(name, operands)
        result = self._remote_link.operate(name, computed(self._remote_chain), *operands)
        if not is_live(result):
            self._remote_must_not_be_told()
            if not self._remote_is_known():
                self._remote_must_be_known()
        return self._remote_or_same(name, result)

    return operate


def cancels(name, operands, result):
    """Whether a sum says, by next to nothing, what the negative number that went into it should have been."""
    numbers = [one for one in (*operands, result) if isinstance(one, (int, float))]
    is_sum = name in ("__add__", "__iadd__") and len(numbers) > 1
    return is_sum and min(numbers) < 0 and 100 * abs(result) <= abs(min(numbers))


class Guarded(Remote):
    """An object of the candidate's. It is never compared with plain data: its own methods would say what the comparison
    gives. `reason` says why it is no plain data, where it came in place of some; `is_true` that its class is one of the
    library's of which all are."""

    __slots__ = ("_remote_is_true", "_remote_reason")
    _remote_special = ("__dict__", "__name__", "__qualname__", "__wrapped__")

    # In place of this class's own.
    __doc__ = property(lambda self: self._remote_link.get(self._remote_of, self._remote_below("__doc__"), ""))

    def __init__(self, link, of, path, chain, reason=None, is_true=False):
        super().__init__(link, of, path, chain)
        object.__setattr__(self, "_remote_reason", reason and "it gave back %s" % reason)
        object.__setattr__(self, "_remote_is_true", is_true)

    def _remote_as_object(self, name):
        if name not in DATA and name in METHODS:
            self._remote_must_answer(name)
        elif name not in DATA:
            super()._remote_as_object(name)

    def _remote_must_be_object(self):
        """The same, where the object would decide something. What one value holds may be objects and plain data."""
        if self._remote_chain.endswith("[]"):
            self._remote_link.leave("candidate", self._remote_reason or NOT_PLAIN)
        self._remote_must_be_known()

    def _remote_must_answer(self, name):
        """Unless a method decides something, it is enough that the object looks like an instance of a class, by the
        name of what made it (functions are seldom named so), or that it is one of a class that was called."""
        if DECIDING.fullmatch(name):
            self._remote_must_be_object()
        elif not self._remote_is_instance():
            self._remote_must_be_known()

    def _remote_is_known(self):
        """Whether test code has it of a class, by the name of that, or uses it as an object."""
        return self._remote_chain in self._remote_link.objects or is_of_class(self._remote_chain)

    def _remote_must_compare_as_data(self, name, other):
        """Where test code may want plain data, two that equal some must compare as that does: else one made for the
        purpose would be in any order."""
        mine, theirs = self._remote_as_data(), other._remote_as_data()
        ask = self._remote_link.operate
        if mine and theirs:
            said = ask(name, computed(self._remote_chain), self, other)
            if tried(lambda: operation(name)(mine[0], theirs[0])) != [said]:
                self._remote_must_be_known()
        elif name in ABSENT:
            # Both at once would make it equal to others, and different from them.
            equal, differs = (ask(one, computed(self._remote_chain), self, other) is True for one in ABSENT)
            if equal is differs:
                self._remote_must_be_known()

    def _remote_as_data(self):
        """The plain data in whose place it may be, if there is some: what it is, what it equals, what it gives, or what
        it can be converted to."""
        place = self._remote_of, self._remote_path, "data"
        settled = self._remote_link.settled
        if place not in settled:
            content = self._remote_content()
            settled[place] = list(self._remote_forms()[:1] if content is None else content[:1])
            settled[place] = settled[place] or self._remote_given() or self._remote_converted()
        return settled[place]

    def _remote_given(self):
        """What it gives when it is iterated over, if that is plain data."""
        given = tried(lambda: list(islice(iter(self), MOST_HELD)))
        return [] if any(map(is_live, given[0] if given else ())) else given

    def _remote_converted(self):
        return tried(lambda: index(self)) or tried(lambda: float(self))

    def _remote_is_instance(self):
        chain = self._remote_chain
        return INSTANCE.fullmatch(chain) is not None or chain.rstrip("~!") in self._remote_link.instances

    def _remote_or_same(self, name, result):
        """An operator that works in place gives the object itself; any other, something that was made by it."""
        if name not in IN_PLACE or not is_live(result):
            return result
        return self if result._remote_of == self._remote_of and not self._remote_path else result

    def _remote_is_made(self):
        """Whether it is what a class with a capital initial made, by the candidate's account, or operators
        of that, which were told nothing."""
        chain = self._remote_chain
        return chain.rstrip("~") in self._remote_link.instances and CAPITAL.fullmatch(chain) is not None

    def _remote_is_capital(self):
        """Whether it is an instance by the initial of its class and, if that was called, by the candidate's account."""
        made = self._remote_chain.rstrip("~")
        is_made = not made.endswith("()") or made in self._remote_link.instances
        return is_made and CAPITAL.fullmatch(self._remote_chain) is not None

    def _remote_content(self):
        """What it holds, unless others like it were told plain data: what is expected, maybe."""
        return None if self._remote_is_told() else self._remote_link.content(self)

    def _remote_with_data(self, name, other):
        """Compare it with plain data: by what it holds, where its class derives from a builtin one, whatever methods
        that has of its own, and else by what of that it says it equals. Of others only that they differ is believed."""
        content = self._remote_content()
        if content is not None:
            return operation(name)(content[0], other)
        forms = self._remote_forms() if name in ABSENT else ()
        if forms:
            return any(form == other for form in forms) is (name == "__eq__")
        if type(other) is SimpleNamespace:
            self._remote_link.leave("candidate", NOT_PLAIN)
        if name != "__ne__" or not self._remote_differs(other):
            self._remote_used()
        return True

    def _remote_forms(self):
        """What it equals by its own account, on the same terms."""
        is_told = "!" in self._remote_chain or self._remote_is_told()
        return () if is_told else self._remote_link.likeness(self)

    def _remote_is_told(self):
        return self._remote_chain.rstrip("~!") in self._remote_link.told

    def _remote_is_misnamed(self):
        """Whether it is an instance of a class where the name is that of a function."""
        return SMALL.fullmatch(self._remote_chain) is not None and self._remote_chain in self._remote_link.instances

    def _remote_differs(self, other):
        """Whether it is an instance that says so of plain data."""
        is_instance = self._remote_is_capital() or self._remote_chain in self._remote_link.objects
        self._remote_link.told.add(self._remote_chain.rstrip("~!"))
        return is_instance and self._remote_link.operate("ne", computed(self._remote_chain), self, other) is True

    def _remote_used(self):
        self._remote_must_be_object()
        self._remote_link.leave("unshieldable", COMPARED, meets=True)

    def _remote_with_plain(self, name, operands):
        """A builtin's operator is asked here. One of its own that measures makes an object of it and plain data, and so
        says nothing of what the plain data was."""
        content = None if name in IN_PLACE else self._remote_content()
        if content is not None and name not in content[1]:
            return operation(name)(*(content[0] if operand is self else operand for operand in operands))
        is_named_so = self._remote_is_made() or self._remote_is_instance() and not self._remote_chain[:1].islower()
        if name in DIFFERENCES or not is_named_so:
            self._remote_must_be_object()
        measures = self._remote_measures(name, content, operands)
        result = self._remote_link.operate(name, computed(self._remote_chain, is_told=measures), *operands)
        if not is_live(result) and (measures or cancels(name, operands, result)):
            self._remote_used()
        elif not is_live(result):
            self._remote_must_not_be_told()
        return self._remote_or_same(name, result)

    def _remote_measures(self, name, content, operands):
        """Whether an operator that is told plain data could tell how far off it is. A sum can where one was negated;
        and no number is what is expected of a collection."""
        if name in ("__add__", "__iadd__"):
            return "~" in self._remote_chain
        is_collection = content is not None and isinstance(content[0], (*COLLECTIONS, list))
        return name != "__divmod__" and not (is_collection and any(isinstance(one, Number) for one in operands))

    def _remote_must_not_be_told(self):
        """What may be expected, before it gives a number, unless it is known as an object."""
        if "!" in self._remote_chain:
            self._remote_must_be_known()

    def _remote_method(self, name, *args):
        """Call one of its special methods."""
        path, chain = self._remote_below(name), self._remote_chain + "." + name
        settled = None if name not in SETTLED or self._remote_is_known() else self._remote_link.settled
        if settled is not None and (self._remote_of, path, args) in settled:
            return settled[self._remote_of, path, args]
        try:
            result = self._remote_link.call(self._remote_of, path, chain, args, {})
            if settled is not None:
                settled[self._remote_of, path, args] = result
            return result
        except AttributeError as error:
            if name not in str(error):
                raise
            raise without(name, error) from None

    def _remote_held(self):
        """What it may not give in two ways, if it may be in the place of a collection."""
        if self._remote_chain in self._remote_link.objects:
            return None
        return self._remote_link.held.setdefault((self._remote_of, self._remote_path), Held(self._remote_link))

    # What is told nothing of what is expected, and gives what is then compared here, is as good as any other method.
    def __len__(self):
        length, held = self._remote_method("__len__"), self._remote_held()
        if held is None:
            return length
        held.says(length)
        # Iterating over it checks that.
        tried(lambda: list(islice(iter(self), MOST_HELD)))
        return length

    def __iter__(self):
        iterator = self._remote_link.iterate(self._remote_of, self._remote_path, self._remote_chain)
        held = self._remote_held()
        return iterator if held is None or iterator.is_of(self._remote_of) else held.begins(iterator)

    def __aiter__(self):
        return self._remote_link.iterate_awaiting(self._remote_of, self._remote_path, self._remote_chain)

    def __next__(self):
        return self._remote_link.step(self._remote_of, self._remote_path, self._remote_chain)

    def __getitem__(self, key):
        if self._remote_is_known() or not isinstance(key, (int, str, slice)):
            return self._remote_item(key)
        settled, place = self._remote_link.settled, (self._remote_of, self._remote_path, "[]", repr(key))
        if place not in settled:
            settled[place] = self._remote_item(key)
            self._remote_must_be_as_given(key, settled[place])
        return settled[place]

    def _remote_must_be_as_given(self, key, item):
        """What may be a list has under an index what it gives there."""
        given = () if isinstance(key, str) else self._remote_given()
        found = item._remote_as_data() if is_live(item) else [item]
        if given and tried(lambda: given[0][key]) != found or not found and isinstance(key, slice):
            self._remote_must_be_known()

    def _remote_item(self, key):
        return self._remote_link.operate("getitem", element(self._remote_chain), self, key)

    def __str__(self):
        return self._remote_method("__str__")

    def __repr__(self):
        return self._remote_method("__repr__")

    def __int__(self):
        self._remote_must_not_be_told()
        return self._remote_method("__int__")

    def __float__(self):
        self._remote_must_not_be_told()
        return self._remote_method("__float__")

    def __complex__(self):
        self._remote_must_not_be_told()
        return self._remote_method("__complex__")

    def __index__(self):
        return self._remote_method("__index__")

    def __hash__(self):
        # What may be plain data is found by what it equals.
        if not self._remote_is_known() and self._remote_as_data():
            return hash(Guarded)
        return self._remote_method("__hash__")

    def __round__(self, *digits):
        self._remote_must_not_be_told()
        return self._remote_method("__round__", *digits)

    def __reversed__(self):
        return self._remote_method("__reversed__")

    def __copy__(self):
        return self._remote_link.operate("copy", self._remote_chain, self)

    def __deepcopy__(self, _):
        return self._remote_link.operate("deepcopy", self._remote_chain, self)

    def __format__(self, form):
        return self._remote_method("__format__", form)

    def __reduce_ex__(self, _):
        """What comes out of a pickle is a copy."""
        LINKS[id(self._remote_link)] = self._remote_link
        return copied, (id(self._remote_link), self._remote_of, self._remote_path, self._remote_chain)

    # The rest is for objects alone.
    def __bool__(self):
        if self._remote_is_true and not self._remote_is_misnamed():
            return True
        if self._remote_chain not in self._remote_link.objects:
            content = self._remote_link.content(self)
            if content is not None and content[1].isdisjoint(("__bool__", "__len__")):
                return bool(content[0])
            if content is None and self._remote_is_made() and not self._remote_is_told():
                return self._remote_link.settled_truth(self._remote_of, self._remote_path)
            self._remote_must_be_known()
        return self._remote_link.truth(self._remote_of, self._remote_path)

    def __contains__(self, value):
        if is_own(value):
            return self._remote_says_it_holds(value)
        if self._remote_chain not in self._remote_link.objects:
            content = self._remote_link.content(self)
            if content is not None and content[1].isdisjoint(("__contains__", "__iter__")):
                return value in content[0]
            if self._remote_is_capital():
                return self._remote_holds(value)
        self._remote_must_be_object()
        return self._remote_says_it_holds(value)

    def _remote_says_it_holds(self, value):
        return self._remote_link.operate("contains", computed(self._remote_chain), self, value)

    def _remote_holds(self, value):
        """Whether plain data is in what may be in the place of a collection: where what it gives says the same, or
        where objects like it say so of some data and not of other."""
        is_given = self._remote_gives(value)
        is_held = self._remote_says_it_holds(value)
        if is_given is None and self._remote_is_made():
            self._remote_link.held_to.setdefault(self._remote_chain.rstrip("~"), set()).add(is_held)
        elif is_held is not is_given:
            self._remote_must_be_object()
        return is_held

    def _remote_gives(self, value):
        """Whether it gives plain data when it is iterated over; None if that cannot be told."""
        try:
            given = list(islice(iter(self), MOST_HELD))
        except Exception:
            return None
        return None if len(given) == MOST_HELD else value in given

    def __setitem__(self, key, value):
        self._remote_must_answer("__setitem__")
        self._remote_method("__setitem__", key, value)

    def __delitem__(self, key):
        self._remote_must_answer("__delitem__")
        self._remote_method("__delitem__", key)

    def __call__(self, *args, **kwargs):
        self._remote_is_object()
        return super().__call__(*args, **kwargs)

    def __enter__(self):
        self._remote_is_object()
        return self._remote_method("__enter__")

    def __exit__(self, kind, error, trace):
        return self._remote_exit("__exit__", error) is True and may_be_suppressed(error)

    def __aenter__(self):
        self._remote_is_object()
        return self._remote_method("__aenter__")

    async def __aexit__(self, kind, error, trace):
        return await self._remote_exit("__aexit__", error) is True and may_be_suppressed(error)

    def _remote_exit(self, name, error):
        chain = self._remote_chain + "." + name
        return self._remote_link.exit(self._remote_of, self._remote_path, name, chain, error)


# Those through which pickled stand-ins ask.
LINKS = {}


def copied(link, of, path, chain):
    return copy.deepcopy(Guarded(LINKS[link], of, path, chain))


def may_be_suppressed(error):
    """Whether a context of the candidate's may end what the test code raises there: not what that finds wrong."""
    is_finding = isinstance(error, AssertionError) and not hasattr(error, "candidate")
    return isinstance(error, Exception) and not is_finding


IN_PLACE = frozenset("__i%s__" % name for name in ARITHMETIC)
for special in COMPARISONS:
    setattr(Guarded, special, compared(special))
for special in (*IN_PLACE, *UNARY, *("__%s__" % name for name in (*ARITHMETIC, "divmod"))):
    setattr(Guarded, special, operated(special))
for name in (*ARITHMETIC, "divmod"):
    setattr(Guarded, "__r%s__" % name, operated("__%s__" % name, is_reflected=True))


def without(name, error):
    """What Python raises where a class has no such method."""
    lacking = TypeError("the object has no %s" % name)
    lacking.candidate = error.candidate
    return lacking
