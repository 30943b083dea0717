"""Things that can be changed, and hold others, as both sides go through them.

They do so in one order, so that a list of numbers says which of what crossed is which. Such things are copied and
compared by what they hold, where an object in them is no other than itself.
"""

import gc
from collections import ChainMap, Counter, OrderedDict, UserDict, UserList, defaultdict, deque
from functools import cache
from types import MappingProxyType, SimpleNamespace

from .crossing import VIEWS, bytes_shown_by
from .derived import is_record

SCALARS = (bool, int, float, complex, str, bytes, type(None))
SCALAR = frozenset(SCALARS)
SEQUENCES = frozenset((list, deque))
MAPPINGS = frozenset((dict, Counter, OrderedDict, defaultdict))
# What of what crosses is looked after.
KINDS = SEQUENCES | MAPPINGS | frozenset((set, bytearray, SimpleNamespace, *VIEWS))
# What has another thing for what it holds, under which name; what shows another thing, under none.
HOLDERS = {UserDict: "data", UserList: "data", ChainMap: "maps", MappingProxyType: None, memoryview: None}
# The builtin classes from which others derive that hold no more, as they cross.
BASES = (list, dict, set, tuple, deque)
NOTHING = ()
# What holds what it gives when it is gone through.
GONE_THROUGH = SEQUENCES | frozenset((tuple, *VIEWS))


def kind_of(value):
    """The class that something is of as it crosses."""
    kind = type(value)
    if kind in VIEWS and is_of_object(value):
        return object
    if kind in KINDS or not issubclass(kind, BASES):
        return kind
    # Of a class that stands for one of the test code's nothing is to be asked here.
    if kind.__module__ == "test_code" or kind.__module__ == "__main__" and not is_mere_record(kind):
        return kind
    return next(base for base in BASES if issubclass(kind, base))


def is_of_object(view):
    """Whether a view shows what a dictionary of a class of the test code's holds, and is an object as that is."""
    mapping = getattr(view, "mapping", None)
    return any(type(held).__module__ == "__main__" for held in gc.get_referents(mapping))


@cache
def is_mere_record(kind):
    """Whether it crosses as plain data, being a named tuple and no more."""
    return hasattr(kind, "_fields") and is_record(kind)


def as_builtin(value):
    """The same of its class as it crosses, whatever a class that derives from that says."""
    kind = kind_of(value)
    if type(value) is kind or kind is object:
        return value
    if kind is tuple:
        return tuple(tuple.__iter__(value))
    return deque(deque.__iter__(value), value.maxlen) if kind is deque else kind.copy(value)


def effort(value):
    """What it takes to compare something with what it was: of plain data alone, which is compared at once, little."""
    length = length_of(vars(value) if type(value) is SimpleNamespace else value)
    return length // 50 if is_flat_list(value) or not parts(value) else length


def length_of(value):
    """How much it holds, whatever a class says of that which derives from a builtin one."""
    kind = kind_of(value)
    return kind.__len__(value) if kind in BASES else len(value)


def can_be_changed(kind):
    return kind in KINDS or is_array(kind)


def is_array(kind):
    return kind.__name__ == "array" and kind.__module__ == "array"


def parts(value):
    """What something holds in which more can be found."""
    value, kind = as_builtin(value), kind_of(value)
    if kind in HOLDERS:
        return [held_by(value)]
    if kind is SimpleNamespace:
        value, kind = vars(value), dict
    held = value.values() if kind in MAPPINGS else value if kind in GONE_THROUGH else NOTHING
    return NOTHING if is_flat(held) else held


def held_by(holder):
    if type(holder) is memoryview:
        return bytes_shown_by(holder)
    name = HOLDERS[type(holder)]
    return getattr(holder, name) if name else shown(holder)


def is_flat(held):
    return SCALAR.issuperset(map(type, held))


def is_flat_list(value):
    """Of what there is most, it is quickly told."""
    return type(value) is list and is_flat(value)


def tuples_in(value):
    """The tuples in something, and in these, that hold more than plain values."""
    for part in parts(value):
        if isinstance(part, tuple) and parts(part):
            yield part
            yield from tuples_in(part)


def containers(value, around=()):
    """All that can be changed in a value, what holds others before these. What holds itself is not gone into again."""
    if type(value) in SCALAR:
        return
    if can_be_changed(kind_of(value)):
        yield value
    if not any(value is one for one in around):
        for part in parts(value):
            yield from containers(part, (*around, value))


def within(value):
    """What of that a value holds itself, or a tuple in it does."""
    for part in parts(value):
        if can_be_changed(kind_of(part)):
            yield part
        elif kind_of(part) is tuple or type(part) in HOLDERS:
            yield from within(part)


def unified(value, numbers, known):
    """A value in which what is one thing by its number is one: that of those `known`, if it holds the same. What is new
    is added to these."""
    return Unifying(numbers, known).one(value)


class Unifying:
    """Of one value."""

    def __init__(self, numbers, known):
        self.numbers, self.known = numbers, known
        # The identities of those known that are in the value.
        self.met = set()

    def one(self, value):
        number = next(self.numbers) if can_be_changed(kind_of(value)) else 0
        if parts(value):
            value = with_parts(value, self.one)
        if not number:
            return value
        own = self.known.setdefault(number, value)
        if own is value or differ(own, value):
            return value
        self.met.add(id(own))
        return self.joined(own, value)

    def joined(self, own, value):
        """A thing of those known, which holds others of them where the value does, in place of what equals these."""
        if kind_of(own) in VIEWS or type(own) in HOLDERS or not parts(own):
            return own
        others = iter(parts(value))
        return with_parts(own, lambda part: self.chosen(part, next(others, part)))

    def chosen(self, part, other):
        """Of two equal parts the other one, where that is, or holds, one of those known."""
        return other if any(id(one) in self.met for one in containers(other)) else part


def restored(value, numbers, own):
    """A value with its own things by their numbers in place of what stands for them, with what is in that now."""
    kind = type(value)
    thing = own.get(next(numbers)) if can_be_changed(kind_of(value)) else None
    if parts(value):
        value = with_parts(value, lambda part: restored(part, numbers, own))
    if thing is None or type(thing) is not kind or kind in VIEWS:
        return value
    fill(thing, value)
    return thing


def fill(thing, value):
    """Have a thing hold what another of its kind does."""
    if type(thing) is SimpleNamespace:
        thing, value = vars(thing), vars(value)
    kind, held = kind_of(thing), value[:] if is_array(type(value)) else value.copy()
    if kind in (list, bytearray) or is_array(kind):
        kind.__setitem__(thing, slice(None), held)
    elif kind is deque:
        deque.clear(thing)
        deque.extend(thing, held)
    else:
        kind.clear(thing)
        kind.update(thing, held)
        if isinstance(thing, defaultdict) and isinstance(value, defaultdict):
            thing.default_factory = value.default_factory


def with_parts(value, each):
    """A value with what `each` gives for what it holds."""
    kind = type(value)
    if kind in HOLDERS:
        return holding(value, each(held_by(value)))
    if kind in VIEWS:
        return with_shown(value, VIEWS[kind], each)
    if issubclass(kind, tuple):
        made = list(map(each, tuple.__iter__(value)))
        is_record = kind is tuple or hasattr(kind, "_fields")
        return tuple.__new__(kind, made) if is_record and not all(map(is_same, made, tuple.__iter__(value))) else value
    held = vars(value) if kind is SimpleNamespace else value
    places = range(len(held)) if kind in SEQUENCES or issubclass(kind, (list, deque)) else list(held)
    for place in places:
        held[place] = each(held[place])
    return value


def shown(view):
    """The dictionary that a view shows something of, which is all that it refers to."""
    return next(iter(gc.get_referents(view)))


def with_shown(view, name, each):
    """A view with what `each` gives for what it shows: its keys stay what they are."""
    mapping = shown(view)
    made = [*zip(mapping, map(each, list(view)))]
    for key, held in made if name != "keys" else ():
        dict.__setitem__(mapping, key, held if name == "values" else held[1])
    return view


def holding(holder, held):
    """What holds this, in place of what it held."""
    if HOLDERS[type(holder)] is None:
        return holder if held is held_by(holder) else type(holder)(held)
    setattr(holder, HOLDERS[type(holder)], held)
    return holder


def is_same(one, other):
    return one is other


def copied(value):
    """A copy of what can be changed, with the objects themselves that are in it; None of what holds itself."""
    try:
        return copy_of(value)
    except RecursionError:
        return None


def copy_of(value):
    value, kind = as_builtin(value), kind_of(value)
    if kind in VIEWS:
        return list(map(copy_of, value))
    if is_array(kind):
        return value[:]
    if kind not in KINDS and kind is not tuple:
        return value
    if kind is SimpleNamespace:
        return SimpleNamespace(**copy_of(vars(value)))
    if not parts(value):
        return value if kind is tuple else value.copy()
    if kind in MAPPINGS:
        copy = value.copy()
        for key, part in value.items():
            copy[key] = copy_of(part)
        return copy
    return deque(map(copy_of, value), value.maxlen) if kind is deque else kind(map(copy_of, value))


def differ(value, before):
    """Whether something is not what it was; so too if what it holds does not let itself be compared."""
    try:
        return are_different(value, before)
    except Exception:
        return True


def are_different(value, before):
    if is_flat_list(value) and is_flat_list(before):
        return are_others(value, before)
    value, before, kind = as_builtin(value), as_builtin(before), kind_of(value)
    if kind in VIEWS:
        return are_different(list(value), list(before))
    if kind is not type(before):
        return True
    if kind is SimpleNamespace:
        return are_different(vars(value), vars(before))
    if kind in SCALAR or is_array(kind):
        return value is not before and are_others([value], [before])
    if kind not in KINDS and kind is not tuple:
        return value is not before
    return hold_others(value, before, kind)


def hold_others(value, before, kind):
    """Whether what two of a kind hold differs."""
    if kind in MAPPINGS:
        if getattr(value, "default_factory", None) is not getattr(before, "default_factory", None):
            return True
        return are_others(list(value), list(before)) or are_different(list(value.values()), list(before.values()))
    if kind is set:
        return value != before or set(map(exact, value)) != set(map(exact, before))
    if not parts(value) and not parts(before):
        return are_others(value, before)
    return len(value) != len(before) or any(map(are_different, value, before))


def are_others(values, before):
    """Whether these are not what they were: equal numbers of different classes are not the same, nor are 0.0 and
    -0.0."""
    if values != before or type(values) not in (list, tuple, deque):
        return values != before
    kinds = list(map(type, values))
    is_plain = SCALAR.issuperset(kinds) and (float not in kinds and complex not in kinds or 0 not in values)
    if is_plain:
        return kinds != list(map(type, before))
    return list(map(exact, values)) != list(map(exact, before))


def exact(value):
    """Something that is equal only to what is made of the same."""
    kind = type(value)
    if kind in (tuple, frozenset):
        return kind, kind(map(exact, value))
    return kind, repr(value) if kind in (float, complex) else value
