"""What stands for an object of the candidate's: its special methods, by what may be believed of them."""

import sys
from collections.abc import Mapping, Sequence
from contextlib import suppress
from itertools import islice
from math import ceil, floor
from os import urandom
from types import FunctionType, MethodType

from ..analysis.adding import takes_in
from ..wire.chains import COMBINED, computed, element
from ..wire.channel import ALWAYS
from ..wire.copying import Copied
from ..wire.descriptors import METHODS, describe
from ..wire.likeness import tried
from .doubted import MOST_HELD, is_live, is_own
from .iterating import Held, Retold
from .named import Function
from .operated import Operated

# How often it is asked for what nobody would put there: of many collections half the numbers are members.
DRAWS = 32


class Guarded(Copied, Operated):
    """An object of the candidate's."""

    __slots__ = ()
    _remote_special = (
        "__annotations__", "__defaults__", "__dict__", "__kwdefaults__", "__name__", "__qualname__", "__wrapped__",
    )

    # In place of this class's own.
    __doc__ = property(lambda self: self._remote_link.get(self._remote_of, self._remote_below("__doc__"), ""))

    def __mro_entries__(self, _):
        self._remote_link.leave("unshieldable", "the test code derives a class from the candidate's")

    def __set_name__(self, owner, name):
        """In a class of the test code's it may be a descriptor."""
        self._remote_is_object()
        methods = self._remote_link.operate("methods", computed(self._remote_chain), self, METHODS)
        describe(owner, name, self, [method for method in METHODS if method in methods])

    def __get__(self, owner, kind=None):
        """What decorates a method of the test code's is one."""
        link = self._remote_link
        is_function = owner is not None and link.kind_of(self._remote_of, self._remote_path) is FunctionType
        return MethodType(self, owner) if is_function else self

    def _remote_held(self):
        """What it may not give in two ways, if it may be in the place of a collection."""
        if self._remote_chain in self._remote_link.objects or self._remote_is_shown() or self._remote_is_made():
            return None
        return self._remote_link.held.setdefault((self._remote_of, self._remote_path), Held(self._remote_link))

    # What is told nothing of what is expected, and gives what is then compared here, is as good as any other method.
    def __len__(self):
        length, held = self._remote_method("__len__"), self._remote_held()
        if held is None:
            return length
        held.says(length)
        # Iterating over it checks that.
        tried(lambda: list(islice(self._remote_iterator(self._remote_unless("__getitem__")), MOST_HELD)))
        return length

    def __iter__(self):
        return self._remote_iterator()

    def _remote_unless(self, name):
        """The method for whose sake what a class made is not asked for indices unasked: it may count them."""
        return (name,) if self._remote_is_made() else ()

    def _remote_iterator(self, unless=()):
        """What it gives to be iterated over. A class without `__iter__` is not asked for that `unless` it lacks certain
        other methods."""
        iterator = self._remote_link.iterate(self._remote_of, self._remote_path, self._remote_chain, unless)
        held = self._remote_held()
        if held is None:
            return iterator
        if iterator.is_of(self._remote_of):
            return Retold(iterator, held.goes_on(iterator), lambda: iter(self))
        return Retold(iterator, held.begins(iterator))

    def __aiter__(self):
        return self._remote_link.iterate_awaiting(self._remote_of, self._remote_path, self._remote_chain)

    def __await__(self):
        return self._remote_link.awaited(self._remote_of, self._remote_path, self._remote_chain).__await__()

    def __anext__(self):
        return self._remote_method("__anext__")

    def __next__(self):
        return self._remote_link.step(self._remote_of, self._remote_path, self._remote_chain)

    def __getitem__(self, key):
        if self._remote_is_known():
            return self._remote_item(key)
        settled, place = self._remote_link.settled, (self._remote_of, self._remote_path, "[]", written(key))
        if place not in settled:
            settled[place] = self._remote_item(key)
            self._remote_must_be_as_given(key, settled[place])
        return settled[place]

    def _remote_must_be_as_given(self, key, item):
        """What may be a list has under an index what it gives there."""
        given = self._remote_all_given() if isinstance(key, (int, slice)) else ()
        found = tried(lambda: given[0][key])
        if given and not (found and are_alike(found[0], item)):
            self._remote_must_be_known()
        if isinstance(key, slice) and is_live(item) and not item._remote_as_data():
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
        # What is none is converted to one by way of a real number.
        return self._remote_method("__complex__") if self._remote_has("__complex__") else complex(float(self))

    def __index__(self):
        return self._remote_method("__index__")

    def __hash__(self):
        # What may be plain data is found by what it equals.
        if not self._remote_is_known() and self._remote_as_data():
            self._remote_link.hid = True
            return hash(Guarded)
        hashes, place = self._remote_link.hashes, (self._remote_of, self._remote_path)
        if place not in hashes:
            hashes[place] = hash(Function) if self._remote_is_function() else self._remote_method("__hash__")
        return hashes[place]

    def _remote_is_function(self):
        """Whether it is a function or a class, which has to be found where it is a key under its own name."""
        return self._remote_link.kind_of(self._remote_of, self._remote_path) is not Function

    def __radd__(self, other):
        if takes_in(other, sys._getframe(1)) and not self._remote_has("__radd__"):
            return NotImplemented
        return super().__radd__(other)

    def __round__(self, *digits):
        self._remote_must_not_be_told()
        return self._remote_method("__round__", *digits)

    def __floor__(self):
        return self._remote_rounded("__floor__", floor)

    def __ceil__(self):
        return self._remote_rounded("__ceil__", ceil)

    def __trunc__(self):
        self._remote_must_not_be_told()
        return self._remote_method("__trunc__")

    def _remote_rounded(self, name, otherwise):
        self._remote_must_not_be_told()
        return self._remote_method(name) if self._remote_has(name) else otherwise(float(self))

    def __bytes__(self):
        return self._remote_method("__bytes__") if self._remote_has("__bytes__") else bytes(list(self))

    def __dir__(self):
        return self._remote_link.operate("dir", self._remote_chain, self)

    def __reversed__(self):
        if self._remote_is_known():
            return iter(self._remote_reversed())
        settled, place = self._remote_link.settled, (self._remote_of, self._remote_path, "reversed")
        if place not in settled:
            settled[place] = self._remote_backwards()
        return iter(settled[place])

    def _remote_backwards(self):
        """What may be a list gives the other way round what it gives."""
        given = self._remote_all_given()
        if given and not self._remote_has("__reversed__") and self._remote_has("__getitem__"):
            return given[0][::-1]
        said = self._remote_reversed()
        if given and not are_alike(said, given[0][::-1]):
            self._remote_must_be_known()
        return said

    def _remote_reversed(self):
        return self._remote_link.operate("reversed", self._remote_chain, self)

    def __copy__(self):
        return self._remote_copy("copy")

    def __deepcopy__(self, _):
        return self._remote_copy("deepcopy")

    def _remote_copy(self, name):
        """A copy, which is the same plain data."""
        copied = self._remote_link.operate(name, self._remote_chain, self)
        if not self._remote_is_known() and not are_alike(self, copied):
            self._remote_must_be_known()
        return copied

    @property
    def __signature__(self):
        return self._remote_link.signature(self._remote_of, self._remote_path)

    def __fspath__(self):
        if not self._remote_link.operate("has", computed(self._remote_chain), self, "__fspath__"):
            raise TypeError("expected str, bytes or os.PathLike object, not an object of the candidate's")
        return self._remote_method("__fspath__")

    def __format__(self, form):
        return self._remote_method("__format__", form)

    # The rest is for objects alone.
    def __bool__(self):
        if type(self._remote_is_true) is bool:
            return self._remote_is_true
        if self._remote_is_true == ALWAYS and not self._remote_is_misnamed():
            return True
        if self._remote_chain not in self._remote_link.objects and not self._remote_is_shown():
            content = self._remote_link.content(self)
            if content is not None and content[1].isdisjoint(("__bool__", "__len__")):
                return bool(content[0])
            is_believed = self._remote_is_made() or COMBINED.fullmatch(self._remote_chain)
            if content is None and is_believed and not self._remote_is_told():
                return self._remote_link.settled_truth(self._remote_of, self._remote_path)
            self._remote_must_be_known()
        return self._remote_link.truth(self._remote_of, self._remote_path)

    def __contains__(self, value):
        if is_own(value) or self._remote_is_shown() and self._remote_link.can_send(value):
            return self._remote_says_it_holds(value)
        self._remote_link.hid = True
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
        where objects like it, which the test code made of a class, say so of some data and not of other. What is its
        own iterator is used up by that."""
        if self._remote_is_mere_iterator():
            return any(one == value for one in self)
        is_given = self._remote_gives(value, self._remote_unless("__contains__"))
        is_held = self._remote_says_it_holds(value)
        if is_given is not is_held and self._remote_is_made():
            chain = self._remote_chain.rstrip("~")
            self._remote_link.held_to.setdefault(chain, set()).add(is_held)
            # What gave it not, and may give it when it is asked again, is not asked again.
            only_says_so = is_held and is_given is False
            self._remote_link.unasked.setdefault(chain, []).append(
                lambda: self._remote_is_choosy(value) if only_says_so else self._remote_is_believed(value, is_held))
        elif is_held is not is_given:
            self._remote_must_be_object()
        return is_held

    def _remote_is_believed(self, value, is_held):
        """Whether it gives what it says that it holds; or, if it gives nothing, does not hold whatever it is asked."""
        is_given = self._remote_gives(value)
        if is_given is None and is_held:
            return self._remote_is_choosy(value)
        return is_given is is_held

    def _remote_is_choosy(self, value):
        """Whether it does not hold whatever it is asked that is like a value."""
        draws = (tried(lambda: self._remote_says_it_holds(drawn_like(value))) for _ in range(DRAWS))
        return [False] in draws

    def _remote_is_mere_iterator(self):
        """Whether it is its own iterator, and has no other way to say what it holds."""
        begun = tried(lambda: self._remote_link.iterate(self._remote_of, self._remote_path, self._remote_chain))
        is_itself = bool(begun) and begun[0].is_of(self._remote_of)
        return is_itself and not self._remote_has("__contains__")

    def _remote_gives(self, value, unless=()):
        """Whether it gives plain data when it is iterated over; None if that cannot be told."""
        try:
            given = list(islice(self._remote_iterator(unless), MOST_HELD))
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
        return self._remote_or_self(self._remote_method("__enter__"))

    def __exit__(self, kind, error, trace):
        if error is not None and self._remote_link.bodies.holds(error):
            tried(lambda: self._remote_exit("__exit__", error))
            return False
        return self._remote_exit("__exit__", error) is True

    async def __aenter__(self):
        self._remote_is_object()
        return self._remote_or_self(await self._remote_method("__aenter__"))

    async def __aexit__(self, kind, error, trace):
        left = self._remote_exit("__aexit__", error)
        with self._remote_link.errors.instances.let_through(error):
            if error is None or not self._remote_link.bodies.holds(error):
                return await left is True
            with suppress(Exception):
                await left
        return False

    def _remote_exit(self, name, error, **how):
        chain = self._remote_chain + "." + name
        return self._remote_link.exit(self._remote_of, self._remote_path, name, chain, error, **how)


class Mapped(Guarded):
    """One that the library and patterns take for a mapping."""

    __slots__ = ()


class Sequenced(Guarded):
    """The same for a sequence."""

    __slots__ = ()


Mapping.register(Mapped)
Sequence.register(Sequenced)


def drawn_like(value):
    """Plain data of the kind of this that nobody has asked about."""
    drawn = urandom(8)
    if isinstance(value, (int, float)):
        return int.from_bytes(drawn, "big") + 2**64
    return drawn.hex() if isinstance(value, str) else drawn


def written(key):
    """What tells a key from others."""
    if type(key) is tuple:
        return tuple(map(written, key))
    return (key._remote_of, key._remote_path) if is_own(key) else repr(key)


def are_alike(one, other):
    """Whether two things that came from an object may be the same plain data, as far as that can be told."""
    if is_live(one) and is_live(other) and (one._remote_of, one._remote_path) == (other._remote_of, other._remote_path):
        return True
    if type(one) is list and type(other) is list:
        return len(one) == len(other) and all(map(are_alike, one, other))
    mine, theirs = (value._remote_as_data() if is_live(value) else [value] for value in (one, other))
    return mine == theirs
