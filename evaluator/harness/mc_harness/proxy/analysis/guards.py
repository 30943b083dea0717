"""What of test code a right candidate may leave by an exception, so that nothing behind it is come to.

Where an exception is excepted, one of the candidate's may be what is expected, and a stand-in raises none. So nothing
is certain there behind the first thing that is asked of the candidate.
"""

import ast

from ...names import called
from .certainty import is_reference
from .faults import FUNCTIONS, first_line

# Methods that others call, who may have what they raise.
RUN = {"__call__", "__del__", "__repr__", "__str__"}
# What decorates functions and has nothing of what they raise.
USUAL = frozenset((
    "abstractmethod", "asyncio", "classmethod", "contextmanager", "dict", "fixture", "multiple", "object",
    "parametrize", "patch", "property", "setter", "skip", "skipIf", "skipUnless", "skipif", "staticmethod",
    "usefixtures",
))
# What keeps the exceptions of coroutines that are handed to it.
GATHERING = {"as_completed", "create_task", "ensure_future", "gather", "run_coroutine_threadsafe", "shield", "wait"}
# The name under which a run is told that a guarded place is come to.
ENTERED = "_entered"


class Guards:
    """Of a test code, and of what its candidate was asked so far."""

    def __init__(self, nodes, open_contexts):
        self.open_contexts, self.end_of_runner = open_contexts, open_contexts.end_of_runner
        guards = filter(self.is_guard, nodes)
        self.ranges = [(node.body[0].lineno, node.body[-1].end_lineno) for node in guards]
        self.left = {first_line(node) for node in left_by_exceptions(nodes)}
        # The guarded places in which something was asked, as they are entered: those frames, and lines in them.
        self.asked = {}

    def is_guard(self, node):
        """Whether exceptions are excepted, or looked at, around the body of a statement."""
        if getattr(node, "handlers", None):
            return True
        items = getattr(node, "items", ())
        return isinstance(items, list) and any(item.context_expr not in self.open_contexts for item in items)

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
            if line <= self.end_of_runner:
                continue
            if code.co_name == "<lambda>" or code.co_firstlineno in self.left and code.co_name != "<module>":
                yield (id(frame), 0), frame
            yield from (((id(frame), first), frame) for first, last in self.ranges if first <= line <= last)


def left_by_exceptions(nodes):
    """The functions that test code does not call itself, or of which something else may have the exceptions."""
    handed = set(handed_over(nodes))
    gathers = any(called(node) in GATHERING for node in nodes)
    classes = [node for node in nodes if isinstance(node, ast.ClassDef)]
    of_handed = {id(part) for node in classes if node.name in handed or decorated_by(node) for part in node.body}
    own_runs = (part for node in classes if node.bases for part in node.body if getattr(part, "name", None) == "run")
    of_handed.update(map(id, own_runs))
    for node in nodes:
        if isinstance(node, FUNCTIONS):
            is_gathered = gathers and isinstance(node, ast.AsyncFunctionDef)
            is_handed = node.name in handed or node.name in RUN or id(node) in of_handed
            if is_gathered or is_handed or not USUAL.issuperset(decorated_by(node)):
                yield node


def decorated_by(node):
    """The names of what decorates a function or class."""
    return [called(one) or getattr(one, "attr", getattr(one, "id", None)) for one in node.decorator_list]


def handed_over(nodes):
    """The names that test code does not call there, but hands over, and the attributes that it gives what it calls."""
    calls = [node for node in nodes if isinstance(node, ast.Call)]
    called_here = {id(node.func) for node in calls if is_reference(node.func)}
    yield from (node.id for node in nodes if isinstance(node, ast.Name) and id(node) not in called_here)
    given = (part for node in calls for part in (*node.args, *(keyword.value for keyword in node.keywords)))
    yield from (part.attr for part in given if isinstance(part, ast.Attribute))


def entering(node):
    """The body of such a statement, with what tells that it is come to."""
    told = ast.Expr(ast.Call(ast.Name(ENTERED, ast.Load()), [ast.Constant(node.body[0].lineno)], []))
    return [ast.copy_location(told, node.body[0]), *node.body]
