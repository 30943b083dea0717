"""What the candidate has begun, and goes on with as the test code asks it, such as iterators.

They pass for what they are on its side: a generator for a generator, and nothing else for one.
"""

from collections import deque
from types import AsyncGeneratorType, CoroutineType, GeneratorType

from ..wire.containers import containers
from ..wire.remote import Remote

KINDS = {kind.__name__: kind for kind in (
    GeneratorType, CoroutineType, AsyncGeneratorType, enumerate, filter, map, reversed, zip, type(iter([])),
    type(iter(())), type(iter(set())), type(iter("")), type(iter("\u00e9")), type(iter(range(0))), type(iter({})),
    type(reversed([])),
)}
# What of an iterator is only of use between two of its values.
BETWEEN = frozenset(("send", "throw", "close"))
# How many values are asked for at once, and of how many of the first each by itself.
MOST, EACH = 1024, 512


class Running:
    """`kind` is the name of its class on the candidate's side."""

    __slots__ = ("_chain", "_handle", "_kind", "_link")

    def __init__(self, link, handle, chain, kind):
        self._link, self._handle, self._chain, self._kind = link, handle, chain, kind

    # For `isinstance`.
    __class__ = property(lambda self: KINDS.get(self._kind, type(self)))

    def __bool__(self):
        """All of these are true, so who asks wants something else."""
        if self._chain not in self._link.objects:
            reason = "it gave back an object of type %s where the test code wants plain data" % self._kind
            self._link.leave("live", reason, chain=self._chain)
        return True


class Iterating(Running):
    """The first values are asked for one by one, as test code may look at what came of each, or take no more; then they
    come in ever larger parts, unless the test code may say something in between."""

    __slots__ = ("_each", "_ended", "_held", "_most", "_returned", "_size")

    def __init__(self, link, handle, chain, kind):
        super().__init__(link, handle, chain, kind)
        self._held, self._ended, self._returned = deque(), False, ()
        self._size, self._most, self._each = 1, 1 if BETWEEN & link.named else MOST, EACH

    def __iter__(self):
        """One of the candidate's own class may begin anew when it is asked for its iterator again."""
        if self._ended and self._kind not in KINDS:
            again = self._link.iterate(self._handle, "", self._chain)
            if not again.is_of(self._handle):
                return again
            self._ended = False
        return self

    def __length_hint__(self):
        """Who asks wants all values, as `list` does."""
        self._each = 0
        return NotImplemented

    def __next__(self):
        return self._advance()

    def is_of(self, handle):
        """Whether it is an object of this handle, which is its own iterator."""
        return self._handle == handle

    def is_untouched(self):
        """Whether nothing was taken that the candidate would now miss."""
        return not self._held and not self._ended

    def _advance(self, **more):
        if not self._held and not self._ended:
            self._ask(more)
        if self._held:
            return self._held.popleft()
        returned, self._returned = self._returned, ()
        raise StopIteration(*returned)

    def _ask(self, more):
        values, self._ended, self._returned = self._link.next(self._handle, self._size, self._chain, more)
        self._held.extend(values)
        self._each -= 1
        if self._each < 0:
            self._size = min(2 * self._size, self._most)


class Generating(Iterating):
    """A generator."""

    __slots__ = ()

    # How far it has come, for `inspect`. What has come here already, it has given for the test code.
    gi_running = property(lambda self: self._state("gi_running"))
    gi_suspended = property(lambda self: bool(self._held) or self._state("gi_suspended"))
    gi_frame = property(lambda self: self._state("gi_frame"))

    def _state(self, name):
        return self._link.get(self._handle, name, self._chain + "." + name)

    def send(self, value):
        if value is None or self._held or self._ended:
            return self._advance()
        if next(containers(value), None) is None:
            return self._advance(sent=self._link.sendable(value))
        # What can be changed is handed over as it is to any method.
        return self._link.call(self._handle, "send", self._chain, (value,), {})

    def throw(self, error, *more):
        error = error(*more[:1]) if isinstance(error, type) else error
        with self._link.errors.instances.passed(error) as told:
            return self._advance(thrown=told)

    def close(self):
        self._link.end(self._handle)
        self._held.clear()
        self._ended = True


class Retold(Running):
    """An object's iterator, where what it gives is held to what the object gave before. One that is its own may begin
    anew when it is asked for its iterator again."""

    __slots__ = ("_again", "_ended", "_values")

    def __init__(self, iterator, values, again=None):
        super().__init__(iterator._link, iterator._handle, iterator._chain, iterator._kind)
        self._values, self._again, self._ended = values, again, False

    def __iter__(self):
        return self._again() if self._again and self._ended else self

    def __next__(self):
        for value in self._values:
            return value
        self._ended = True
        raise StopIteration


def differ(one, other):
    """Whether two values differ that an object gave; of objects of the candidate's that is not asked."""
    return not issubclass(type(one), Remote) and not issubclass(type(other), Remote) and one != other


class Held:
    """What an object gives of which it is not known that the test code wants one. As a collection would, it gives the
    same each time, and as much as it says that it holds, until the next call may have changed it."""

    def __init__(self, link):
        self.link = link
        self.length = self.iterator = None
        self.values, self.is_whole = [], False

    def says(self, length):
        self.length = length
        self.check()
        return length

    def begins(self, iterator):
        if self.iterator is None:
            self.iterator = iterator
        else:
            self.link.hid = True
        return self.read()

    def goes_on(self, iterator):
        """The same for one that is its own iterator: it may go on with what it has not given yet, or begin anew."""
        at = 0
        for value in iterator:
            if at < len(self.values) and differ(value, self.values[at]):
                at = len(self.values)
            if at == len(self.values):
                if self.is_whole:
                    self.differs()
                self.values.append(value)
            at += 1
            yield value
        if self.is_whole and at not in (0, len(self.values)):
            self.differs()
        self.is_whole = True
        self.check()

    def differs(self):
        self.link.leave("candidate", "it gave back an object that gives other values each time")

    def read(self):
        at = 0
        while at < len(self.values) or self.take():
            yield self.values[at]
            at += 1

    def take(self):
        """Whether there is one more."""
        for value in self.iterator:
            self.values.append(value)
            return True
        self.is_whole = True
        self.check()
        return False

    def check(self):
        if self.is_whole and self.length not in (None, len(self.values)):
            self.link.leave("candidate", "it gave back an object that says it holds %d values and gives %d" % (
                self.length, len(self.values)))
