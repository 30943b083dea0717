"""What the candidate does to objects of the test code's past their own methods: it sets attributes of these, or changes
what they hold that derive from a list, or are of the library's. Where that is not to be seen, they are set back while
the test code runs."""

from collections import OrderedDict, deque
from contextlib import contextmanager
from types import FunctionType, MemberDescriptorType, MethodType

from ...prelude import MISSING
from ..wire.containers import containers, parts
from ..wire.objects import BUILTIN_METHODS, attributes_of
from ..wire.put_on import RAW
from .library_state import state_of

# By which attributes are set, or deleted; of which the name is among what they are given.
SETTING = ("set", "del", "set item", "del item")
SETTING_PAST = ("__setattr__", "__delattr__")
# What changes what something holds, by the builtin classes that have it.
CHANGING = {
    list: "append clear extend insert pop remove reverse sort __setitem__ __delitem__ __iadd__ __imul__",
    OrderedDict: "clear move_to_end pop popitem setdefault update __setitem__ __delitem__ __ior__",
    dict: "clear pop popitem setdefault subtract update __setitem__ __delitem__ __ior__",
    set: "add clear difference_update discard intersection_update pop remove symmetric_difference_update update "
         "__iand__ __ior__ __isub__ __ixor__",
    deque: "append appendleft clear extend extendleft insert pop popleft remove reverse rotate __setitem__ __delitem__ "
           "__iadd__ __imul__",
    bytearray: "append clear extend insert pop remove reverse __setitem__ __delitem__ __iadd__ __imul__",
}
CHANGING = {kind: frozenset(names.split()) for kind, names in CHANGING.items()}


class SetBack:
    """Of one test code. `hides` tells of what was, and is, and a function that ran meanwhile, whether the change is not
    to be seen."""

    def __init__(self, hides):
        self.hides = hides
        # By what it is, each place that was changed, with what was there; and what the candidate left there.
        self.before, self.theirs = {}, {}
        # How many of its requests the candidate is at; and what it gave that shows what it did.
        self.depth, self.is_shown = 0, False

    def note(self, thing, how, name, args):
        """The candidate is about to do something with a thing."""
        place = place_of(thing, how, name, args)
        if place is not None and place.key not in self.before:
            self.before[place.key] = place, place.held()

    @contextmanager
    def turn(self, function):
        """The candidate's, at this function of its: meanwhile all is as it left it."""
        self.depth += 1
        if self.depth == 1:
            self.give()
        try:
            yield
        finally:
            self.depth -= 1
            if self.depth == 0:
                self.take(function)

    def give(self):
        for key, left in self.theirs.items():
            place, before = self.before[key]
            if place.is_as(before):
                place.put(left)
            else:
                # The test code has put something there itself.
                del self.before[key]
        self.theirs, self.is_shown = {}, False

    def take(self, function):
        for key, (place, before) in list(self.before.items()):
            may_hide = not self.is_shown and not place.is_as(before)
            if may_hide and self.hides(place.shown(before), place.shown(place.held()), function):
                self.theirs[key] = place.held()
                place.put(before)
            else:
                del self.before[key]

    def know(self, result):
        """Whether a candidate gives an object of the test code's at last, alone or among others, by which it shows what
        it did."""
        if self.depth == 1:
            self.is_shown |= is_own(result) or any(is_own(part) for held in containers(result) for part in parts(held))
        return self.is_shown


def is_own(value):
    return type(value).__module__ == "__main__"


class Attribute:
    """One of an object or a class."""

    def __init__(self, thing, name):
        self.thing, self.name, self.key = thing, name, (id(thing), name)
        self.home = type if isinstance(thing, type) else object
        kinds = thing.__mro__[1:] if isinstance(thing, type) else type(thing).__mro__
        self.of_class = next((vars(kind)[name] for kind in kinds if name in vars(kind)), MISSING)

    def is_plain(self):
        """Whether there is something that no code of the test code's says."""
        is_slot = type(self.of_class) is MemberDescriptorType
        return (is_slot or not hasattr(type(self.of_class), "__set__")) and self.shown(self.held()) is not MISSING

    def held(self):
        if type(self.of_class) is MemberDescriptorType:
            return getattr(self.thing, self.name, MISSING)
        return attributes_of(self.thing).get(self.name, MISSING)

    def shown(self, held):
        return self.of_class if held is MISSING else held

    def is_as(self, before):
        return self.held() is before

    def put(self, value):
        if value is MISSING:
            self.home.__delattr__(self.thing, self.name)
        else:
            self.home.__setattr__(self.thing, self.name, value)


class Content:
    """What something holds that derives from a builtin class."""

    def __init__(self, thing, base):
        self.thing, self.base, self.key = thing, base, (id(thing), None)

    def held(self):
        is_mapping = issubclass(self.base, dict)
        return self.base(self.base.items(self.thing) if is_mapping else self.base.__iter__(self.thing))

    def shown(self, held):
        return held

    def is_as(self, before):
        return self.held() == before

    def put(self, value):
        self.base.clear(self.thing)
        if self.base in (list, deque, bytearray):
            self.base.extend(self.thing, value)
        else:
            self.base.update(self.thing, value)


def place_of(thing, how, name, args):
    """Which place it is that is changed so; None if the test code's own does that, or nothing is changed."""
    if how == RAW and name in SETTING_PAST:
        return attribute(thing, args[0])
    if how in SETTING:
        return attribute(thing, name)
    if how == "call" and type(thing) in (MethodType, *BUILTIN_METHODS):
        is_builtin = type(thing) is not MethodType
        return is_builtin and content(thing.__self__, thing.__name__) or state_of(thing.__self__)
    if how != "special":
        return None
    is_own_method = type(getattr(type(thing), name, None)) is FunctionType
    return None if is_own_method and is_own(thing) else content(thing, name) or state_of(thing)


def attribute(thing, name):
    place = Attribute(thing, name)
    return place if place.is_plain() else None


def content(thing, name):
    base = next((base for base in CHANGING if isinstance(thing, base)), None)
    return Content(thing, base) if base is not None and name in CHANGING[base] else None
