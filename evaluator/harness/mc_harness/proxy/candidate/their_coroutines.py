"""On the candidate's side: coroutines of the test code's, which go on there while the program awaits them."""

import importlib

from ...decoding import decode
from ..wire.channel import CALLBACKS
from ..wire.coroutines import running_loop
from ..wire.turns import TURN, Turns, until_its_end

# How an answer says that one has come to nothing.
COME_TO_NOTHING = ("cancelled", "pending", "yielded")
# What one has come to that goes on.
PENDING = object()


class TheirCoroutines(Turns):
    """Asks for them by what calls the test code. Where its own loop runs, they do so in that, and it tells which have
    ended; else they and the program's loop go on by turns."""

    def __init__(self, call):
        super().__init__(self.let_go_on)
        self.call = call
        # Which `until_its_end` asks for that.
        self.turns = self
        self.is_within_theirs = False
        # By their numbers.
        self.made = {}

    def coroutine(self, spec):
        """One: the same for the same number."""
        number, name = spec
        if number not in self.made:
            self.made[number] = self.awaiting(number)
            self.made[number].__name__ = name
            CALLBACKS[id(self.made[number])] = number
        return self.made[number]

    async def awaiting(self, number):
        return await Awaitable(self, number)

    def until_ended(self, handle):
        loop = running_loop()
        if self.is_within_theirs and loop is not None:
            yield from self.until_woken(handle, loop)
        else:
            yield from super().until_ended(handle)

    def wait(self, number, is_cancelled):
        """What one has come to, in a list; None if it goes on."""
        came_to = self.call(number, (), {}, "wait", "")
        return None if came_to is PENDING else [came_to]

    def told(self, answer):
        """What is told of one that has come to nothing: it goes on, or was cancelled."""
        if answer["op"] == "cancelled":
            raise importlib.import_module("asyncio").CancelledError
        if answer["op"] == "yielded":
            return Yielded(decode(answer["value"]))
        self.is_within_theirs = answer["within"]
        return PENDING

    def by_hand(self, number):
        """Its steps where no loop runs: the program takes them itself, and is given what each yields."""
        how, given = "send", None
        while True:
            came_to = self.call(number, (given,), {}, how, "")
            if type(came_to) is not Yielded:
                return came_to
            try:
                how, given = "send", (yield came_to.value)
            except GeneratorExit:
                self.call(number, (), {}, "close", "")
                raise
            except BaseException as error:
                how, given = "throw", error

    def cancel(self, number):
        return self.call(number, (), {}, "cancel", "")

    def let_go_on(self, seconds):
        ended, is_busy = self.call(0, (min(seconds, TURN),), {}, "go_on", "")
        return ended, is_busy


class Awaitable:
    """What of the test code's can be awaited, by its number."""

    def __init__(self, coroutines, number):
        self.coroutines, self.number = coroutines, number

    def __await__(self):
        if running_loop() is None:
            return self.coroutines.by_hand(self.number)
        return until_its_end(self.coroutines, self.number)


class Yielded:
    """What a step of one has given that goes on."""

    def __init__(self, value):
        self.value = value
