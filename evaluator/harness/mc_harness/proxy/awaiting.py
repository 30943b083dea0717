"""What of the candidate's the test code awaits. It goes on, in its own box, while the test code's loop runs."""

import sys

from .iterating import Running

# For how many seconds the candidate's coroutines go on at once where the test code has nothing else to do.
TURN = 0.01


def running_loop():
    """That in which a coroutine of the test code's asks."""
    asyncio = sys.modules.get("asyncio")
    return asyncio and asyncio._get_running_loop()


class Awaited(Running):
    """A coroutine, or another awaitable."""

    __slots__ = ("_is_cancelled", "_path", "_steps")

    def __init__(self, link, handle, chain, kind, path):
        super().__init__(link, handle, chain, kind)
        self._path, self._steps, self._is_cancelled = path, None, False

    def __await__(self):
        return self._until_its_end()

    def send(self, value):
        return self._begun().send(value)

    def throw(self, error, *more):
        return self._begun().throw(error, *more)

    def close(self):
        self._begun().close()

    def _begun(self):
        if self._steps is None:
            self._steps = self._until_its_end()
        return self._steps

    def _until_its_end(self):
        while True:
            ended = self._link.wait(self._handle, self._path, self._chain, self._is_cancelled)
            if ended is not None:
                return ended[0]
            try:
                yield from self._link.turns.until_ended(self._handle)
            except BaseException as error:
                self._link.cancel(self._handle)
                self._is_cancelled = True
                # What is cancelled may have something to do before it ends, or go on.
                if type(error).__name__ != "CancelledError":
                    raise


class Turns:
    """The candidate's coroutines and the test code's loop go on by turns. `go_on` lets the former do so for so many
    seconds, and gives the handles of those that have ended, and whether there are others."""

    def __init__(self, go_on):
        self.go_on = go_on
        # The loop in which they do, while anything is left to do; and what wakes those that wait, by the handles.
        self.loop, self.waiting = None, {}

    def until_ended(self, handle):
        """Wait until it may have."""
        loop = running_loop()
        if loop is None:
            yield
            self.go_on(TURN)
            return
        future = self.waiting[handle] = loop.create_future()
        self.begin(loop)
        try:
            yield from future
        finally:
            self.waiting.pop(handle, None)

    def begin(self, loop):
        if self.loop is not loop:
            self.loop = loop
            loop.call_soon(self.take, loop)

    def take(self, loop):
        if self.loop is not loop:
            return
        ended, is_busy = self.go_on(leisure(loop))
        for handle in ended.intersection(self.waiting):
            if not self.waiting[handle].done():
                self.waiting[handle].set_result(None)
        if is_busy:
            loop.call_soon(self.take, loop)
        else:
            self.loop = None


def leisure(loop):
    """For how many seconds a loop has nothing to do, as far as that matters."""
    if loop._ready:
        return 0
    due = (timer.when() - loop.time() for timer in loop._scheduled[:1])
    return max(0, min([TURN, *due]))
