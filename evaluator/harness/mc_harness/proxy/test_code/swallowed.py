"""Which exceptions Python would swallow, and the test code never learn of: what ends an iteration, or says that there
is no such attribute. Of the candidate's none does so, unless the test code excepts it by its name."""

import ast
import sys
from functools import cached_property

from ..analysis.faults import FUNCTIONS, Excepting, callers, first_line
from ..wire.errors import SILENT, SILENT_KINDS

# Those that mean something where they leave one of these methods.
LEAVING = {IndexError: ("__getitem__",), AttributeError: ("__getattr__", "__getattribute__")}
PROPERTIES = ("property", "cached_property")
# A group of tasks takes no notice of those that were cancelled.
CANCELLED = ("CancelledError", "BaseException")
# Where test code has none of these names, there is nothing to find.
SWALLOWING = {*SILENT, *PROPERTIES}.union(*LEAVING.values())


class Swallowed:
    """By the source of the test code."""

    def __init__(self, source):
        self.source, self.excepting = source, Excepting(source)

    @cached_property
    def lines(self):
        """The first lines of functions that a kind means something to leave."""
        functions = [node for node in ast.walk(ast.parse(self.source)) if isinstance(node, FUNCTIONS)]
        lines = {kind: {first_line(node) for node in functions if node.name in LEAVING[kind]} for kind in LEAVING}
        lines[AttributeError] |= {first_line(node) for node in functions if is_property(node)}
        return lines

    def is_here(self, kind):
        """Whether one of a class would be, were it raised where the test code is."""
        for silent in (*SILENT_KINDS, *LEAVING):
            if issubclass(kind, silent):
                return self.leaves(silent) and not self.excepting.is_here((silent.__name__,))
        return False

    def leaves(self, kind):
        """Whether one of its functions is left from which that means something; an iteration ends anywhere."""
        if kind in SILENT_KINDS:
            return True
        return any(function in self.lines[kind] for function, _ in callers(sys._getframe(1)))


def is_property(node):
    names = {getattr(one, "attr", getattr(one, "id", None)) for one in node.decorator_list}
    return not names.isdisjoint(PROPERTIES)
