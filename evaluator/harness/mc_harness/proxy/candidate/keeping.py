"""On the candidate's side: what both sides know, by numbers, for as long as it lives.

What the test code holds lives on. What it has let go of lives on if the program holds it, as in one process: it is then
kept by a weak reference, and known by its number still.
"""

import weakref
from contextlib import suppress


class Weak(weakref.ref):
    """One that is no object of the program's."""


class Lent:
    """What stands for things of the test code's; their numbers are `numbers`, by its identity."""

    def __init__(self, numbers):
        self.things, self.numbers = {}, numbers
        # The numbers of what has ended, of which the test code has yet to be told.
        self.ended = []

    def get(self, number):
        """What is known by a number; None if that is nothing."""
        thing = self.things.get(number)
        return thing() if type(thing) is Weak else thing

    def know(self, number, thing):
        self.things[number] = thing
        self.numbers[id(thing)] = number
        return thing

    def give_back(self, value):
        """The number of what goes back to the test code, which has it anew."""
        number = self.numbers[id(value)]
        if type(self.things.get(number)) is Weak:
            self.things[number] = value
        return number

    def let_go(self, numbers):
        """The test code has these only for what is asked here."""
        for number in numbers:
            thing = self.get(number)
            with suppress(TypeError):
                self.things[number] = Weak(thing, self.ending(number, id(thing)))
            del thing

    def ending(self, number, identity):
        def end(_):
            del self.numbers[identity], self.things[number]
            self.ended.append(number)

        return end


class Kept:
    """Objects that stay there, by their handles."""

    def __init__(self):
        # By their handles; and these, by identity.
        self.things, self.handles = [], {}
        # The handles of those that have ended, of which the test code has yet to be told.
        self.ended = []

    def keep(self, value):
        """The handle of an object: the same for the same object."""
        handle = self.handles.setdefault(id(value), len(self.things))
        if handle == len(self.things):
            self.things.append(value)
        elif type(self.things[handle]) is Weak:
            self.things[handle] = value
        return handle

    def holds(self, value):
        """How often a value is held here alone."""
        handle = self.handles.get(id(value))
        return int(handle is not None and self.things[handle] is value)

    def __getitem__(self, handle):
        thing = self.things[handle]
        return thing() if type(thing) is Weak else thing

    def let_go(self, handles):
        """The test code holds these no more. What cannot be held weakly stays; and exceptions do, of which more may be
        asked that is known by no handle."""
        for handle in handles:
            value = self[handle]
            if not isinstance(value, BaseException):
                with suppress(TypeError):
                    self.things[handle] = Weak(value, self.ending(handle, id(value)))
            del value

    def ending(self, handle, identity):
        def end(_):
            del self.handles[identity]
            self.ended.append(handle)

        return end
