"""The candidate's coroutines, which run side by side while the loop of the test code's own does."""

from contextlib import contextmanager


class Coroutines:
    """Those that were begun, on a loop of their own; by their handles, until the test code learns how they ended."""

    def __init__(self):
        self.loop, self.tasks = None, {}
        # Ends a turn of theirs.
        self.stop = None

    def close(self):
        if self.loop is not None:
            self.loop.close()

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
            return False
        from asyncio import all_tasks

        return bool(self.loop._ready or self.loop._scheduled or all_tasks(self.loop))

    def cancel(self, handle):
        """Ask it to end, which it may do in its own way."""
        if handle in self.tasks:
            self.tasks[handle].cancel()

    def begin(self, awaitable):
        async def result():
            return await awaitable

        loop = self.running()
        # As in the coroutine that awaits it, nothing else goes on until it waits.
        others = list(loop._ready)
        loop._ready.clear()
        task = loop.create_task(result())
        task.add_done_callback(lambda _: self.stop and self.stop())
        self.go_on(0)
        loop._ready.extendleft(reversed(others))
        return task

    def running(self):
        import asyncio

        if self.loop is None:
            self.loop = asyncio.new_event_loop()
            asyncio.set_event_loop(self.loop)
        return self.loop

    def go_on(self, seconds):
        """Run all of them until one ends, or so many seconds have passed; in no time, each takes one step."""
        loop = self.running()
        self.stop = loop.stop
        later = loop.call_later(seconds, loop.stop) if seconds else loop.call_soon(loop.stop)
        try:
            loop.run_forever()
        finally:
            self.stop = None
            later.cancel()

    @contextmanager
    def around(self):
        """For what is called while the test code's own loop runs: it may begin tasks."""
        from asyncio import _set_running_loop

        _set_running_loop(self.running())
        try:
            yield
        finally:
            _set_running_loop(None)


async def awaiting(value):
    return await value


async def following(iterator):
    """The next value of an iterator, in a list; none once it has ended."""
    try:
        return [await iterator.__anext__()]
    except StopAsyncIteration:
        return []
