"""A program whose function is called once: its arguments come on one descriptor, the result goes out on another."""

import os
from json import dumps, loads

from mc_sandbox.script import Script

from .decoding import decode
from .encoding import Refused, encode
from .nodes import adopt_node_classes, list_node, tree_node

ARGUMENTS = 3
RESULT = 4

MAKERS = {"ListNode": list_node, "TreeNode": tree_node}

# What most functions do: take a list and give a number.
USUAL = b"""
class Solution:
    def add(self, numbers: List[int], names: Dict[str, int]) -> int:
        return sum(number for number in numbers) + len(names)
"""
USUAL_INPUT = {ARGUMENTS: b'[[1,2,3],{"dict":[["a",1]]}]'}


class Call(Script):
    module_name = "solution"

    def __init__(self, source, name):
        super().__init__(source)
        self.name = name

    def run(self):
        arguments = decode(loads(read_all(ARGUMENTS)))
        exec(self.code, self.namespace)
        adopt_node_classes(self.namespace)
        function = find(self.namespace, self.name)
        write_all(RESULT, outcome(function(*as_nodes(function, arguments))).encode())


def outcome(value):
    """What the supervisor is told of a result, as JSON."""
    try:
        return '{"value":%s}' % encode(value)
    except Refused as refusal:
        return dumps({"refused": str(refusal)})


def find(namespace, path):
    """The function `path`: of the module, or, of a class in it, of a fresh instance."""
    first, _, rest = path.partition(".")
    solution = namespace.get("Solution")
    if not rest and first not in namespace and isinstance(solution, type) and hasattr(solution, first):
        return getattr(solution(), first)
    if first not in namespace:
        raise NameError("the program does not define '%s'" % first)
    target = namespace[first]
    for name in rest.split(".") if rest else ():
        target = getattr(holder(target, name), name)
    return target


def holder(target, name):
    """What to take the attribute `name` from: of a class a fresh instance, unless the attribute is the class's own."""
    if not isinstance(target, type):
        return target
    own = next((vars(kind)[name] for kind in target.__mro__ if name in vars(kind)), None)
    return target if isinstance(own, (staticmethod, classmethod, type)) else target()


def as_nodes(function, arguments):
    """Arguments as the nodes that the function's annotations ask for."""
    hints = getattr(function, "__annotations__", {})
    code = getattr(function, "__code__", None)
    if code is None or not hints:
        return arguments
    names = [name for name in code.co_varnames[: code.co_argcount] if name != "self"]
    asked = [str(hints.get(name, "")) for name in names]
    asked += [""] * (len(arguments) - len(asked))
    return [as_hinted(value, hint) for value, hint in zip(arguments, asked)]


def as_hinted(value, hint):
    """A list as the node, or the list of nodes, that an annotation names."""
    make = next((make for kind, make in MAKERS.items() if kind in hint), None)
    if make is None or type(value) is not list:
        return value
    if "List[" in hint or "list[" in hint:
        return [make(item) if type(item) is list else item for item in value]
    return make(value)


def read_all(descriptor):
    parts = []
    while True:
        part = os.read(descriptor, 1 << 20)
        if not part:
            return b"".join(parts)
        parts.append(part)


# Bound early: a program may put another function in its place.
def write_all(descriptor, data, write=os.write):
    view = memoryview(data)
    while view:
        view = view[write(descriptor, view) :]
