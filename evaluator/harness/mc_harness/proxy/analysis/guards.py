"""What of test code a right candidate may leave by an exception, so that nothing behind it is come to.

Where an exception is excepted, one of the candidate's may be what is expected, and a stand-in raises none. So nothing
is certain there behind the first thing that is asked of the candidate.
"""

import ast

from ...names import called
from .certainty import OPEN_CONTEXTS, is_reference
from .faults import FUNCTIONS, first_line

# Tests of which it is expected that they fail.
FAILING = {"expectedFailure", "xfail"}
# What keeps the exceptions of coroutines that are handed to it.
GATHERING = {"as_completed", "create_task", "ensure_future", "gather", "run_coroutine_threadsafe", "shield", "wait"}
# The name under which a run is told that a guarded place is come to.
ENTERED = "_entered"


class Guards:
    """Of a test code, and of what its candidate was asked so far."""

    def __init__(self, tree):
        nodes = list(ast.walk(tree))
        self.ranges = [(node.body[0].lineno, node.body[-1].end_lineno) for node in nodes if is_guard(node)]
        self.left = {first_line(node) for node in nodes if isinstance(node, FUNCTIONS) and is_failing(node)}
        handed = set(map(id, handed_over(nodes)))
        names = {node.id for node in nodes if id(node) in handed}
        gathers = any(called(node) in GATHERING for node in nodes)
        for node in nodes:
            is_gathered = gathers and isinstance(node, ast.AsyncFunctionDef)
            if isinstance(node, FUNCTIONS) and (node.name in names or is_gathered):
                self.left.add(first_line(node))
        # The guarded places in which something was asked, as they are entered: those frames, and lines in them.
        self.asked = {}

    def enter(self, frame, line):
        """A guarded place is come to, whose first line this is."""
        for place in [place for place in self.asked if place[0] == id(frame) and place[1] == line]:
            del self.asked[place]

    def ask(self, steps):
        """The candidate was asked something, on the lines of these frames."""
        self.asked.update(self.around(steps))

    def are_open(self, steps):
        """Whether nothing was asked in any of the guarded places around these."""
        return self.asked.keys().isdisjoint(place for place, _ in self.around(steps))

    def around(self, steps):
        for frame, line in steps:
            code = frame.f_code
            if code.co_name == "<lambda>" or code.co_firstlineno in self.left and code.co_name != "<module>":
                yield (id(frame), 0), frame
            yield from (((id(frame), first), frame) for first, last in self.ranges if first <= line <= last)


def is_guard(node):
    """Whether exceptions are excepted, or looked at, around the body of a statement."""
    if getattr(node, "handlers", None):
        return True
    items = getattr(node, "items", ())
    return isinstance(items, list) and any(called(item.context_expr) not in OPEN_CONTEXTS for item in items)


def is_failing(function):
    names = (called(node) or getattr(node, "attr", getattr(node, "id", None)) for node in function.decorator_list)
    return not FAILING.isdisjoint(names)


def handed_over(nodes):
    """The names that test code does not call there, but hands over."""
    called_here = {id(node.func) for node in nodes if isinstance(node, ast.Call) and is_reference(node.func)}
    return (node for node in nodes if isinstance(node, ast.Name) and id(node) not in called_here)


def entering(node):
    """The body of such a statement, with what tells that it is come to."""
    told = ast.Expr(ast.Call(ast.Name(ENTERED, ast.Load()), [ast.Constant(node.body[0].lineno)], []))
    return [ast.copy_location(told, node.body[0]), *node.body]
