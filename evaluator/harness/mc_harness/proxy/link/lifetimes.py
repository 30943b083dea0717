"""The test code's side of how long things live that both sides know: what it holds no more, the other side is told."""

import gc
import importlib
from collections import Counter
from types import MethodType

from ..wire.aliases import ALONE, references
from ..wire.remote import Remote

# Of how many things it is looked whether the test code still holds them.
MOST = 500
# The requests that are made before any of their replies is read, whose stand-ins are held by nobody yet.
TELLING = frozenset(("call", "collect", "get", "operate", "refer"))


class Lifetimes:
    """Of the stand-ins that a link has handed to the test code, and of the objects and functions that the candidate was
    given."""

    def __init__(self, link):
        self.link = link
        # Of each of these, the numbers of those that the test code was seen not to hold.
        self.loose = [set(), set(), set()]

    def told(self):
        """What the test code has let go of since this was last asked, as a part of a request."""
        told = []
        for place, find in enumerate((self.stand_ins, self.objects, self.functions)):
            found = find()
            told.append(sorted(found - self.loose[place]))
            self.loose[place] = found
        return {"let_go": told} if any(told) else {}

    def stand_ins(self):
        """Handles of which all stand-ins are held here alone."""
        counts = counted(self.link.stand_ins)
        held = {handle for (handle, _), count in counts.items() if count}
        return {handle for handle, _ in counts} - held

    def objects(self):
        """Numbers of objects and methods that are held only for the candidate to ask, as what holds all of these does,
        and a method its object."""
        objects = self.link.callbacks.objects
        counts = {number: count - 1 for number, count in counted(objects).items()}
        methods = [objects[number] for number, count in counts.items() if not count and is_method(objects[number])]
        of_methods = Counter(id(method.__self__) for method in methods)
        return {number for number, count in counts.items() if count == of_methods[id(objects[number])]}

    def functions(self):
        """The same of functions that crossed whole."""
        return {number for number, count in counted(self.link.handing.functions).items() if not count}

    def taken(self, handle):
        """A stand-in is handed to the test code."""
        self.loose[0].discard(handle)

    def given_back(self, place, number):
        """So is something of its own again, which the candidate keeps until it is told anew."""
        self.loose[place].discard(number)
        return number

    def note(self, reply):
        """Some of these the candidate holds no more either."""
        forgetting = self.forget, self.link.callbacks.drop, self.link.handing.drop
        for numbers, loose, forget in zip(reply.get("died", ()), self.loose, forgetting):
            for number in loose.intersection(numbers):
                loose.discard(number)
                forget(number)

    def forget(self, handle):
        for known in [known for known in self.link.stand_ins if known[0] == handle]:
            del self.link.stand_ins[known]

    def tell(self):
        """Tell the candidate now, and have it look for what nothing holds."""
        if self.link.asked:
            self.link.ask(op="collect")


def is_method(thing):
    return type(thing) is MethodType


def counted(things):
    """By their numbers, how often each is held elsewhere too; nothing of too many."""
    if len(things) > MOST:
        return {}
    return {number: count - ALONE for number, count in references(things).items()}


def watch(link):
    """Have what the test code finds out of lifetimes by itself be so of the candidate's things too."""
    if "collect" in link.named:
        gc.collect = collecting(gc.collect, link)
    if "weakref" in link.named:
        library = importlib.import_module("weakref")
        library.ref = referring(library.ref, link)


def collecting(collect, link):
    def collecting(*generation):
        count = collect(*generation)
        link.lifetimes.tell()
        return count

    return collecting


def referring(kind, link):
    """The class of weak references, for what may be the candidate's or held for it alone."""

    class Reference(kind):
        def __new__(cls, thing, *callback):
            if issubclass(type(thing), Remote) and not callback:
                return Referring(thing)
            return super().__new__(cls, thing, *callback)

        def __call__(self):
            link.lifetimes.tell()
            return super().__call__()

    return Reference


class Referring:
    """To an object of the candidate's, which it is asked for each time."""

    __slots__ = ("chain", "link", "of", "path")

    def __init__(self, thing):
        self.link, self.chain = thing._remote_link, thing._remote_chain
        self.of, self.path = thing._remote_of, thing._remote_path

    def __call__(self):
        reply = self.link.ask(op="refer", of=self.of, path=self.path)
        self.link.as_object(reply)
        return self.link.taken(reply, self.link.read(reply, self.chain), self.chain)
