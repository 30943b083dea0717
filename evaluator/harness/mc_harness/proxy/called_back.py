"""On the candidate's side: functions that stay with the test code, and are called there."""

from _thread import RLock
from contextlib import suppress
from json import dumps, loads

from ..encoding import Refused
from .channel import CALLBACKS
from .signature import read


class CalledBack:
    """Calls them through a channel while the test code waits for an answer. What that asks meanwhile is answered by
    `reply`; `server` encodes what they are called with."""

    def __init__(self, server, channel):
        self.server, self.channel = server, channel
        self.functions = {}
        # What they have as attributes, as that was last told.
        self.told = {}
        # One thread of the program's speaks at a time, and none while nobody listens.
        self.lock = RLock()

    def receive(self, answer):
        """The next request, after the answer to the last."""
        with self.lock:
            if answer is not None:
                self.channel.send(answer)
            return self.channel.receive()

    def stand_in(self, spec):
        """The same for the same function."""
        number, name, doc, signature = spec
        if number not in self.functions:
            self.functions[number] = self.made(number, name, doc, signature)
        return self.functions[number]

    def made(self, number, name, doc, signature):
        def function(*args, **kwargs):
            return self.call(number, args, kwargs)

        function.__name__ = function.__qualname__ = name
        function.__doc__, function.__module__ = doc, "__main__"
        if signature is not None:
            function.__signature__ = read(signature)
        CALLBACKS[id(function)] = number
        return function

    def attributes(self, encode):
        """Those that were set since this was last asked, each with the number of its function, as they cross."""
        told = []
        for number, function in self.functions.items():
            for name, value in vars(function).items():
                if not name.startswith("__") and self.told.get((number, name), self) is not value:
                    self.told[number, name] = value
                    with suppress(Refused):
                        told.append("[%d,%s,%s]" % (number, dumps(name), encode(value)))
        return told

    def call(self, number, args, kwargs):
        with self.lock, self.server.aside():
            answer = self.server.calling(number, args, kwargs)
            while True:
                self.channel.send(answer)
                request = self.channel.receive()
                if request is None:
                    raise SystemExit
                request = loads(request)
                if request["op"] in ("returned", "raised"):
                    break
                answer = self.server.reply(request)
        return self.server.called_back(request)
