"""What goes on in the candidate's box, its iterators and coroutines: the part of the link that asks for these."""

from ..stand_ins.iterating import Generating, Iterating
from ..wire.arguments import Arguments


class GoingOn:
    """Of a link."""

    def iterate(self, of, path, chain, unless=()):
        """What an object gives that can be iterated over, be it asynchronously; it is not asked for indices `unless` it
        lacks these methods."""
        self.asked = True
        return self.iterator(self.run(op="iter", of=of, path=path, unless=unless), chain)

    def step(self, of, path, chain):
        """The next value of an iterator's."""
        self.asked = True
        handle = self.run(op="iter", of=of, path=path).get("iterator") if path else of
        reply = self.run(op="next", of=handle, size=1)
        for value in self.taken(reply, self.read(self.chosen(reply), chain), chain):
            return value
        raise StopIteration

    def iterator(self, reply, chain):
        kind = Generating if reply.get("kind") == "generator" else Iterating
        return self.checked(lambda: kind(self, int(reply["iterator"]), chain, str(reply["kind"])))

    def next(self, handle, size, chain, more):
        """Up to `size` values of an iterator, whether these are its last, and what a generator returned."""
        reply = self.run(op="next", of=handle, size=size, **more)
        values, ended = self.taken(reply, self.read(self.chosen(reply), chain), chain), bool(reply.get("ended"))
        returned = self.read({"value": reply.get("returned", [])}, chain)
        self.refresh()
        return self.checked(lambda: (list(values), ended, tuple(returned)[:1]))

    def end(self, handle):
        """Close an iterator."""
        self.run(op="end", of=handle)
        self.refresh()

    async def iterate_awaiting(self, of, path, chain):
        handle = self.checked(lambda: int(self.run(op="iter", of=of, path=path)["iterator"]))
        while True:
            reply = self.run(op="anext", of=handle)
            values = await self.result(reply, Arguments((), {}), path, chain)
            if not values:
                return
            yield values[0]

    def wait(self, handle, path, chain, is_cancelled):
        """What an awaitable has come to, in a list; None if it goes on. Whether the test code has cancelled it."""
        self.forget()
        reply = self.run(op="wait", of=handle)
        if "pending" in reply:
            return None
        if reply.get("cancelled") is True:
            self.refresh()
            raise self.cancelled(is_cancelled or self.errors.may_be_cancelled())
        result = self.taken(reply, self.result(reply, Arguments((), {}), path, chain), chain)
        self.refresh()
        return [result]

    @staticmethod
    def cancelled(is_expected):
        """The error of a coroutine that was cancelled: another, where nothing expects that."""
        from asyncio import CancelledError

        if is_expected:
            return CancelledError()
        error = RuntimeError("it was cancelled")
        error.candidate = "CancelledError"
        return error

    def awaited(self, of, path, chain):
        """An object that can be awaited, as what does that."""
        self.asked = True
        reply = self.run(op="await_", of=of, path=path)
        return self.result(reply, Arguments((), {}), path, chain + ".__await__()")

    def go_on(self, seconds):
        """Let the candidate's coroutines go on for so many seconds. Those that have ended, and if others have not."""
        self.forget()
        reply = self.run(op="go_on", seconds=seconds)
        return self.checked(lambda: set(reply["ended"])), "busy" in reply

    def cancel(self, handle):
        """Ask an awaitable to end; whether it has not ended yet."""
        self.forget()
        return "ended" not in self.run(op="cancel", of=handle)
