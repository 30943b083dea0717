"""A program whose function is called once: its arguments come on one descriptor, the result goes out on another."""

import os
import re
import sys
from json import dumps, loads

from mc_sandbox.script import Script

from .decoding import decode
from .encoding import ListsAlone, Refused, encode
from .nodes import adopt_node_classes, list_node, tree_node

ARGUMENTS = 3
RESULT = 4
# How many bytes are read at once: room that the C library has at hand. For more it would make a mapping each time.
PART = 1 << 16

MAKERS = {"ListNode": list_node, "TreeNode": tree_node}
USUAL_NAMES = {
    "ListNode": re.compile(r"head\w?|l[12]|list[12]|node|lists"),
    "TreeNode": re.compile(r"root\w?|\w*[tT]ree\w?|[pq]|t[12]"),
}
# A list of such lists.
LISTS = "lists"
# Where methods, decorated functions and partial ones have what they call.
WRAPPING = ("__func__", "__wrapped__", "func")
MOST_DECORATORS = 10
# As LiveCodeBench sets it, for methods and wherever else solutions are written for judges that allow as much.
DEEP_RECURSION = 50_000

# What most functions do: take a list and give a number.
USUAL = b"""
class Solution:
    def add(self, numbers: List[int], names: Dict[str, int]) -> int:
        return sum(number for number in numbers) + len(names)
"""
USUAL_INPUT = {ARGUMENTS: b'[[1,2,3],{"dict":[["a",1]]}]'}


class Call(Script):
    """The function `name` of a program. `in_place`: where it gives nothing back, its first argument is the answer;
    `is_void`: so it is whatever it gives back.
    `nodes` are the kinds of node that the problem speaks of, for arguments that a program does not annotate."""

    module_name = "solution"

    def __init__(self, source, name, in_place=False, is_void=False, nodes=()):
        super().__init__(source)
        self.name, self.in_place, self.is_void, self.nodes = name, in_place, is_void, nodes
        # Whether functions may call themselves as deep as those of LeetCode's solutions do.
        self.is_deep = False

    def run(self):
        arguments = decode(loads(read_all(ARGUMENTS)))
        self.define()
        adopt_node_classes(self.namespace)
        function = find(self.namespace, self.name)
        arguments = as_nodes(function, arguments, self.nodes)
        result = function(*arguments)
        if self.in_place and arguments and (result is None or self.is_void):
            result = arguments[0]
        write_all(RESULT, outcome(result).encode())


    def define(self):
        """Run the module."""
        if self.is_deep:
            sys.setrecursionlimit(DEEP_RECURSION)
        exec(self.code, self.namespace)


def outcome(value):
    """What the supervisor is told of a result, as JSON."""
    try:
        return '{"value":%s}' % encode(value, ListsAlone())
    except Refused as refusal:
        return dumps({"refused": str(refusal)})


def find(namespace, path):
    """The function `path`: of the module, or, of a class in it, of a fresh instance. A function of the module serves
    where a method of `Solution` is asked for, and the other way round."""
    first, *rest = path.split(".")
    solution = namespace.get("Solution")
    if not rest and first not in namespace and isinstance(solution, type) and hasattr(solution, first):
        return getattr(solution(), first)
    if first == "Solution" and len(rest) == 1 and not hasattr(solution, rest[0]) and is_own(namespace, rest[0]):
        return namespace[rest[0]]
    if first not in namespace:
        raise NameError("the program does not define '%s'" % first)
    target = namespace[first]
    for name in rest:
        target = getattr(holder(target, name), name)
    return target


def is_own(namespace, name):
    """Whether the program itself defines the function `name`: it may have been lent one."""
    return name in namespace and getattr(namespace[name], "__module__", None) == namespace.get("__name__")


def holder(target, name):
    """What to take the attribute `name` from: of a class a fresh instance, unless the attribute is the class's own,
    such as a member of an enumeration."""
    if not isinstance(target, type):
        return target
    own = next((vars(kind)[name] for kind in target.__mro__ if name in vars(kind)), None)
    is_classes = isinstance(own, (staticmethod, classmethod, type)) or name in getattr(target, "__members__", ())
    return target if is_classes else target()


def as_nodes(function, arguments, nodes=()):
    """Arguments as the nodes that the function's annotations ask for, or else the names of its parameters."""
    function = undecorated(function)
    code = getattr(function, "__code__", None)
    if code is None:
        return arguments
    hints = getattr(function, "__annotations__", {})
    names = [name for name in code.co_varnames[: code.co_argcount] if name != "self"]
    asked = [str(hints[name]) if name in hints else usual_hint(name, nodes) for name in names]
    asked += [""] * (len(arguments) - len(asked))
    return [as_hinted(value, hint) for value, hint in zip(arguments, asked)]


def undecorated(function):
    """The function that a decorator such as `functools.cache` was put around, as far as that tells."""
    for _ in range(MOST_DECORATORS):
        inner = next((getattr(function, name) for name in WRAPPING if hasattr(function, name)), None)
        if inner is None:
            break
        function = inner
    return function


def usual_hint(name, nodes):
    """What LeetCode's parameters of this name are, where the problem speaks of such nodes."""
    kind = next((kind for kind in nodes if USUAL_NAMES[kind].fullmatch(name)), "")
    return "List[%s]" % kind if name == LISTS else kind


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
        part = os.read(descriptor, PART)
        if not part:
            return b"".join(parts)
        parts.append(part)


# Bound early: a program may put another function in its place.
def write_all(descriptor, data, write=os.write):
    view = memoryview(data)
    while view:
        view = view[write(descriptor, view) :]
