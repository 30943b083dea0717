"""Operators, attributes that are set, and what functions of the library ask: the part of the link that gives the
candidate's objects something other than by a call."""

from functools import partial
from types import MappingProxyType

from ...decoding import decode
from ..stand_ins.doubted import is_live
from ..wire.arguments import Arguments
from ..wire.asked import COPIES


class Giving:
    """Of a link."""

    def set(self, of, path, name, value):
        self.asked = True
        self.forget()
        arguments = Arguments([value], {})
        spec = self.sendable(value, arguments.given)
        request = {"op": "set", "of": of, "path": path, "name": name, "value": spec}
        self.giving(arguments, [spec], "__setattr__", {name: value}, **request)

    def operate(self, name, chain, *operands):
        """What an operator of the candidate's makes of its own objects, or a function says of them there."""
        self.asked = True
        self.forget()
        arguments = Arguments(operands, {})
        spec = self.sendable(operands, arguments.given)
        function = "__%s__" % name.strip("_")
        reply = self.giving(arguments, spec["tuple"], function, op="operate", name=name, operands=spec)
        is_nested = name == "getitem" and "nested" in reply and is_live(operands[0]) and operands[0]._remote_is_known()
        if name in COPIES or is_nested:
            self.as_object(reply)
        else:
            self.chosen(reply)
        # What it holds of its own class is an object as it is one itself: a dictionary in one of the kind.
        chain = operands[0]._remote_chain if is_nested else chain
        return self.taken(reply, self.read(reply, chain), chain)

    def giving(self, arguments, specs, function, given=MappingProxyType({}), **request):
        """The reply to a request that gives something to a special method, which the program may keep or change."""
        numbers = self.mirrored.numbers(arguments.args)
        become = partial(self.become, arguments, specs, function)
        reply = self.run(given, become, **request, **({"numbers": numbers} if numbers else {}))
        become(reply)
        self.note_arguments(reply, arguments, function, function)
        return reply

    def become(self, arguments, specs, function, reply):
        """Do to what was given what that did to it, as far as it is to be seen."""
        with self.reading_of(given=arguments.given):
            theirs = self.checked(lambda: {
                place: decode(after) for place, after in reply.get("after", ()) if after != specs[place]
            })
        if theirs:
            self.update(arguments, Arguments((), theirs), function, gives_nothing=False)
