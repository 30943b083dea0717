"""What contexts of the candidate's may make of an error in test code.

They are told of it, and may suppress it or raise another in its place. But what the test code found wrong stays wrong;
and an error that has the test code skip what it would have gone on to find is not suppressed, unless it raised that
itself: a context that suppresses all there is would pass, though nothing in its body works.
"""

import ast

from ..analysis.faults import FUNCTIONS, first_line, steps
from ..wire.described import blame_of


class Bodies:
    """Where test code has contexts and functions, and what it asserts and raises in them. It is read once an error
    reaches a context of the candidate's: few ever do."""

    def __init__(self, source):
        self.source = source
        self.contexts, self.functions, self.raising = None, None, None

    def read(self):
        nodes = list(ast.walk(ast.parse(self.source)))
        self.contexts = [node for node in nodes if isinstance(node, (ast.With, ast.AsyncWith))]
        self.functions = [node for node in nodes if isinstance(node, FUNCTIONS)]
        self.raising = {line for node in nodes if isinstance(node, ast.Raise) for line in lines_of(node)}

    def holds(self, error):
        """Whether a context has no say in an error."""
        is_finding = isinstance(error, AssertionError) and blame_of(error) is None
        return is_finding or not isinstance(error, Exception) or self.skips(error)

    def skips(self, error):
        """Whether an error has the test code go on behind something that it asserts."""
        if self.contexts is None:
            self.read()
        through = list(steps(error))
        if not through or through[-1].tb_lineno in self.raising and blame_of(error) is None:
            return False
        first, *within = through
        if within and within[-1].tb_lineno in self.raising:
            # A function that raises an error means to skip what is behind that.
            within.pop()
        bodies = [(node, first.tb_lineno) for node in self.contexts if node.lineno == first.tb_frame.f_lineno]
        for step in within:
            begun = step.tb_frame.f_code.co_firstlineno
            bodies += [(node, step.tb_lineno) for node in self.functions if first_line(node) == begun]
        return any(asserts_from(node, line) for node, line in bodies)


def asserts_from(node, line):
    """Whether something is asserted on this line of a node or on one behind it."""
    return any(is_assertion(part) and part.end_lineno >= line for one in node.body for part in ast.walk(one))


def is_assertion(node):
    """Whether a node may find something wrong, or only compares; `assert False` says where nothing should come."""
    if isinstance(node, ast.Assert):
        return not isinstance(node.test, ast.Constant)
    if isinstance(node, (ast.If, ast.Compare)):
        return True
    called = node.func if isinstance(node, ast.Call) else None
    name = getattr(called, "attr", None) or getattr(called, "id", None) or ""
    return name.startswith("assert")


def lines_of(node):
    return range(node.lineno, node.end_lineno + 1)
