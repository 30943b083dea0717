"""What test code does before the candidate has anything of it, as far as that is seen.

Lines tell it of what stands in one function. When a function is run is not written where it stands; but what begins a
test is run before that.
"""

import ast

from .certainty import LOOPS
from .faults import FUNCTIONS
from .said import is_fixture, name_of
from .variables import stored

STARTING = {
    "asyncSetUp", "setUp", "setUpClass", "setUpModule", "setup", "setup_class", "setup_function", "setup_method",
    "setup_module",
}


class Before:
    """The first of the `answers`, which the candidate gives, among the `nodes` of test code. What goes by the names
    `given` it may have had before, where it is asked again and again."""

    def __init__(self, nodes, answers, given):
        # Of each node the loops that it is in, by which something is asked, and the names that each binds anew.
        self.loops, self.given = {}, given
        # Of each node the innermost function that it is in: an outer one comes before those in it.
        self.home = {}
        for function in (node for node in nodes if isinstance(node, (*FUNCTIONS, ast.Lambda))):
            self.home.update((part, function) for part in ast.walk(function) if part is not function)
        self.direct = {self.home.get(node) for node in answers}
        # By the functions, the lines on which they come to an answer, or call one that does.
        self.lines = {}
        asking, known = set(answers), set()
        while asking - known:
            for node in asking - known:
                self.lines.setdefault(self.home.get(node), []).append(node.lineno)
            known = asking
            names = {getattr(function, "name", None) for function in self.lines} - {None}
            asking = known | {node for node in nodes if name_of(node) in names and hasattr(node, "lineno")}
        for loop in (node for node in nodes if isinstance(node, LOOPS)):
            parts = set(ast.walk(loop))
            if not parts.isdisjoint(known):
                self.loops.update((part, [*self.loops.get(part, ()), stored([loop])]) for part in parts)

    def is_bound_first(self, scope, values):
        """Whether all that is bound to a variable, known in such a scope, is so before any answer."""
        return all(self.comes_first(scope, value) for value in values)

    def comes_first(self, scope, value):
        home = self.home.get(value)
        lines = self.lines.get(home, ())
        if any(line <= (getattr(value, "end_lineno", None) or 0) for line in lines) or self.is_of_round_before(value):
            return False
        if home is None:
            return True
        others = {function for function in self.lines if is_starting(function)} - {home}
        if None in self.direct or others:
            return False
        is_local = scope is home or self.home.get(scope) is home
        return is_starting(home) or bool(lines) and is_local

    def is_of_round_before(self, value):
        """Whether it is made of something that a loop hands over in each of its rounds."""
        loops = self.loops.get(value, ())
        parts = ast.walk(value) if loops else ()
        names = {getattr(part, "id", None) or "self." + getattr(part, "attr", "") for part in parts}
        return any(not self.given.isdisjoint(names - bound) for bound in loops)


def is_starting(function):
    """Whether a function is run before a test."""
    return isinstance(function, FUNCTIONS) and (function.name in STARTING or is_fixture(function))
