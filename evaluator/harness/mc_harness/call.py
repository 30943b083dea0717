"""A program whose function is called once: its arguments come on one descriptor, the result goes out on another."""

import os
from json import dumps, loads

from mc_sandbox.script import Script

from .prelude import provide
from .values import NODES, Refused, decode, encode, list_node, tree_node

ARGUMENTS = 3
RESULT = 4


class Call(Script):
    """The program's module, with the names that solutions use without importing them."""

    module_name = "solution"

    def __init__(self, source, name):
        super().__init__(source)
        self.name = name
        # The program has to define what is going to be called itself.
        self.given = provide(self.code, self.namespace, name.partition(".")[0])

    def run(self):
        arguments = decode(loads(read_all(ARGUMENTS)))
        exec(self.code, self.namespace)
        take_node_classes(self.namespace)
        function = find(self.namespace, self.name)
        value = function(*as_nodes(function, arguments))
        try:
            message = '{"value":%s}' % encode(value)
        except Refused as refusal:
            message = dumps({"refused": str(refusal)})
        write_all(RESULT, message.encode())


def take_node_classes(namespace):
    for name in NODES:
        if isinstance(namespace.get(name), type):
            NODES[name] = namespace[name]


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
    makers = {"ListNode": list_node, "TreeNode": tree_node}
    converted = []
    for at, value in enumerate(arguments):
        hint = str(hints.get(names[at], "")) if at < len(names) else ""
        wanted = [kind for kind in makers if kind in hint]
        if wanted and type(value) is list:
            nested = "List[" in hint or "list[" in hint
            make = makers[wanted[0]]
            value = [make(v) if type(v) is list else v for v in value] if nested else make(value)
        converted.append(value)
    return converted


def read_all(descriptor):
    parts = []
    while True:
        part = os.read(descriptor, 1 << 20)
        if not part:
            return b"".join(parts)
        parts.append(part)


def write_all(descriptor, data, write=os.write):
    view = memoryview(data)
    while view:
        view = view[write(descriptor, view) :]
