"""Plain data as JSON, on its way out of a box.

Lists, strings, booleans, None, finite floats and ints below 2**53 stand for themselves; everything else is an object
with one key that names the type. Anything that is not plain data is refused by the name of its type. Every method is
called on the base class, so that what a subclass overrides has no say.
"""

import sys
from collections import deque
from json import dumps

from .limits import MAX_DEPTH, MAX_ITEMS, SAFE_INT
from .nodes import MalformedError, list_values, tree_values

# Built-in iterators and views: what they give can cross, they themselves cannot.
ITERATORS = frozenset(
    "generator map filter zip enumerate reversed dict_keys dict_values dict_items list_iterator tuple_iterator "
    "set_iterator str_iterator str_ascii_iterator bytes_iterator range_iterator longrange_iterator dict_keyiterator "
    "dict_valueiterator dict_itemiterator list_reverseiterator dict_reversekeyiterator".split()
)
EXACT_NUMBERS = (("decimal", "Decimal"), ("fractions", "Fraction"))
NODE_VALUES = {"ListNode": list_values, "TreeNode": tree_values}


class Refused(BaseException):
    """A value that cannot cross. No program's `except Exception` gets in its way."""


class LiveObject(Refused):
    """One that is no plain data at all."""


def type_name(value):
    return type.__getattribute__(type(value), "__name__")[:100]


def encode(value, encoder=None):
    """The JSON text of a value; raises Refused where it is no plain data."""
    try:
        plain = (encoder or Encoder()).encode(value)
    except RecursionError:
        raise Refused("a value nested too deep") from None
    return dumps(plain, separators=(",", ":"), check_circular=False)


class Encoder:
    """Turns one value into what JSON can hold, and counts its items."""

    # Brackets within brackets.
    deepest = MAX_DEPTH

    def __init__(self):
        self.items = 0

    def encode(self, value, depth=0):
        kind = type(value)
        if value is None or kind is bool:
            return value
        if kind is int:
            return value if -SAFE_INT < value < SAFE_INT else {"int": hex(value)}
        if kind is str:
            return value if value.isascii() else self.text(value)
        if kind is float:
            return value if value - value == 0.0 else {"float": repr(value)}
        self.count(value, kind, depth)
        if kind is list:
            return self.many(value, depth + 1)
        if kind is tuple:
            return {"tuple": self.many(value, depth + 1)}
        return self.other(value, kind, depth + 1)

    def text(self, value):
        if has_lone_surrogates(value):
            raise Refused("a str with lone surrogates")
        return value

    def count(self, value, kind, depth):
        if depth >= self.deepest:
            raise Refused("a value nested more than %d deep" % self.deepest)
        self.items += 1
        if kind is list or kind is tuple:
            self.items += len(value)
        if self.items > MAX_ITEMS:
            raise Refused("a value of more than %d items" % MAX_ITEMS)

    def many(self, values, depth):
        encode = self.encode
        return [encode(value, depth) for value in values]

    def pairs(self, value, depth):
        return [[self.encode(key, depth), self.encode(held, depth)] for key, held in dict.items(value)]

    def other(self, value, kind, depth):
        """What is neither a list, a tuple nor a scalar of JSON's."""
        base = kind.__mro__
        if dict in base:
            return {"dict": self.pairs(value, depth)}
        if set in base:
            return {"set": self.many(set.__iter__(value), depth)}
        if frozenset in base:
            return {"frozenset": self.many(frozenset.__iter__(value), depth)}
        if kind is complex:
            return {"complex": [repr(value.real), repr(value.imag)]}
        if kind is bytes or kind is bytearray:
            return {"bytes": value.hex()}
        if kind is range:
            return {"range": [hex(value.start), hex(value.stop), hex(value.step)]}
        numpy = sys.modules.get("numpy")
        if numpy is not None and isinstance(value, (numpy.ndarray, numpy.generic)):
            return self.numpy(value, depth, numpy)
        if kind.__name__ in NODE_VALUES:
            return self.node(value, kind.__name__, depth)
        return self.subclass(value, base, depth)

    def subclass(self, value, base, depth):
        if list in base:
            return self.many(list.__iter__(value), depth)
        if tuple in base:
            return {"tuple": self.many(tuple.__iter__(value), depth)}
        if str in base:
            return self.encode("".join(str.__iter__(value)), depth)
        if int in base:
            return self.encode(int.__add__(value, 0), depth)
        if float in base:
            return self.encode(float.__add__(value, 0.0), depth)
        if deque in base:
            return {"deque": self.many(deque.__iter__(value), depth)}
        if is_iterator(base):
            return {"iterator": self.many(taken(value), depth)}
        if any(getattr(sys.modules.get(module), name, None) is base[0] for module, name in EXACT_NUMBERS):
            return self.encode(nearest(value), depth)
        raise LiveObject("a live object of type %s" % type_name(value))

    def numpy(self, value, depth, numpy):
        if isinstance(value, numpy.ndarray):
            if value.dtype.kind not in "biufcSU":
                raise Refused("a numpy array of dtype %s" % value.dtype)
            return {"ndarray": [str(value.dtype), self.encode(numpy.ndarray.tolist(value), depth)]}
        plain = numpy.generic.item(value)
        if isinstance(plain, numpy.generic):
            raise Refused("a numpy scalar of dtype %s" % value.dtype)
        return self.encode(plain, depth)

    def node(self, value, name, depth):
        try:
            return {name: self.many(NODE_VALUES[name](value), depth)}
        except MalformedError as malformed:
            raise Refused(str(malformed)) from None


class ListsAlone(Encoder):
    """Refuses what gives values and is no list of them: none of these is equal to a list."""

    def other(self, value, kind, depth):
        if kind is range:
            raise Refused(no_list(value))
        return super().other(value, kind, depth)

    def subclass(self, value, base, depth):
        if deque in base or is_iterator(base):
            raise Refused(no_list(value))
        array = getattr(sys.modules.get("array"), "array", None)
        if array in base:
            return {"ndarray": [value.typecode, self.many(array.tolist(value), depth)]}
        return super().subclass(value, base, depth)


def is_iterator(base):
    """Whether one of these classes is a built-in iterator or view."""
    return any(kind.__name__ in ITERATORS and kind.__module__ == "builtins" for kind in base)


def no_list(value):
    return "an object of type %s, which is equal to no list" % type_name(value)


def nearest(number):
    """The whole or real number that is nearest to an exact one."""
    try:
        real = float(number)
        return int(number) if real.is_integer() else real
    except OverflowError:
        raise Refused("a %s that is too large" % type_name(number)) from None


def has_lone_surrogates(text):
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        return True
    return False


def taken(iterator):
    """What an iterator still gives, which may have no end."""
    values = []
    for value in iterator:
        values.append(value)
        if len(values) > MAX_ITEMS:
            raise Refused("an iterator of more than %d items" % MAX_ITEMS)
    return values
