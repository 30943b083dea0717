"""The plain data that an object of the candidate's own class says it equals, of what it holds.

Its `__eq__` cannot be asked about what test code expects, for it might agree to anything. It is asked about what the
object itself holds instead, all of which comes from the candidate; what it agrees to is then compared by the test code.
"""

from collections import deque
from itertools import islice

from ...encoding import Refused

# How many values of an object are looked at, and how many of those that it gives.
MOST, MOST_GIVEN = 64, 100_000
# In how many ways one thing can be written: as each kind of collection, or of number.
MOST_FORMS = 8
GIVING = ("__iter__", "__getitem__")
CONVERSIONS = {"__float__": float, "__int__": int, "__complex__": complex, "__str__": str, "__bytes__": bytes}
SEQUENCES, COLLECTIONS, NUMBERS = (list, tuple), (list, tuple, set), (int, float, complex)
# And of what is alike if it gives the same, or the same keys.
SETS, HOLDING = (set, frozenset), (*COLLECTIONS, frozenset, deque, range, dict)


def equal_to(value, module, is_plain):
    """What an object equals of the plain data that it holds, in all its forms; nothing where that is not one thing, it
    agrees to what is next to that too, or has no say in it."""
    if type(value).__eq__ is object.__eq__:
        return []
    equal = [one for one in held_by(value, module) if is_plain(one) and agrees(value, one)]
    agrees_to_all = any(agrees(value, other) for one in equal for other in next_to(one))
    return equal if are_alike(equal) and not agrees_to_all else []


def are_alike(values):
    """Whether values are the same but for the kind of a number, or of a collection."""
    distinct = [value for place, value in enumerate(values) if not any(same(value, known) for known in values[:place])]
    if len(distinct) > MOST_FORMS:
        return False
    return all(alike(one, other) for place, one in enumerate(distinct) for other in distinct[:place])


def is_defined(name, kind, module):
    """Whether a class has this of its own, or of another that the program defines."""
    return any(name in vars(part) and part.__module__ == module for part in kind.__mro__)


def held_by(value, module):
    """Attributes, all of them in their order, what it gives, and what it can be converted to."""
    attributes = [getattr(value, name) for name in islice(names_of(value), MOST) if hasattr(value, name)]
    for held in attributes:
        yield held
        if isinstance(held, HOLDING):
            yield from (form for kind in COLLECTIONS for form in tried(lambda kind=kind, held=held: kind(held)))
    if len(attributes) > 1:
        yield from (kind(attributes) for kind in SEQUENCES)
    kind = type(value)
    if not hasattr(kind, "__next__") and any(is_defined(name, kind, module) for name in GIVING):
        yield from given_by(value)
    for name, convert in CONVERSIONS.items():
        if is_defined(name, kind, module):
            yield from tried(lambda convert=convert: convert(value))


def names_of(value):
    # A class may have something else of that name.
    own = getattr(value, "__dict__", None)
    yield from own if isinstance(own, dict) else ()
    for part in type(value).__mro__:
        slots = vars(part).get("__slots__", ())
        yield from (slots,) if isinstance(slots, str) else slots


def given_by(value):
    """What it gives when it is iterated over, in each form that a collection of that has."""
    given = tried(lambda: list(islice(iter(value), MOST_GIVEN)))
    for kind in COLLECTIONS:
        yield from tried(lambda kind=kind: kind(given[0]))
    if hasattr(value, "keys"):
        yield from tried(lambda: {key: value[key] for key in given[0]})


def next_to(value):
    """Something like a value, and not equal to it."""
    kind = type(value)
    if kind is dict:
        return [{**value, None: None}]
    if kind in HOLDING:
        return tried(lambda: (list if kind is range else kind)([*value, None]))
    more = {str: "x", bytes: b"x"}.get(kind, 1)
    return tried(lambda: value + more)


def tried(make):
    """What a function gives, if it gives something."""
    try:
        return [make()]
    except Exception:
        return []


def agrees(value, other):
    return tried(lambda: value == other) == [True]


def same(one, other):
    return type(one) is type(other) and one == other


def alike(one, other):
    are_dicts = isinstance(one, dict) and isinstance(other, dict)
    if isinstance(one, HOLDING) and isinstance(other, HOLDING) and not are_dicts:
        is_set = isinstance(one, SETS) or isinstance(other, SETS)
        return tried(lambda: set(one) == set(other) if is_set else list(one) == list(other)) == [True]
    is_kind = type(one) is type(other) or isinstance(one, NUMBERS) and isinstance(other, NUMBERS)
    return is_kind and one == other


def is_encodable(encode):
    """Whether `encode` takes a value."""

    def is_plain(value):
        try:
            encode(value)
        except (Refused, Exception):
            return False
        return True

    return is_plain
