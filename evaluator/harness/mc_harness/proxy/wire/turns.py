"""How coroutines of one side go on, each in its own box, that a coroutine of the other side awaits."""

import sys

from .coroutines import running_loop

# For how many seconds the one side's coroutines go on at once where the other has nothing else to do.
TURN = 0.01
# How long what is due at one time takes at most.
MOMENT = 0.005
# The coroutines of a loop by which it ends.
ENDING = ("shutdown_asyncgens", "shutdown_default_executor")


def until_its_end(link, handle, *more):
    """Steps until an awaitable of the other side's has ended, as `link` asks for that; it gives what that has come
    to."""
    is_cancelled = False
    while True:
        ended = link.wait(handle, *more, is_cancelled)
        if ended is not None:
            return ended[0]
        try:
            yield from link.turns.until_ended(handle)
        except BaseException as error:
            goes_on = link.cancel(handle)
            is_cancelled = True
            # What is cancelled may have something to do before it ends, or go on. It ended too late if nobody was told.
            if type(error).__name__ != "CancelledError" or not goes_on:
                raise


class Turns:
    """One side's coroutines and the loop of the other, which awaits them, go on by turns. `go_on` lets the former do so
    for so many seconds, and gives the handles of those that have ended, and whether there are others."""

    def __init__(self, go_on):
        self.go_on = go_on
        # The loop in which they do, while anything is left to do; and what wakes those that wait, by the handles.
        self.loop, self.waiting = None, {}
        # The last loop in which they did; and whether their turn was put off.
        self.last, self.has_waited = None, False

    def until_ended(self, handle):
        """Wait until it may have."""
        loop = running_loop()
        if loop is None:
            yield
            self.go_on(TURN)
            return
        self.begin(loop)
        yield from self.until_woken(handle, loop)

    def until_woken(self, handle, loop):
        future = self.waiting[handle] = loop.create_future()
        try:
            yield from future
        finally:
            self.waiting.pop(handle, None)

    def wake(self, ended):
        """Have those go on that wait for one of these."""
        for handle in ended:
            if handle in self.waiting and not self.waiting[handle].done():
                self.waiting[handle].set_result(None)

    def begin(self, loop):
        if self.loop is not loop:
            self.loop = self.last = loop
            loop.call_soon(self.take, loop)

    def has_ended(self):
        """Whether the loop was closed in which they went on last, of which this tells once."""
        if self.last is None or not self.last.is_closed():
            return False
        self.loop = self.last = None
        return True

    def take(self, loop):
        if self.loop is not loop or is_ending(loop):
            return
        self.has_waited = not self.has_waited and has_timer(loop)
        if self.has_waited:
            # A timer of this side's was set before any that the other side's coroutines may wait for.
            loop.call_soon(self.take, loop)
            return
        ended, is_busy = self.go_on(leisure(loop))
        self.wake(ended)
        if is_busy:
            loop.call_soon(self.take, loop)
        else:
            self.loop = None


def is_ending(loop):
    """Whether `asyncio.run` does no more than to clean up, by which nothing goes on that was left."""
    asyncio = sys.modules["asyncio"]
    names = [getattr(task.get_coro(), "__name__", "") for task in asyncio.all_tasks(loop)]
    return bool(names) and all(name in ENDING for name in names)


def has_timer(loop):
    """Whether a loop is about to run what was to be run at this time. After a longer wait the other side may have
    something that was due before that."""
    return any(hasattr(handle, "when") and loop.time() - handle.when() < MOMENT for handle in loop._ready)


def leisure(loop):
    """For how many seconds a loop has nothing to do, as far as that matters."""
    if loop._ready:
        return 0
    due = (timer.when() - loop.time() for timer in loop._scheduled[:1])
    return max(0, min([TURN, *due]))
