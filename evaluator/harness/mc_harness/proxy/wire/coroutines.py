"""Coroutines of one side that the other awaits: the candidate's in its box, and the test code's in its own. They run
side by side while the loop of whoever awaits them does."""

import sys
from contextlib import contextmanager


def running_loop():
    """The loop that runs on this side, if one does."""
    asyncio = sys.modules.get("asyncio")
    return asyncio and asyncio._get_running_loop()


class Coroutines:
    """Those that were begun, by their handles, until the other side learns how they ended: in the loop that runs here
    if there is one, else in one of their own."""

    def __init__(self):
        self.loop, self.tasks = None, {}
        # Ends a turn of theirs.
        self.stop = None

    def close(self):
        if self.loop is not None:
            self.loop.close()

    def end(self):
        """The loop of the other side was closed: all that goes on here is cancelled, as `asyncio.run` does."""
        if self.loop is None or running_loop() is not None:
            return
        from asyncio import all_tasks

        for task in all_tasks(self.loop):
            task.cancel()
        self.go_on(0)
        self.loop.close()
        self.loop, self.tasks = None, {}

    def ended(self, handle, awaitable):
        """The task, once it has ended. It is begun if it was not: then it goes no further than to where it waits."""
        if handle not in self.tasks:
            self.tasks[handle] = self.begin(awaitable)
        elif not self.tasks[handle].done():
            self.go_on(0)
        return self.tasks.pop(handle) if self.tasks[handle].done() else None

    def all_ended(self):
        return [handle for handle, task in self.tasks.items() if task.done()]

    def are_busy(self):
        """Whether anything is left to do, be it what nobody waits for."""
        if self.loop is None:
            return not all(task.done() for task in self.tasks.values())
        from asyncio import all_tasks

        return bool(self.loop._ready or self.loop._scheduled or all_tasks(self.loop))

    def cancel(self, handle):
        """Ask it to end, which it may do in its own way. Whether it had not yet; nobody waits for one that had."""
        goes_on = handle in self.tasks and self.tasks[handle].cancel()
        if not goes_on:
            self.tasks.pop(handle, None)
        return goes_on

    def begin(self, awaitable):
        outer = running_loop()
        loop = outer or self.own()
        # As in the coroutine that awaits it, nothing else goes on until it waits.
        others = list(loop._ready)
        loop._ready.clear()
        task = loop.create_task(awaiting(awaitable))
        task.add_done_callback(lambda _: self.stop and self.stop())
        if outer is None:
            self.go_on(0)
        else:
            begin_within(loop)
        loop._ready.extendleft(reversed(others))
        return task

    def own(self):
        import asyncio

        if self.loop is None:
            self.loop = asyncio.new_event_loop()
            asyncio.set_event_loop(self.loop)
        return self.loop

    def go_on(self, seconds):
        """Run all of them until one ends, or so many seconds have passed; in no time, each takes one step. What a loop
        runs that asks for this goes on when that has its answer."""
        if running_loop() is not None:
            return
        loop = self.own()
        self.stop = loop.stop
        later = loop.call_later(seconds, loop.stop) if seconds else loop.call_soon(loop.stop)
        try:
            loop.run_forever()
        finally:
            self.stop = None
            later.cancel()

    @contextmanager
    def around(self):
        """For what is called while the loop of the other side runs: it may begin tasks."""
        from asyncio import _set_running_loop

        outer = running_loop()
        _set_running_loop(outer or self.own())
        try:
            yield
        finally:
            _set_running_loop(outer)


def begin_within(loop):
    """Have the only task that is ready take its first step, in the middle of one of another."""
    from asyncio import current_task
    from asyncio.tasks import _enter_task, _leave_task

    outer = current_task(loop)
    if outer is not None:
        _leave_task(loop, outer)
    try:
        loop._ready.popleft()._run()
    finally:
        if outer is not None:
            _enter_task(loop, outer)


async def awaiting(value):
    return await value


async def following(iterator):
    """The next value of an iterator, in a list; none once it has ended."""
    try:
        return [await iterator.__anext__()]
    except StopAsyncIteration:
        return []
