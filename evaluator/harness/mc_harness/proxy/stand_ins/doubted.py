"""What is known of an object of the candidate's: whether test code uses it as one, and if not, in place of which plain
data it may be."""

import re
from itertools import islice
from operator import index

from ..wire.chains import CAPITAL, INSTANCE, OF_INSTANCE, OWNED, SMALL, is_of_class
from ..wire.derived import Derived
from ..wire.likeness import tried
from ..wire.plain import DATA, ENDING, METHODS, NOT_PLAIN
from ..wire.remote import Remote
from .conversions import are_one

# How many values an object may give before it is no longer looked through for one.
MOST_HELD = 10_000
# Methods of plain data that decide something.
DECIDING = re.compile(r"is\w+|startswith|endswith")
# Those that can hardly be told what is expected, and make their answer agree.
UNTOLD = frozenset("""
    add append appendleft clear copy discard extend extendleft get index insert items keys pop popitem popleft remove
    reverse rotate sort update values
""".split())
# What plain data gives the same whenever it is asked.
SETTLED = frozenset("__%s__" % name for name in "complex float format hash index int len repr round str".split())


def is_own(value):
    """Whether a value is the candidate's, or holds nothing else: then all that it is compared with may be."""
    if type(value) in (list, tuple):
        return bool(value) and all(map(is_own, value))
    return issubclass(type(value), (Doubted, Derived))


def is_live(value):
    """Whether it is an object whose value has not come here."""
    return issubclass(type(value), Doubted)


class Doubted(Remote):
    """An object of the candidate's. It is never compared with plain data: its own methods would say what the comparison
    gives. `reason` says why it is no plain data, where it came in place of some; `is_true` whether it is true, as
    a flag is or not, and objects of many classes always are."""

    __slots__ = ("_remote_is_true", "_remote_reason")

    def __init__(self, link, of, path, chain, reason=None, is_true=None):
        super().__init__(link, of, path, chain)
        object.__setattr__(self, "_remote_reason", reason and "it gave back %s" % reason)
        object.__setattr__(self, "_remote_is_true", is_true)

    def _remote_as_object(self, name):
        if name in DATA or name == ENDING:
            return
        if name in METHODS:
            self._remote_must_answer(name)
        else:
            super()._remote_as_object(name)

    def _remote_must_be_object(self):
        """The same, where the object would decide something. What one value holds may be objects and plain data."""
        if self._remote_chain.endswith("[]") and not self._remote_is_shown():
            self._remote_link.leave("candidate", self._remote_reason or NOT_PLAIN)
        self._remote_must_be_known()

    def _remote_must_answer(self, name):
        """Unless a method decides something, it is enough that the object looks like an instance of a class, by the
        name of what made it (functions are seldom named so), or that it is one of a class that was called."""
        if DECIDING.fullmatch(name):
            self._remote_must_be_object()
        elif not self._remote_is_instance() and not self._remote_is_of_instance(name):
            self._remote_must_be_known()

    def _remote_must_not_be_told(self):
        """What may be expected, before it gives a number, unless it is known as an object."""
        if "!" in self._remote_chain:
            self._remote_must_be_known()

    def _remote_is_known(self):
        """Whether test code has it of a class, by the name of that, or uses it as an object."""
        is_used_so = self._remote_chain in self._remote_link.objects
        return is_used_so or is_of_class(self._remote_chain) or self._remote_is_shown()

    def _remote_is_instance(self):
        chain = self._remote_chain
        is_named_so = INSTANCE.fullmatch(chain) is not None or OWNED.fullmatch(chain) is not None
        return is_named_so or chain.rstrip("~!") in self._remote_link.instances

    def _remote_is_of_instance(self, name):
        """Whether it is an instance that the test code has made, or what a method of one gave; for some methods,
        whatever made it."""
        is_made = self._remote_link.made_by.get(self._remote_of) in self._remote_link.instances
        return is_made or name in UNTOLD or OF_INSTANCE.fullmatch(self._remote_chain) is not None

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

    def _remote_is_misnamed(self):
        """Whether it is an instance of a class where the name is that of a function."""
        return SMALL.fullmatch(self._remote_chain) is not None and self._remote_chain in self._remote_link.instances

    def _remote_has(self, name):
        """Whether its class has a special method."""
        return self._remote_link.operate("has", self._remote_chain, self, name)

    def _remote_is_told(self):
        return self._remote_chain.rstrip("~!") in self._remote_link.told

    def _remote_content(self):
        """What it holds, unless others like it were told plain data: what is expected, maybe."""
        content = None if self._remote_is_told() else self._remote_link.content(self)
        if content is not None and content[2]:
            self._remote_link.leave("candidate", NOT_PLAIN)
        return content

    def _remote_forms(self):
        """What it equals by its own account, on the same terms."""
        is_told = "!" in self._remote_chain or self._remote_is_told()
        return () if is_told else self._remote_link.likeness(self)

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
        given = self._remote_all_given()
        return [] if any(map(is_live, given[0] if given else ())) else given

    def _remote_all_given(self):
        return tried(lambda: list(islice(iter(self), MOST_HELD)))

    def _remote_converted(self):
        return tried(lambda: index(self)) or tried(lambda: float(self))

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
                self._remote_must_say_one(name, args, result)
            return result
        except AttributeError as error:
            if name not in str(error):
                raise
            raise without(name, error) from None

    def _remote_must_say_one(self, name, args, result):
        """What may be plain data is the same, to whatever it is converted."""
        said = self._remote_link.settled.setdefault((self._remote_of, self._remote_path, "said"), {})
        said[name, args] = result
        if name != "__hash__" and not are_one(said):
            self._remote_must_be_known()


def without(name, error):
    """What Python raises where a class has no such method."""
    lacking = TypeError("the object has no %s" % name)
    lacking.candidate = error.candidate
    return lacking
