"""On the candidate's side: what is done to its objects other than to call them, and to what they are given by that."""

from ...decoding import decode
from ..wire.asked import operation
from ..wire.containers import containers


class Operating:
    """Of a server."""

    def set(self, request):
        values = self.meant([decode(request["value"])], request)
        target, name = self.own((request["of"], request["path"])), request["name"]
        _, after = self.doing([request["value"]], values, lambda: setattr(target, name, *values))
        return self.numbered('{"value":null%s}' % after, None, values)

    def operate(self, request):
        """What an operator makes of operands, or a function that is asked of the program's own things."""
        specs = request["operands"]["tuple"]
        operands = self.meant(list(map(decode, specs)), request)
        result, after = self.doing(specs, operands, lambda: operation(request["name"])(*operands))
        is_alike = type(result) is type(operands[0]) and type(result).__module__ == self.module
        is_nested = request["name"] == "getitem" and is_alike
        told = self.value(result)[:-1] + (',"nested":true' if is_nested else "") + after
        return self.numbered(told + "}", result, operands)

    def doing(self, specs, values, do):
        """What `do` gives, and what became of the values that it was given, as the end of a reply; also where it raises
        something."""
        try:
            result = do()
        except BaseException:
            self.left = self.become(specs, values)
            raise
        return result, self.become(specs, values)

    def become(self, specs, values):
        """Of what is not the program's own, and can be changed."""
        told = [
            "[%d,%s]" % (place, self.one_after(value, set()))
            for place, (spec, value) in enumerate(zip(specs, values))
            if not is_own(spec) and next(containers(value), None) is not None
        ]
        return ',"after":[%s]' % ",".join(told) if told else ""


def is_own(spec):
    return isinstance(spec, dict) and "own" in spec
