"""On the candidate's side: classes that the test code derives from the program's."""

import types
from json import dumps

from ...decoding import decode
from ..wire.channel import CALLBACKS, live
from .handed import CLASS_CELLS


class Subclassed:
    """Of a server: it makes them, of the test code's functions and data."""

    def derive(self, request):
        cell = types.CellType() if request["number"] else None
        if cell is not None:
            self.cells[request["number"]] = cell
        CLASS_CELLS.append(cell)
        try:
            bases, keywords, members = request["described"]
            bases, keywords = tuple(map(decode, bases)), {name: decode(value) for name, value in keywords}
            members = [(name, decode(value)) for name, value in members]
        finally:
            CLASS_CELLS.pop()

        def fill(namespace):
            for name, value in members:
                namespace[name] = self.module if name == "__module__" else value
            if cell is not None:
                namespace["__classcell__"] = cell

        made = types.new_class(request["name"], bases, keywords, fill)
        return dumps({"class": self.keep(made)}) if issubclass(type(made), type) else self.value(made)

    def method(self, spec):
        """A function that is called with an object of such a class, which goes to the test code as no plain data."""
        function = decode(spec)
        if id(function) in CALLBACKS:
            self.callbacks.methods.add(CALLBACKS[id(function)])
        return function

    def positional(self, number, args):
        """What a function of the test code's is called with, by its number."""
        own = 1 if number in self.callbacks.methods else 0
        return [*(dumps(live(self.keep, value)) for value in args[:own]), *map(self.argument, args[own:])]
