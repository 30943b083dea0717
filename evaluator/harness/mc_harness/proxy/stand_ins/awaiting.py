"""What of the candidate's the test code awaits. It goes on, in its own box, while the test code's loop runs."""

from ..wire.turns import until_its_end
from .iterating import Running


class Awaited(Running):
    """A coroutine, or another awaitable."""

    __slots__ = ("_path", "_steps")

    def __init__(self, link, handle, chain, kind, path):
        super().__init__(link, handle, chain, kind)
        self._path, self._steps = path, None

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
        return until_its_end(self._link, self._handle, self._path, self._chain)
